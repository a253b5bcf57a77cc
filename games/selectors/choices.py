"""Choices: what the seat to move may play, and what plies of its turn would come to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language

from games.rules.phrase import phrase
from games.rules.position import Event, IllegalMove
from games.rules.replay import Standing
from games.rules.ruleset import AnyRuleset, Marks
from games.selectors.log import in_words, marks_of
from games.selectors.steps import Touched, touched


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move: its notation, what it would do in words (nothing where things are hidden), and its place on the picture."""

    move: str
    told: tuple[str, ...]
    place: str | None


@dataclass(frozen=True, slots=True)
class Preview:
    """Plies of a turn that are chosen and not yet played. `shown`: the page's picture, diagram and description are those of
    the position after them."""

    text: str
    told: tuple[str, ...]
    shown: bool
    touched: tuple[Touched, ...]


def choices(ruleset: AnyRuleset, standing: Standing[Any], view: Any) -> tuple[Choice, ...]:
    """What the seat to move may do, with what each move would do; its effects stay untold where things are hidden."""
    return _choices(ruleset, standing.position, view, get_language() or "")


@lru_cache(maxsize=256)
def _choices(ruleset: AnyRuleset, position: Any, view: Any, language: str) -> tuple[Choice, ...]:
    """The language is a key only: `say` speaks the active one."""
    return tuple(
        Choice(move, () if ruleset.facts.hidden else in_words(ruleset.events(position, move)), ruleset.place_of(view, move))
        for move in ruleset.legal_moves(position)
    )


def ahead(ruleset: AnyRuleset, position: Any, text: str) -> tuple[Preview, Any, Marks]:
    """What plies of one turn would come to: in words, the position after them and its marks. Where things are hidden it tells
    nothing, since it would tell them. Raises MoveRefused."""
    decides = (ruleset.to_move(position), ruleset.turn(position))
    plies: list[str] = []
    events: tuple[Event, ...] = ()
    for ply in ruleset.split(text):
        if (ruleset.to_move(position), ruleset.turn(position)) != decides:
            raise IllegalMove(phrase("After %(moves)s your turn is over.", moves=ruleset.join(plies)))
        plies.append(ruleset.canonical(position, ply))
        events = (*events, *ruleset.events(position, plies[-1]))
        position = ruleset.play(position, plies[-1])
    told = Preview(ruleset.join(plies), (), shown=False, touched=())
    if not ruleset.facts.hidden:
        told = Preview(told.text, in_words(events), shown=True, touched=touched(events))
    return told, position, marks_of(events)
