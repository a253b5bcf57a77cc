"""How much a search may look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

ASKED_EVERY: Final = 100
"""So many nodes are looked at between two questions whether the time is over."""


def never() -> bool:
    """The time is never over."""
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """At most `nodes` positions (at least 1), and nothing after `expired` says so; it is asked about every hundred nodes."""

    nodes: int
    expired: Callable[[], bool] = never


class Spent(Exception):
    """The budget is used up."""


class Meter:
    """Counts the nodes of one search: each position counts for `cost` of them."""

    __slots__ = ("_cost", "_expired", "_left", "_next", "nodes")

    def __init__(self, budget: Budget, cost: int = 1) -> None:
        self.nodes = 0
        self._left, self._expired, self._cost = budget.nodes, budget.expired, cost
        self._next = ASKED_EVERY

    def count(self) -> None:
        """One more position is going to be looked at. Raises Spent."""
        if self.nodes + self._cost > self._left:
            raise Spent
        if self.nodes >= self._next:
            self._next += ASKED_EVERY
            if self._expired():
                raise Spent
        self.nodes += self._cost
