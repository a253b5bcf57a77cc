"""Chance: the rules name outcomes and weights, the house draws."""

from __future__ import annotations

from collections.abc import Sequence
from secrets import randbelow
from typing import TypeVar

T = TypeVar("T")


def draw(outcomes: Sequence[tuple[str, int]]) -> str:
    """One of the outcomes, each as likely as its weight says. Raises ValueError when there is none."""
    ticket = randbelow(sum(weight for _, weight in outcomes))
    for outcome, weight in outcomes:
        ticket -= weight
        if ticket < 0:
            return outcome
    raise ValueError("no outcome has a weight")


def lot(things: Sequence[T]) -> list[T]:
    """The things in an order that the lot decides (Fisher and Yates)."""
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        other = randbelow(last + 1)
        order[last], order[other] = order[other], order[last]
    return order
