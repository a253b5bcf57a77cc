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

CURIOSITY: Final = 0.5
"""How much a move that was seldom tried is tried again."""


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
        """The moves by what the seat may expect of them, per mille; `promising` moves come first."""
        tried = dict.fromkeys(moves, 0)
        won: dict[str, list[float]] = {move: [] for move in moves}
        try:
            while True:
                move = self._next(tried, won, seat)
                shares = self._playout(self.world(self.random), move)
                tried[move] += 1
                if shares:
                    won[move] = [sum(pair) for pair in zip(won[move] or [0.0] * len(shares), shares, strict=True)]
        except Spent:
            pass

        def average(move: str) -> list[float]:
            return [one / tried[move] for one in won[move]] if tried[move] else []

        # What was tried most is best: an average of few games is luck.
        order = sorted(moves, key=lambda move: (-tried[move], -sum(average(move)[seat : seat + 1])))
        ranked = tuple(Ranked(move, round(sum(average(move)[seat : seat + 1])), (move,)) for move in order)
        return Ranking(ranked, tuple(map(round, average(order[0]))), 1, self.meter.nodes, exact=False)

    def _next(self, tried: dict[str, int], won: dict[str, list[float]], seat: int) -> str:
        total = sum(tried.values())

        def hope(move: str) -> float:
            if not tried[move]:
                return float(CERTAIN * 10)
            return sum(won[move][seat : seat + 1]) / tried[move] + CERTAIN * CURIOSITY * sqrt(log(total) / tried[move])

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
            return self._guessing.reply(position, self.random)
        return self.random.choice(list(self.evaluation.promising(position)))
