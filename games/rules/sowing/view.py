"""What is seen of a sowing game: the whole board from one's own side, for nothing is hidden."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

from games.rules.position import Moment
from games.rules.sowing import PITS


class SowingPosition(Protocol):
    """What every position of a sowing game tells: `holes` in the order of PLACES, the rest as a ruleset's own position."""

    @property
    def holes(self) -> tuple[int, ...]:
        """Whole stones in pits and stores."""

    @property
    def mover(self) -> int:
        """The seat to move; after the end the one who moved last."""

    @property
    def turn(self) -> int:
        """Number of the turn, from 1."""

    @property
    def termination(self) -> str:
        """Why the game is over; empty while it goes on."""


P = TypeVar("P", bound=SowingPosition)


@dataclass(frozen=True, slots=True)
class SowingView(Generic[P]):
    """A position as a seat sees it; None is a spectator, who sits with South. `half`: each store holds half a stone besides."""

    position: P
    seat: int | None
    moment: Moment = Moment.NOW
    half: bool = False

    @property
    def side(self) -> int:
        """The seat from whose side the board is seen."""
        return self.seat or 0

    @property
    def own(self) -> tuple[int, ...]:
        """All holes counted from the viewer's own pit 1: own pits and store, the other pits and store."""
        holes = self.position.holes
        return holes if self.side == 0 else holes[PITS + 1 :] + holes[: PITS + 1]

    @property
    def stores(self) -> tuple[Fraction, Fraction]:
        """What the own store and the other one hold."""
        half = Fraction(self.half, 2)
        return self.own[PITS] + half, self.own[-1] + half
