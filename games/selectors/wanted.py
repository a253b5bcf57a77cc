"""What the seat to move has chosen so far: how its move begins, or the whole move and what that would come to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, NamedTuple

from games.rules.position import AmbiguousMove, MoveRefused
from games.rules.ruleset import AnyRuleset, Marks
from games.selectors.choices import Divided, Group, Preview, ahead, begun, divided, pictured, sketched
from games.speech import say


class Wanted(NamedTuple):
    """The view and marks of what is to be seen. `asked` is the question that the `groups` answer, `begun` whether something was
    chosen of which they are the rest; `refused` says why the move cannot be played; where it can be, `preview` tells what it
    comes to and `divided` what may change sides of it."""

    view: Any
    marks: Marks
    groups: tuple[Group, ...]
    asked: str = ""
    begun: bool = False
    preview: Preview | None = None
    refused: str = ""
    divided: Divided | None = None


def nothing_yet(ruleset: AnyRuleset, view: Any, marks: Marks, groups: tuple[Group, ...]) -> Wanted:
    """Before anything is chosen."""
    return Wanted(view, _choosing(marks, groups), groups, question(ruleset, view, ""))


def wanted(ruleset: AnyRuleset, position: Any, seen: Wanted, chosen: str, pieces: Collection[str] | None) -> Wanted:
    """What is chosen by a text: plies of the turn, or how a move begins; where only one move does, that move. `pieces` are those
    that lie here of what it divides, None if that was not asked. `seen` is what it was chosen from."""
    try:
        return _wanted(ruleset, position, seen, chosen, pieces)
    except AmbiguousMove as no:
        said, groups = say(no.said), pictured(ruleset, position, no.candidates)
        return seen._replace(refused=said, groups=groups, asked=said, begun=True)
    except MoveRefused as no:
        return seen._replace(refused=say(no.said))


def _wanted(ruleset: AnyRuleset, position: Any, seen: Wanted, chosen: str, pieces: Collection[str] | None) -> Wanted:
    view = seen.view
    if next_ := begun(ruleset, view, chosen):
        [group] = next_
        if len(group.choices) > 1 or not group.choices[0].whole:
            marks = replace(_choosing(seen.marks, next_), chosen=ruleset.place_of(view, chosen))
            return Wanted(view, marks, sketched(ruleset, position, next_), question(ruleset, view, chosen), begun=True)
        chosen = group.choices[0].move
    if pieces is not None:
        chosen = ruleset.divided(view, chosen, pieces)
    preview, after, marks = ahead(ruleset, position, chosen)
    parts = divided(ruleset, view, preview.text, pieces or ())
    if preview.shown:
        movable = tuple(place for piece in parts.pieces for place in piece.places) if parts is not None else ()
        marks = replace(marks, choices=movable)
        return seen._replace(view=ruleset.view(after, view.seat), marks=marks, preview=preview, divided=parts)
    marks = replace(seen.marks, chosen=ruleset.place_of(view, preview.text))
    return seen._replace(marks=marks, preview=preview, divided=parts)


def _choosing(marks: Marks, groups: tuple[Group, ...]) -> Marks:
    return replace(marks, choices=tuple(one.place for group in groups for one in group.choices if one.place))


def question(ruleset: AnyRuleset, view: Any, text: str) -> str:
    """What is asked where a move begins with this text; nothing where a game asks nothing."""
    question = ruleset.asked(view, text)
    return say(question) if question is not None else ""
