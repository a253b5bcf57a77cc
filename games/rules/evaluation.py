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


@dataclass(frozen=True, slots=True)
class Skill:
    """How far an opponent sees in a game, and how it errs, as people do.

    It looks at `nodes` positions, at most `depth` plies ahead (0: as far as it gets). Its judgement is off by up to `blur`, in
    `slips` of a thousand moves it overlooks every reply, and only in `insight` of a thousand it is told the truth where its game,
    or an endgame table, knows it.
    """

    nodes: int
    depth: int = 0
    blur: int = 0
    slips: int = 0
    insight: int = 1_000


USUAL: Final = (
    Skill(nodes=200, depth=1, blur=300, slips=500, insight=0),
    Skill(nodes=400, depth=2, blur=200, slips=300, insight=200),
    Skill(nodes=700, depth=3, blur=100, slips=150, insight=400),
    Skill(nodes=1_200, depth=4, blur=50, slips=60, insight=600),
    Skill(nodes=2_000, depth=6, blur=10, slips=10, insight=800),
    Skill(nodes=40_000),
)


class Evaluation(Generic[P]):
    """What is known of the positions of one ruleset, for search: a folder's `evaluation.py` holds EVALUATION, an instance.

    As it stands it knows nothing: every position that is not over is worth 0. Values are whole numbers for one seat.
    """

    unit: ClassVar[Phrase | None] = None
    """What 100 of `value` are to a person ("%(amount)s stones", by the count); None where there is no unit."""

    skills: ClassVar[tuple[Skill, ...]] = USUAL
    """What an opponent of each level can, the weakest first; all but the last take up to 30 ms a move."""

    whole: ClassVar[bool] = True
    """Whether `promising` has every move or one as good: only then is what a search saw to the end the truth."""

    unknown: ClassVar[int | None] = 0
    """The value of positions of which nothing is known; None where every value is a judgement."""

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
    """The exact value of a position for the seat that decides, and a best line from it, as far as it is known: where the game is
    lost, one that makes it hardest to win.

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

    unknown: ClassVar[int | None] = None

    @abstractmethod
    def variant(self, position: P) -> int:
        """By which of the core's rules the position is played."""

    @abstractmethod
    def holes(self, position: P) -> tuple[int, ...]:
        """Stones as in `sowing.PLACES`."""

    def earlier(self, position: P) -> tuple[tuple[int, ...], ...]:
        """The `holes` of positions before this one that may come again, the oldest first; the seats took turns in them."""
        return ()


class Guessing(Evaluation[P]):
    """A game of luck, of hidden things or of many, of which one knows how sensible players go on."""

    blur: ClassVar[int] = 0
    """How far the judgement of those is off who play the rest of a game that is guessed at."""

    horizon: ClassVar[int] = 200
    """So many plies, chance included, a guess at the rest of the game plays on before `hopes` ends it."""

    @abstractmethod
    def reply(self, position: P, random: Random, blur: int) -> str:
        """A sensible move of the seat that decides, by what that seat may know, when its judgement is off by up to `blur`."""

    @abstractmethod
    def hopes(self, position: P) -> tuple[int, ...]:
        """What each seat may expect of a position that is not over, per mille of the points that the game gives."""
