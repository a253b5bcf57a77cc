"""What Oware programs write to each other: positions as diagrams, moves as letters.

A diagram is `4-4-4-4-4-4-4-4-4-4-4-4-0-0-S`: South's pits A..F, North's a..f, each in the direction of sowing, South's store,
North's store, and the seat to move. A move is the letter of the pit: `A` to `F` of South, `a` to `f` of North.
"""

from __future__ import annotations

from typing import Final

from games.rules.entry import Json
from games.rules.position import BadPosition
from games.rules.sowing import MOVES, PITS, SIDES

NO_MOVE: Final = "0000"
"""The answer where the game is over."""

_LETTERS: Final = ("ABCDEF", "abcdef")


def board_of(diagram: str) -> dict[str, Json]:
    """A diagram with the keys that the rulesets load. Raises BadPosition."""
    *numbers, side = diagram.split("-")
    if side not in SIDES or len(numbers) != 2 * PITS + 2 or not all(_is_number(one) for one in numbers):
        raise BadPosition("a diagram is 14 numbers and S or N, joined by -")
    stones = [int(one) for one in numbers]
    return {
        "south_pits": stones[:PITS],
        "north_pits": stones[PITS : 2 * PITS],
        "south_store": stones[2 * PITS],
        "north_store": stones[2 * PITS + 1],
        "turn": side,
    }


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 2


def ply_of(letter: str) -> str | None:
    """The ply that a letter names, in either case, for it is known who moves; None for other letters."""
    at = _LETTERS[1].find(letter.lower())
    return MOVES[at] if letter and at >= 0 else None


def letter_of(ply: str, seat: int) -> str:
    """The letter of a ply."""
    return _LETTERS[seat][MOVES.index(ply)]
