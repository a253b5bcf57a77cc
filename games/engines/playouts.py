"""Where things are hidden, chance decides, or many play: worlds that agree with what is known are played on to their end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from random import Random
from typing import Any, Final, Generic, TypeVar

from games.engines.budget import Budget, Meter, Spent
from games.engines.finding import CERTAIN, points_at_the_end
from games.engines.ranking import Ranked, Ranking
from games.rules.evaluation import Evaluation, Guessing
from games.rules.position import CHANCE
from games.rules.ruleset import Ruleset

P = TypeVar("P")

CURIOSITY: Final = 0.3
"""How much a move that was seldom tried is tried again."""

DOUBT: Final = 2.5
"""So many standard errors better a move must be than the one that looked best at first."""

SPREAD: Final = 300.0
"""How far games usually are from their average, per mille: what few games could not tell."""


class _Tried:
    """The games that went on with a move."""

    __slots__ = ("_squares", "_sums", "games", "mean")

    def __init__(self) -> None:
        self.games = 0
        self.mean = 0.0
        self._squares = 0.0
        self._sums: list[float] = []

    def add(self, shares: Sequence[float], seat: int) -> None:
        """One more; without shares it came to no end, and is worth nothing."""
        self.games += 1
        if shares:
            self._sums = [one + other for one, other in zip(self._sums or [0.0] * len(shares), shares, strict=True)]
        before, own = self.mean, shares[seat] if shares else 0.0
        self.mean += (own - before) / self.games
        self._squares += (own - before) * (own - self.mean)

    @property
    def error(self) -> float:
        """The square of the standard error of the mean."""
        return (self._squares + SPREAD**2) / self.games**2 if self.games else SPREAD**2

    @property
    def shares(self) -> tuple[int, ...]:
        """What each seat got on average; nothing where no game came to an end."""
        return tuple(round(one / self.games) for one in self._sums)


class Playouts(Generic[P]):
    """The search of one position: `world` draws a whole position that agrees with what the seat knows."""

    def __init__(
        self,
        ruleset: Ruleset[P, Any],
        evaluation: Evaluation[P],
        world: Callable[[Random], P],
        budget: Budget,
        random: Random,
    ) -> None:
        self.ruleset, self.evaluation, self.world, self.random = ruleset, evaluation, world, random
        self.meter = Meter(budget, evaluation.cost)
        self._guessing = evaluation if isinstance(evaluation, Guessing) else None

    def rank(self, moves: Sequence[str], seat: int) -> Ranking:
        """The moves by what the seat may expect of them, per mille. The first of `moves` comes first unless another is better
        beyond doubt."""
        tried = {move: _Tried() for move in moves}
        try:
            while True:
                one = self._next(tried)
                shares = self._playout(self.world(self.random), one)
                tried[one].add(shares, seat)
        except Spent:
            pass
        first = tried[moves[0]]

        def lead(move: str) -> float:
            one = tried[move]
            return one.mean - first.mean - DOUBT * sqrt(one.error + first.error) if one.games and move != moves[0] else 0.0

        order = sorted(moves, key=lambda move: -lead(move))
        ranked = tuple(Ranked(move, round(tried[move].mean), (move,)) for move in order)
        return Ranking(ranked, tried[order[0]].shares, 1, self.meter.nodes, exact=False)

    def _next(self, tried: dict[str, _Tried]) -> str:
        total = sum(one.games for one in tried.values())

        def hope(move: str) -> float:
            one = tried[move]
            return one.mean + CERTAIN * CURIOSITY * sqrt(log(total) / one.games) if one.games else float(CERTAIN * 10)

        return max(tried, key=hope)

    def _playout(self, position: P, move: str) -> Sequence[float]:
        """What each seat got in a game that went on with this move; nothing where it did not end in time."""
        self.meter.count()
        position = self.ruleset.play(position, move)
        horizon = self._guessing.horizon if self._guessing else Guessing.horizon
        for _ply in range(horizon):
            decides = self.ruleset.to_move(position)
            if decides is None:
                return [float(points * CERTAIN) for points in points_at_the_end(self.ruleset, position)]
            self.meter.count()
            position = self.ruleset.play(position, self._drawn(position) if decides == CHANCE else self._reply(position))
        return self._guessing.hopes(position) if self._guessing is not None else ()

    def _drawn(self, position: P) -> str:
        outcomes, weights = zip(*self.ruleset.chance(position), strict=True)
        fell: str = self.random.choices(outcomes, weights)[0]
        return fell

    def _reply(self, position: P) -> str:
        if self._guessing is not None:
            return self._guessing.reply(position, self.random, self._guessing.blur)
        return self.random.choice(list(self.evaluation.promising(position)))
