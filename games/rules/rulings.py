"""Rulings: how a game ends by the word of a moderator, or of the house where nothing else can end it."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import Final

from games.rules import entry as kinds
from games.rules.position import DRAW, LOSS, WIN, Outcome

SEED_LOST: Final = Outcome("seed_lost", ())
ABANDONED: Final = Outcome("abandoned", ())
WITHOUT_RESULT: Final = {
    "annul": Outcome("annulled", ()),
    kinds.ANNUL_LOST: SEED_LOST,
    kinds.ANNUL_ABANDONED: ABANDONED,
}
"""What the texts come to that leave the game without a result; the last two are the house's."""


def ruled(text: str, seats: int, left: Collection[int], scores: tuple[Fraction, ...]) -> Outcome | None:
    """What a ruling makes of a game: `win SEAT` of one who is still there, `draw` (half a point for each of these), or one
    `WITHOUT_RESULT`. None for any other text."""
    here = [seat for seat in range(seats) if seat not in left]
    if text == "draw":
        return Outcome("adjudication", tuple(DRAW if seat in here else LOSS for seat in range(seats)), scores)
    for winner in here:
        if text == f"win {winner}":
            return Outcome("adjudication", tuple(WIN if seat == winner else LOSS for seat in range(seats)), scores)
    return WITHOUT_RESULT.get(text)
