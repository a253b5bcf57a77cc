"""Alpha-beta for two seats who see everything: iterative deepening, a table of transpositions, the best moves first."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any, Final, Generic, TypeVar

from games.engines.budget import Budget, Meter, Spent
from games.engines.finding import is_decided, points_at_the_end, shares_of
from games.engines.ranking import Ranked, Ranking
from games.rules.evaluation import WON, Evaluation
from games.rules.position import DRAW, WIN
from games.rules.ruleset import Ruleset

P = TypeVar("P")

DEEPEST: Final = 60
"""So many plies are looked ahead at most; further extra moves do not count, up to LONGEST plies in all."""

LONGEST: Final = 2 * DEEPEST
CERTAIN_DEPTH: Final = 1_000
"""The depth of what was seen to the end."""

BEYOND: Final = 10 * WON
REMEMBERED: Final = 200_000
EXACT, AT_LEAST, AT_MOST = 0, 1, 2


class Search(Generic[P]):
    """One search from one position."""

    def __init__(self, ruleset: Ruleset[P, Any], evaluation: Evaluation[P], budget: Budget) -> None:
        self.ruleset, self.evaluation = ruleset, evaluation
        self.meter = Meter(budget, evaluation.cost)
        self._known: dict[Hashable, tuple[int, int, int, str]] = {}
        self._guesses = 0
        """So often a value was taken that is no more than an estimate."""

    def rank(self, position: P, seat: int, *, depth: int = 0, margin: int = 0) -> Ranking:
        """The moves of the seat that decides, looked at so many plies deep (0: until the budget is spent). The values of those
        within `margin` of the best are right."""
        order = [Ranked(move, 0, (move,)) for move in self.evaluation.promising(position)]
        reached, exact = 0, False
        for ahead in range(1, (depth or DEEPEST) + 1):
            guesses = self._guesses
            found: list[Ranked] = []
            try:
                for one in order:
                    floor = max((known.value for known in found), default=-BEYOND) - margin
                    found.append(self._ranked(position, seat, one, ahead, floor))
            except Spent:
                order = _broken_off(found, order[len(found) :], margin)
                break
            order, reached, exact = _sorted(found), ahead, self._guesses == guesses
            if exact or abs(order[0].value) >= WON - ahead:
                exact = True
                break
        best = order[0]
        order[0] = Ranked(best.move, best.value, (best.move, *self._line(self.ruleset.play(position, best.move))))
        return Ranking(tuple(order), shares_of(order[0].value, seat), reached, self.meter.nodes, exact and self.evaluation.whole)

    def _ranked(self, position: P, seat: int, one: Ranked, ahead: int, floor: int) -> Ranked:
        child = self._played(position, one.move)
        value = self._worth(child, seat, ahead, 1, floor, BEYOND)
        return Ranked(one.move, value, (one.move,))

    def _played(self, position: P, move: str) -> P:
        self.meter.count()
        return self.ruleset.play(position, move)

    def _worth(self, child: P, seat: int, ahead: int, ply: int, alpha: int, beta: int) -> int:
        """What a position that `seat` has just made is worth to it. Only a turn that passes to the other seat takes one ply of
        those to look ahead, and changes the sign."""
        decides = self.ruleset.to_move(child)
        if decides == seat:
            return self._value(child, seat, ahead if ply < LONGEST else 0, ply, alpha, beta)
        if decides is None:
            return self._ended(child, seat, ply)
        return -self._value(child, decides, ahead - 1, ply, -beta, -alpha)

    def _ended(self, position: P, seat: int, ply: int) -> int:
        points = points_at_the_end(self.ruleset, position)[seat]
        return 0 if points == DRAW else WON - ply if points == WIN else ply - WON

    def _value(self, position: P, seat: int, ahead: int, ply: int, alpha: int, beta: int) -> int:
        if ahead <= 0:
            self._guesses += 1
            return self.evaluation.value(position, seat)
        key = self.evaluation.key(position)
        known = self._known.get(key)
        first = ""
        if known is not None:
            depth, kind, value, first = known
            value = _from_here(value, ply)
            if depth >= ahead and (kind == EXACT or (kind == AT_LEAST and value >= beta) or (kind == AT_MOST and value <= alpha)):
                self._guesses += depth < CERTAIN_DEPTH
                return value
        guesses, best, choice = self._guesses, -BEYOND, first
        for move in self._ordered(position, first):
            value = self._worth(self._played(position, move), seat, ahead, ply + 1, max(alpha, best), beta)
            if value > best:
                best, choice = value, move
                if best >= beta:
                    break
        kind = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        if len(self._known) < REMEMBERED or key in self._known:
            depth = ahead if self._guesses > guesses else CERTAIN_DEPTH
            self._known[key] = (depth, kind, _as_if_here(best, ply), choice)
        return best

    def _ordered(self, position: P, first: str) -> Iterator[str]:
        if first:
            yield first
        for move in self.evaluation.promising(position):
            if move != first:
                yield move

    def _line(self, position: P) -> tuple[str, ...]:
        line: list[str] = []
        while len(line) < DEEPEST and self.ruleset.to_move(position) is not None:
            known = self._known.get(self.evaluation.key(position))
            if known is None or known[1] != EXACT or not known[3]:
                break
            line.append(known[3])
            position = self.ruleset.play(position, known[3])
        return tuple(line)


def _sorted(moves: list[Ranked]) -> list[Ranked]:
    return sorted(moves, key=lambda one: -one.value)


def _broken_off(found: list[Ranked], others: list[Ranked], margin: int) -> list[Ranked]:
    """Moves that a search saw before its budget was spent, and the others. What these seemed to be worth less deep is no reason
    to prefer them, unless all that was seen loses."""
    most = max((one.value for one in found), default=BEYOND) - margin - 1
    if not (is_decided(most) and most < 0):
        others = [replace(one, value=min(one.value, most)) for one in others]
    return _sorted([*found, *others])


def _as_if_here(value: int, ply: int) -> int:
    return value + (ply if value > 0 else -ply) if is_decided(value) else value


def _from_here(value: int, ply: int) -> int:
    return value - (ply if value > 0 else -ply) if is_decided(value) else value
