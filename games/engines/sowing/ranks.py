"""Boards by number: which of all boards with so many stones one is."""

from __future__ import annotations

from math import comb
from typing import Final

from games.engines.sowing.compiled import compiled, ints

PITS: Final = 12
MOST: Final = 24
"""Stones on a board of an endgame table at most."""

_SPAN: Final = MOST + PITS
_CHOICES: Final = ints(comb(place, taken + 1) for taken in range(PITS) for place in range(_SPAN))


def boards(stones: int) -> int:
    """How many boards hold exactly so many stones."""
    return comb(stones + PITS - 1, PITS - 1)


def offset(stones: int) -> int:
    """How many boards hold fewer stones: they come first."""
    return comb(stones + PITS - 1, PITS)


@compiled
def rank(own: int, other: int, stones: int) -> int:
    """The number of a board among those with at most `MOST` stones; those with fewer stones come first."""
    number = _CHOICES[11 * 36 + stones + 11] if stones > 0 else 0
    place = 0
    for pit in range(6):
        place += own >> 8 * pit & 255
        number += _CHOICES[pit * 36 + place]
        place += 1
    for pit in range(5):
        place += other >> 8 * pit & 255
        number += _CHOICES[(pit + 6) * 36 + place]
        place += 1
    return number
