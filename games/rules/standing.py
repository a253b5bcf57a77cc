"""Where a game stands: what `replay` makes of a log, entry by entry, and what follows from that alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Generic, TypeVar

from games.rules import entry as kinds
from games.rules.position import Moment, Outcome
from games.rules.turns import Begun

P = TypeVar("P")


class BrokenLog(ValueError):
    """An entry that cannot follow the ones before it."""


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """A proposal that waits for answers: the number and time of its entry, who made it, who has agreed."""

    number: int
    kind: str
    seat: int
    agreed: frozenset[int] = frozenset()
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Standing(Generic[P]):
    """Where a game stands after the last entry of its log.

    `position_number` is the number of the last entry that changed the position, `turn_number` of the one that began
    the present turn and `since` its time: the reflection time of the seat to move counts from there.
    `completed` are the seats that have a whole turn behind them, `left` the seats that resigned while the others play on.
    While anybody is in `paused` nobody's time runs; `paused_at` is when it stopped. `reversible`: the last entry ended the game
    in a way that can be taken back. `committed` counts the seeds that are not revealed yet, `draws` what fell by the last one.

    `turns` are those that may be taken back and the present one, oldest first; None in a standing that was kept without them.
    """

    position: P
    seats: int
    number: int = 0
    plies: int = 0
    position_number: int = 0
    turn_number: int = 0
    since: datetime | None = None
    completed: frozenset[int] = frozenset()
    left: frozenset[int] = frozenset()
    proposals: tuple[OpenProposal, ...] = ()
    paused: frozenset[int] = frozenset()
    paused_at: datetime | None = None
    outcome: Outcome | None = None
    reversible: bool = False
    committed: int = 0
    draws: int = 0
    turns: tuple[Begun[P], ...] | None = None

    @property
    def moment(self) -> Moment:
        """Whether somebody is to move, or why not."""
        if self.outcome is not None:
            return Moment.OVER
        return Moment.PAUSED if self.paused else Moment.NOW


def plays_on(standing: Standing[P], seat: int) -> bool:
    """Whether the seat is still in the game."""
    return standing.outcome is None and seat not in standing.left


def may_abort(standing: Standing[P]) -> bool:
    """Whether the game may still be called off: not every seat that plays has completed a turn (scenarios D1, F39)."""
    present = frozenset(range(standing.seats)) - standing.left
    return standing.outcome is None and not present <= standing.completed


def removed_by(kind: str) -> int | None:
    """The seat without which a proposal of this kind would go on; None for any other."""
    word, _, seat = kind.partition(" ")
    return int(seat) if word == kinds.REMOVE and seat.isascii() and seat.isdigit() and len(seat) <= 2 else None


def must_answer(standing: Standing[P], proposal: OpenProposal) -> frozenset[int]:
    """The seats whose agreement the proposal still needs: of a removal all but its target."""
    others = frozenset(range(standing.seats)) - standing.left - {proposal.seat} - proposal.agreed
    return others - {seat for seat in (removed_by(proposal.kind),) if seat is not None}


def result(outcome: Outcome | None, seats: int) -> str:
    """The result as a record writes it: `1-0`, `1/2-1/2`, by seat for more; `*` while the game goes on or counts for nobody."""
    if outcome is None or not outcome.points:
        return "*"
    words = {Fraction(1): "1", Fraction(1, 2): "1/2", Fraction(0): "0"}
    return "-".join(words.get(points, str(points)) for points in outcome.points[:seats])
