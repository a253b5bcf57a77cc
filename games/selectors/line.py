"""The line of a game that is over: its positions one by one, as analysis and the trying board go through them."""

from __future__ import annotations

from typing import Any, NamedTuple

from games.models import Game
from games.rules import registry
from games.rules.position import BadOptions, MoveRefused
from games.rules.replay import BrokenLog
from games.rules.ruleset import AnyRuleset
from games.selectors.log import read
from games.selectors.steps import Step
from games.selectors.words import seat_names


class Stop(NamedTuple):
    """A position of the line, which chance has nothing more to bring to: the step that led to it, and the seat that made it;
    None where it was nobody's move."""

    step: Step
    position: Any
    seat: int | None


class Line(NamedTuple):
    """What was played and stands, from the beginning on, by players of these names."""

    ruleset: AnyRuleset
    names: tuple[str, ...]
    stops: tuple[Stop, ...]

    def at(self, number: int) -> int | None:
        """Which of the stops is that of this step."""
        return next((index for index, one in enumerate(self.stops) if one.step.number == number), None)


def line_of(game: Game) -> Line | None:
    """The line of a game that is over; None for one that goes on or cannot be read."""
    if game.ended_at is None:
        return None
    names = tuple(seat_names(game))
    try:
        ruleset = registry.get(game.ruleset)
        reading = read(ruleset, game, names)
    except (registry.UnknownRuleset, BrokenLog, BadOptions, MoveRefused):
        return None
    seats = {number: turn.seat for turn in reading.turns for number in turn.numbers}
    stops = [
        Stop(step, position, seats.get(step.number))
        for step, (position, _marks) in zip(reading.steps, reading.boards, strict=True)
        if not step.undone
    ]
    return Line(ruleset, names, tuple(stops))
