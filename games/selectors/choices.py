"""Choices: what the seat to move may play, and what plies of its turn would come to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple

from django.utils.translation import get_language

from games.drawing.canvas import apart
from games.rules.position import Event, IllegalMove
from games.rules.ruleset import AnyRuleset, Marks, Piece
from games.rules.standing import Standing
from games.selectors.log import ply_to_mover, to_mover
from games.selectors.steps import Touched, touched
from games.speech import say

FEW: Final = 12
"""So many moves are told with what they would do, in a letter with a link each; more are listed in groups, by their notation."""

SKETCHED: Final = 4
"""So many ways to end a move are shown as pictures, since each must be drawn; of more the words tell."""


class Choice(NamedTuple):
    """A legal move: its notation, what it would do in words to whoever chooses (nothing where moves are many; where things are
    hidden what it means, if the rules say so), and its place on the picture; perhaps a picture of the board after it. Not
    `whole`: how a move begins; then what it is called in a row of others is its place."""

    move: str
    told: str
    place: str | None
    picture: str = ""
    whole: bool = True

    @property
    def called(self) -> str:
        """What stands on it where little room is."""
        return self.move if self.whole or self.place is None else self.place


class Group(NamedTuple):
    """Moves that are listed together; those without a title stand before the others. `few`: each is told."""

    title: str
    choices: tuple[Choice, ...]
    few: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """Plies of a turn that are chosen and not yet played, `told` one by one to whoever plays them. `shown`: the page's picture,
    diagram and description are those of the position after them."""

    text: str
    told: tuple[str, ...]
    shown: bool
    touched: tuple[Touched, ...]


class Divided(NamedTuple):
    """What a chosen move divides: the question which pieces lie on one side, and the pieces, which may change sides."""

    asked: str
    pieces: tuple[Piece, ...]


def choices(ruleset: AnyRuleset, standing: Standing[Any], view: Any) -> tuple[Group, ...]:
    """What the seat to move may do, group by group; where few moves stand together without a title, with what each would do.
    Effects stay untold where things are hidden: there the meaning of a move is told."""
    return _choices(ruleset, standing.position, view, get_language() or "")


@lru_cache(maxsize=256)
def _choices(ruleset: AnyRuleset, position: Any, view: Any, language: str) -> tuple[Group, ...]:
    """The language is a key only: `say` speaks the active one."""
    beginnings = begun(ruleset, view, "")
    moves = tuple(islice(ruleset.legal_moves(position), FEW + 1 if beginnings else None))
    if beginnings and len(moves) > FEW:
        return beginnings
    groups: dict[str, list[str]] = {}
    for move in moves:
        heading = ruleset.group_of(view, move) if len(moves) > FEW else None
        groups.setdefault(say(heading) if heading is not None else "", []).append(move)
    listed = [_group(ruleset, position, view, title, groups[title]) for title in sorted(groups, key=bool)]
    return (*beginnings, *listed)


def begun(ruleset: AnyRuleset, view: Any, text: str) -> tuple[Group, ...]:
    """What may be chosen next of a move that begins with this text; nothing where it is none, or is written to its end."""
    found = ruleset.beginnings(view, text)
    listed = tuple(Choice(one.text, say(one.said), one.place, whole=one.whole) for one in found)
    return (Group("", listed, few=all(one.whole for one in listed)),) if found else ()


def sketched(ruleset: AnyRuleset, position: Any, groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """The same as `begun` found it; few whole moves each with a picture of the board after it, and what it does."""
    [group] = groups
    if len(group.choices) > SKETCHED or not all(one.whole for one in group.choices):
        return groups
    return pictured(ruleset, position, tuple(one.move for one in group.choices))


def pictured(ruleset: AnyRuleset, position: Any, moves: tuple[str, ...]) -> tuple[Group, ...]:
    """The moves that a text may mean, each with a picture of the board after it."""
    return _pictured(ruleset, position, moves, get_language() or "")


@lru_cache(maxsize=64)
def _pictured(ruleset: AnyRuleset, position: Any, moves: tuple[str, ...], language: str) -> tuple[Group, ...]:
    """The language is a key only: `say` speaks the active one."""
    found = []
    for number, move in enumerate(moves):
        events = ruleset.events(position, move)
        picture = apart(_after(ruleset, position, move, ruleset.marks(events)), f"c{number}")
        found.append(Choice(move, to_mover(events), None, picture))
    return (Group("", tuple(found), few=True),)


def _after(ruleset: AnyRuleset, position: Any, move: str, marks: Marks) -> str:
    """The board after a move; nothing where it cannot be drawn."""
    try:
        after = ruleset.play(position, ruleset.stored(position, move))
    except IllegalMove:
        return ""
    return ruleset.picture(ruleset.view(after, None), marks, say)


def _group(ruleset: AnyRuleset, position: Any, view: Any, title: str, moves: list[str]) -> Group:
    few = not title and len(moves) <= FEW
    return Group(
        title,
        tuple(
            Choice(
                move,
                _told(ruleset, position, move) if few else "",
                ruleset.place_of(view, move),
            )
            for move in moves
        ),
        few,
    )


def _told(ruleset: AnyRuleset, position: Any, move: str) -> str:
    return _meant(ruleset, move) if ruleset.facts.hidden else to_mover(ruleset.events(position, move))


def _meant(ruleset: AnyRuleset, move: str) -> str:
    meaning = ruleset.meaning(move)
    return say(meaning) if meaning is not None else ""


def divided(ruleset: AnyRuleset, view: Any, move: str, chosen: Collection[str]) -> Divided | None:
    """What may change sides of a chosen move; None if nothing may."""
    division = ruleset.division(view, move, chosen)
    return Divided(say(division.asked), division.pieces) if division is not None else None


def ahead(ruleset: AnyRuleset, position: Any, text: str) -> tuple[Preview, Any, Marks]:
    """What plies of one turn would come to: in words, the position after them and its marks. Where things are hidden it tells
    what the move means and no more, since it would tell them. Raises MoveRefused."""
    plies: list[str] = []
    told: list[str] = []
    events: tuple[Event, ...] = ()
    for before, ply in ruleset.plies(position, text):
        done = ruleset.events(before, ply)
        plies.append(ply)
        told.append(ply_to_mover(ply, done))
        events = (*events, *done)
        position = ruleset.play(before, ruleset.stored(before, ply))
    text = ruleset.join(plies)
    if ruleset.facts.hidden:
        told = [f"{meant}." for ply in plies if (meant := _meant(ruleset, ply))]
        return Preview(text, tuple(told), shown=False, touched=()), position, ruleset.marks(events)
    return Preview(text, tuple(told), shown=True, touched=touched(events)), position, ruleset.marks(events)
