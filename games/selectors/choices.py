"""Choices: what the seat to move may play, and what plies of its turn would come to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.utils.translation import get_language

from games.rules.position import Event
from games.rules.ruleset import AnyRuleset, Marks
from games.rules.standing import Standing
from games.selectors.log import ply_to_mover, to_mover
from games.selectors.steps import Touched, touched
from games.speech import say

FEW: Final = 12
"""So many moves are told with what they would do, in a letter with a link each; more are listed in groups, by their notation."""


class Choice(NamedTuple):
    """A legal move: its notation, what it would do in words to whoever chooses (nothing where moves are many; where things are
    hidden what it means, if the rules say so), and its place on the picture."""

    move: str
    told: str
    place: str | None


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


def choices(ruleset: AnyRuleset, standing: Standing[Any], view: Any) -> tuple[Group, ...]:
    """What the seat to move may do, group by group; where few moves stand together without a title, with what each would do.
    Effects stay untold where things are hidden: there the meaning of a move is told."""
    return _choices(ruleset, standing.position, view, get_language() or "")


@lru_cache(maxsize=256)
def _choices(ruleset: AnyRuleset, position: Any, view: Any, language: str) -> tuple[Group, ...]:
    """The language is a key only: `say` speaks the active one."""
    moves = tuple(ruleset.legal_moves(position))
    groups: dict[str, list[str]] = {}
    for move in moves:
        heading = ruleset.group_of(view, move) if len(moves) > FEW else None
        groups.setdefault(say(heading) if heading is not None else "", []).append(move)
    return tuple(_group(ruleset, position, view, title, groups[title]) for title in sorted(groups, key=bool))


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
        position = ruleset.play(before, ply)
    text = ruleset.join(plies)
    if ruleset.facts.hidden:
        told = [f"{meant}." for ply in plies if (meant := _meant(ruleset, ply))]
        return Preview(text, tuple(told), shown=False, touched=()), position, ruleset.marks(events)
    return Preview(text, tuple(told), shown=True, touched=touched(events)), position, ruleset.marks(events)
