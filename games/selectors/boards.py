"""Boards for pages: what a seat sees, miniatures for lists, a position that a guide names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import get_language

from games.drawing.canvas import apart
from games.models import Game
from games.rules import registry
from games.rules.position import BadPosition, Moment
from games.rules.ruleset import AnyRuleset, Marks
from games.speech import naming, say


class Board(NamedTuple):
    """What one seat sees, three times over: as a picture, as text of fixed width, in words."""

    svg: str
    diagram: str
    description: str


def board(ruleset: AnyRuleset, view: Any, marks: Marks, names: Sequence[str] = ()) -> Board:
    """What is seen in the active language, with the players' names where seats have no titles."""
    return _board(ruleset, view, marks, () if ruleset.facts.seat_titles else tuple(names), get_language() or "")


@lru_cache(maxsize=512)
def _board(ruleset: AnyRuleset, view: Any, marks: Marks, names: tuple[str, ...], language: str) -> Board:
    """Made of the view and names alone, so that whoever may see the same sees the same; the language is a key only."""
    speak = naming(names) if names else say
    return Board(ruleset.picture(view, marks, speak), ruleset.diagram(view), ruleset.describe(view, speak))


def miniature(game: Game, seat: int | None) -> str:
    """A game's present position as a very small picture from one seat's side; empty where there is none."""
    if game.position is None:
        return ""
    over, language = game.ended_at is not None, get_language() or ""
    return small_board(game.pk, game.ruleset, json.dumps(game.position), seat, over=over, language=language)


def small_board(pk: int, ruleset: str, position: str | None, seat: int | None, *, over: bool, language: str) -> str:
    """The same of what the game's row holds, its position as JSON; `language` is the active one."""
    return _miniature(pk, ruleset, position, seat, over, language) if position else ""


@lru_cache(maxsize=4096)
def _miniature(pk: int, ruleset_name: str, dumped: str, seat: int | None, over: bool, language: str) -> str:
    """The language is a key only: `say` speaks the active one."""
    ruleset = registry.get(ruleset_name)
    try:
        position = ruleset.load(json.loads(dumped))
    except BadPosition:
        return ""
    moment = Moment.OVER if over else Moment.NOW
    return apart(ruleset.miniature(ruleset.view(position, seat, moment=moment), say), f"g{pk}")


def drawn(ruleset: AnyRuleset, position: Any, marks: Marks, moment: Moment = Moment.NOW) -> str:
    """A position of a game that is nobody's, as a spectator sees it."""
    return ruleset.picture(ruleset.view(position, None, moment=moment), marks, say)


def board_in_guide(ruleset: AnyRuleset, written: str, name: str) -> str:
    """The picture that a guide's marker asks for: a position as JSON, then perhaps a turn: `{…}4-6` shows the board after
    it, `{…}?4-6` the board before it with the pit that will be sown. `name` sets its ids apart from other pictures'.

    Raises BadPosition, MoveRefused, or ValueError for what is no JSON.
    """
    data, end = json.JSONDecoder().raw_decode(written)
    position, marks = ruleset.load(data), Marks()
    plies, asked = written[end:].strip(), written[end:].strip().startswith("?")
    for ply in ruleset.split(plies.removeprefix("?")) if plies else ():
        if asked:
            marks = Marks(chosen=ruleset.place_of(ruleset.view(position, None), ply))
            break
        marks = ruleset.marks(ruleset.events(position, ply))
        position = ruleset.play(position, ply)
    return apart(drawn(ruleset, position, marks), name)
