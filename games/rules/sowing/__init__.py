"""What sowing games share: pits and stores, the names of places, and reading a pit number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.rules.phrase import phrase
from games.rules.position import IllegalMove, InvalidNotation

PITS: Final = 6
SIDES: Final = ("S", "N")
SEAT_TITLES: Final = (phrase("South"), phrase("North"))
STONES: Final = 48
MAJORITY: Final = STONES // 2 + 1

MOVES: Final = tuple(str(pit) for pit in range(1, PITS + 1))
"""Canonical move texts: the pits from the mover's own left."""

PLACES: Final = tuple(name for side in SIDES for name in (*(f"{side}{pit}" for pit in MOVES), f"store {side}"))
"""The names of the 14 holes, in the order of a position: South's pits 1..6, South's store, then North's."""

STORES: Final = (PITS, 2 * PITS + 1)
"""Where the two stores stand in that order."""


def pit_place(seat: int, pit: int) -> str:
    """The name of a pit as a place: `S1` is South's leftmost, from South's own side."""
    return PLACES[7 * seat + pit - 1]


def store_place(seat: int) -> str:
    """The name of a store as a place."""
    return PLACES[STORES[seat]]


def laps(track: Sequence[int], origin: int) -> tuple[int, ...]:
    """The holes met when going round a track from `origin`, itself first, one for each stone that a game has."""
    begin = track.index(origin)
    return tuple(track[(begin + step) % len(track)] for step in range(STONES + 1))


def read_pit(text: str) -> str:
    """The canonical text of the pit that a text names. Raises InvalidNotation."""
    pit = text.strip()
    if not pit:
        raise InvalidNotation(phrase("A pit is missing: write a number from 1 to 6, or several as in 4-6."))
    if pit not in MOVES:
        raise InvalidNotation(phrase("“%(move)s” is not a pit: write a number from 1 to 6.", move=pit[:20]))
    return pit


def empty_pit(pit: str) -> IllegalMove:
    """The refusal of a pit without stones."""
    return IllegalMove(phrase("Pit %(pit)s is empty.", pit=pit.strip()))


def game_over() -> IllegalMove:
    """The refusal of any move after the end."""
    return IllegalMove(phrase("The game is over."))
