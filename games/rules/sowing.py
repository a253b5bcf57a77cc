"""What sowing games share: pits and stores, the names of places, and reading a pit number."""

from __future__ import annotations

from typing import Final

from games.rules.phrase import Phrase, phrase
from games.rules.position import IllegalMove, InvalidNotation

PITS: Final = 6
SIDES: Final = ("S", "N")
SEAT_TITLES: Final = (phrase("South"), phrase("North"))
STONES: Final = 48

MOVES: Final = {str(number): number for number in range(1, PITS + 1)}
"""Canonical move texts: the pits from the mover's own left."""


def pit_place(seat: int, pit: int) -> str:
    """The name of a pit as a place: `S1` is South's leftmost, from South's own side."""
    return f"{SIDES[seat]}{pit}"


def store_place(seat: int) -> str:
    """The name of a store as a place."""
    return f"store {SIDES[seat]}"


def read_pit(text: str) -> int:
    """The pit 1..6 that a text names. Raises InvalidNotation."""
    pit = MOVES.get(text.strip())
    if pit is None:
        raise InvalidNotation(phrase("“%(move)s” is not a pit: write a number from 1 to 6.", move=text.strip()[:20]))
    return pit


def empty_pit(pit: int) -> IllegalMove:
    """The refusal of a pit without stones."""
    return IllegalMove(phrase("Pit %(pit)s is empty.", pit=pit))


def game_over() -> IllegalMove:
    """The refusal of any move after the end."""
    return IllegalMove(phrase("The game is over."))


def joined(names: tuple[Phrase, ...], separator: str = " ") -> Phrase:
    """Several phrases as one, in order."""
    params = {f"part{index}": name for index, name in enumerate(names)}
    return Phrase(separator.join(f"%({name})s" for name in params), params)
