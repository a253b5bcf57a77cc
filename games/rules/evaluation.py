"""What a game knows about its own positions: values and promising moves for search, and what more it can do for it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from games.rules.phrase import Phrase
from games.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from random import Random

P = TypeVar("P")

WON: Final = 100_000
"""The value of a game that is won now. A win further away is worth less by the plies to it; a lost game is the negative."""

FURTHEST: Final = 2_000
"""So many plies away a win may be: a value within this distance of WON means a win, never a large advantage."""


class Evaluation(Generic[P]):
    """What is known of the positions of one ruleset, for search: a folder's `evaluation.py` holds EVALUATION, an instance.

    As it stands it knows nothing: every position that is not over is worth 0. Values are whole numbers for one seat.
    """

    unit: ClassVar[Phrase | None] = None
    """What 100 of `value` are to a person ("stones"); None where there is no unit."""

    nodes: ClassVar[tuple[int, ...]] = (200, 400, 700, 1_200, 2_000, 40_000)
    """How many positions an opponent of each level may look at; those of all but the last take up to 30 ms."""

    cost: ClassVar[int] = 1
    """For how many of these one position counts that search comes to."""

    def __init__(self, ruleset: Ruleset[P, Any]) -> None:
        self.ruleset = ruleset

    def value(self, position: P, seat: int) -> int:
        """What a position that is not over is worth to a seat, without looking ahead."""
        return 0

    def promising(self, position: P) -> Iterable[str]:
        """The moves worth looking at, the best first; never none where one is legal."""
        return self.ruleset.legal_moves(position)

    def key(self, position: P) -> Hashable:
        """What tells positions apart for search: equal keys have equal values and the same moves."""
        return position


@dataclass(frozen=True, slots=True)
class Solved:
    """The exact value of a position for the seat that decides, and a best line from it, as far as it is known.

    The value is WON or −WON, as if the end were here, where only the winner is known.
    """

    value: int
    best: tuple[str, ...]


class Solving(Evaluation[P]):
    """A game that can tell the truth about positions of its own."""

    @abstractmethod
    def solve(self, position: P, nodes: int, expired: Callable[[], bool]) -> Solved | None:
        """The truth about a position that is not over; None where it does not come out within `nodes`, or before `expired`."""


class Sowing(Evaluation[P]):
    """A sowing game that the fast core knows."""

    @abstractmethod
    def variant(self, position: P) -> int:
        """By which of the core's rules the position is played."""

    @abstractmethod
    def holes(self, position: P) -> tuple[int, ...]:
        """Stones as in `sowing.PLACES`."""


class Guessing(Evaluation[P]):
    """A game of luck, of hidden things or of many, of which one knows how sensible players go on."""

    horizon: ClassVar[int] = 200
    """So many plies, chance included, a guess at the rest of the game plays on before `hopes` ends it."""

    @abstractmethod
    def reply(self, position: P, random: Random) -> str:
        """A sensible move of the seat that decides, by what that seat may know."""

    @abstractmethod
    def hopes(self, position: P) -> tuple[int, ...]:
        """What each seat may expect of a position that is not over, per mille of the points that the game gives."""
