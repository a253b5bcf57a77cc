"""Where things are hidden, chance decides, or many play: information set Monte Carlo tree search for the seat that decides.

Source: Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search" (2012), the variant with a single observer. What
the seat cannot tell apart is one node, whatever the world; each game is played in a world that agrees with what is known, and a
move counts as available only where that world has it. So nothing is planned that only who sees the hidden things could do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import isqrt, log, sqrt
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
"""How much a move that was seldom tried is tried again; UCB1 for results from 0 to 1."""

DOUBT: Final = 2.5
"""So many standard errors a move may be worse than it seems. In a game that knows what looks good, it must be so much better than
what looked best at first."""

SPREAD: Final = 300.0
"""How far games usually are from their average, per mille: what few games could not tell."""

FAMILIAR: Final = 4
"""A second move is looked at after so many games, a third after four times as many and so on, in a game that knows what looks
good; for the seat that asks, at once."""

FURTHEST: Final = 30
"""A best line is told for so many plies at most."""


class _Tried:
    """A move at a node: the games that went on with it, and those that could have."""

    __slots__ = ("_squares", "_sums", "available", "games", "mean")

    def __init__(self) -> None:
        self.games = 0
        self.available = 0
        self.mean = 0.0
        self._squares = 0.0
        self._sums: list[float] = []

    def add(self, shares: Sequence[float], seat: int) -> None:
        """One more, by the share of the seat that chose it; without shares the game came to no end, and is worth nothing."""
        self.games += 1
        if shares:
            self._sums = [one + other for one, other in zip(self._sums or [0.0] * len(shares), shares, strict=True)]
        before, own = self.mean, shares[seat] if shares else 0.0
        self.mean += (own - before) / self.games
        self._squares += (own - before) * (own - self.mean)

    @property
    def hope(self) -> float:
        """The upper bound by which a move is chosen, per mille; beyond all others where it was not tried yet."""
        if not self.games:
            return float(CERTAIN * 10)
        return self.mean + CERTAIN * CURIOSITY * sqrt(log(self.available) / self.games)

    @property
    def error(self) -> float:
        """The square of the standard error of the mean."""
        return (self._squares + SPREAD**2) / self.games**2 if self.games else SPREAD**2

    @property
    def surely(self) -> float:
        """The lower bound by which a move is played, per mille: one that caught up late is not passed over for one that was tried
        more often. Below all others where it was not tried."""
        return self.mean - DOUBT * sqrt(self.error) if self.games else -float(CERTAIN * 10)

    @property
    def shares(self) -> tuple[int, ...]:
        """What each seat got on average; nothing where no game came to an end."""
        return tuple(round(one / self.games) for one in self._sums)


class _Node:
    """All positions that the seat which asks cannot tell apart, reached by one way as that seat saw it."""

    __slots__ = ("below", "games", "tried")

    def __init__(self) -> None:
        self.games = 0
        self.tried: dict[str, _Tried] = {}
        self.below: dict[Hashable, _Node] = {}

    def choose(self, moves: Sequence[str]) -> str:
        """The move to try next of those that this world has; they are available once more."""
        self.games += 1
        for move in moves:
            self.tried.setdefault(move, _Tried()).available += 1
        return max(moves, key=lambda move: self.tried[move].hope)

    def favourite(self, moves: Sequence[str]) -> str | None:
        """The one of these moves that was tried most often, if any was."""
        tried = [move for move in moves if move in self.tried and self.tried[move].games]
        return max(tried, key=lambda move: (self.tried[move].games, self.tried[move].mean)) if tried else None


class InformationSets(Generic[P]):
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
        self._depth = 0

    def rank(self, position: P, moves: Sequence[str], seat: int) -> Ranking:
        """The moves by what the seat may expect of them, per mille. Where the game knows what looks good, the first of `moves`
        comes first unless another is better beyond doubt."""
        root = _Node()
        try:
            while True:
                self._play_once(root, moves, seat)
        except Spent:
            pass
        tried = {move: root.tried.get(move) or _Tried() for move in moves}
        order = sorted(moves, key=lambda move: -tried[move].surely)
        if self._guessing is not None:
            order.sort(key=lambda move: -_lead(tried[move], tried[moves[0]]) if move != moves[0] else 0.0)
        ranked = [Ranked(move, round(tried[move].mean), (move,)) for move in order]
        ranked[0] = Ranked(order[0], ranked[0].value, self._line(root, position, order[0], seat))
        return Ranking(tuple(ranked), tried[order[0]].shares, self._depth, self.meter.nodes, exact=False)

    def _play_once(self, root: _Node, moves: Sequence[str], seat: int) -> None:
        """One game in one world: through the tree, one node beyond it, and by sensible replies from there."""
        position, node, grown = self.world(self.random), root, False
        way: list[tuple[_Tried, int]] = []
        shares: Sequence[float] | None = None
        for _ply in range(self._guessing.horizon if self._guessing else Guessing.horizon):
            decides = self.ruleset.to_move(position)
            if decides is None:
                shares = [float(points * CERTAIN) for points in points_at_the_end(self.ruleset, position)]
                break
            if decides == CHANCE:
                move = self._drawn(position)
            elif grown:
                move = self._reply(position)
            else:
                if way:
                    sight = self.ruleset.view(position, seat)
                    grown = sight not in node.below
                    node = node.below.setdefault(sight, _Node())
                move = node.choose(self._looked_at(node, position) if way else moves)
                way.append((node.tried[move], decides))
            self.meter.count()
            position = self.ruleset.play(position, move)
        if shares is None:
            shares = self._guessing.hopes(position) if self._guessing is not None else ()
        for tried, chose in way:
            tried.add(shares, chose)
        self._depth = max(self._depth, len(way))

    def _looked_at(self, node: _Node, position: P) -> Sequence[str]:
        moves = list(self.evaluation.promising(position))
        return moves if self._guessing is None else moves[: 1 + isqrt(node.games // FAMILIAR)]

    def _drawn(self, position: P) -> str:
        outcomes, weights = zip(*self.ruleset.chance(position), strict=True)
        fell: str = self.random.choices(outcomes, weights)[0]
        return fell

    def _reply(self, position: P) -> str:
        if self._guessing is not None:
            return self._guessing.reply(position, self.random, self._guessing.blur)
        return self.random.choice(list(self.evaluation.promising(position)))

    def _line(self, node: _Node, position: P, move: str, seat: int) -> tuple[str, ...]:
        """The moves tried most often from a position on, until chance decides or nothing was tried."""
        line = [move]
        while len(line) < FURTHEST:
            position = self.ruleset.play(position, line[-1])
            if self.ruleset.to_move(position) in (None, CHANCE):
                break
            below = node.below.get(self.ruleset.view(position, seat))
            favourite = below.favourite(list(self.ruleset.legal_moves(position))) if below is not None else None
            if below is None or favourite is None:
                break
            node = below
            line.append(favourite)
        return tuple(line)


def _lead(one: _Tried, first: _Tried) -> float:
    """By how much a move is better than the first one beyond doubt; below nothing: it is not."""
    return one.mean - first.mean - DOUBT * sqrt(one.error + first.error) if one.games else -float(CERTAIN)
