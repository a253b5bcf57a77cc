"""Who wins Sprouts: by the nimbers of lands where the last line wins, by looking at every line where it loses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from operator import xor
from typing import Final

from games.rules.catalogue.sprouts.lands import Land, Lands, after

ASKED_EVERY: Final = 20


class Unsolved(Exception):
    """The truth did not come out within the nodes or the time."""


class Truth:
    """What is known of lands. Its memory lasts as long as it does; `nodes` lines may be tried."""

    def __init__(self, nodes: int, expired: Callable[[], bool]) -> None:
        self._left, self._expired = nodes, expired
        self._next = ASKED_EVERY
        self.tried = 0
        self._nimbers: dict[Land, int] = {}
        self._least: dict[Land, int] = {}
        """For lands of which no nimber is known yet: a number that it is not below."""
        self._after: dict[Land, tuple[Lands, ...]] = {}
        self._misere: dict[Lands, bool] = {}

    def wins(self, lands: Lands, *, misere: bool) -> bool:
        """Whether the seat that draws next wins. Raises Unsolved."""
        return self._wins_misere(lands) if misere else not self._has(lands, 0)

    def nimber(self, land: Land) -> int:
        """The nimber of a land where the last line wins. Raises Unsolved."""
        value = 0
        while not self._is(land, value):
            value += 1
        return value

    def _is(self, land: Land, value: int) -> bool:
        """Whether the nimber is this: all below it are asked first."""
        known = self._nimbers.get(land)
        if known is not None:
            return known == value
        low = self._least.get(land, 0)
        while low <= value:
            if not self._reaches(land, low):
                self._nimbers[land] = low
                return low == value
            low += 1
            self._least[land] = low
        return False

    def _reaches(self, land: Land, value: int) -> bool:
        """Whether a line makes lands of this nimber: those are asked first that are known already."""
        unknown = []
        for lands in self._children(land):
            known = self._knows(lands, value)
            if known:
                return True
            if known is None:
                unknown.append(lands)
        return any(self._has(lands, value) for lands in unknown)

    def _knows(self, lands: Lands, value: int) -> bool | None:
        """Whether lands have this nimber together, as far as that is known."""
        open_land = None
        for land in lands:
            known = self._nimbers.get(land)
            if known is not None:
                value ^= known
            elif open_land is not None:
                return None
            else:
                open_land = land
        if open_land is None:
            return value == 0
        return False if self._least.get(open_land, 0) > value else None

    def _has(self, lands: Lands, value: int) -> bool:
        """Whether the lands have this nimber together: the largest is only asked whether it has the rest of it."""
        if not lands:
            return value == 0
        ordered = sorted(lands, key=weight)
        rest = reduce(xor, map(self.nimber, ordered[:-1]), value)
        return self._is(ordered[-1], rest)

    def _children(self, land: Land) -> tuple[Lands, ...]:
        found = self._after.get(land)
        if found is None:
            found = tuple(sorted({*self._tried(land)}, key=lambda lands: (sum(map(weight, lands)), lands)))
            self._after[land] = found
        return found

    def _wins_misere(self, lands: Lands) -> bool:
        if not lands:
            return True
        known = self._misere.get(lands)
        if known is None:
            made = {
                tuple(sorted((*lands[:at], *lands[at + 1 :], *child)))
                for at, land in enumerate(lands)
                if not at or land != lands[at - 1]
                for child in self._children(land)
            }
            known = any(not self._wins_misere(one) for one in sorted(made, key=lambda one: (sum(map(weight, one)), one)))
            self._misere[lands] = known
        return known

    def _tried(self, land: Land) -> Iterator[Lands]:
        for lands in after(land):
            if self.tried >= self._left:
                raise Unsolved
            self.tried += 1
            if self.tried >= self._next:
                self._next += ASKED_EVERY
                if self._expired():
                    raise Unsolved
            yield lands


def weight(land: Land) -> int:
    """How much there is in a land: the spots that are met, and of as much rather many regions."""
    return 10 * sum(len(walk) for region in land for walk in region) - len(land)
