"""The six levels of an opponent: how far it looks, and how it errs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.rules.phrase import Phrase, phrase


@dataclass(frozen=True, slots=True)
class Level:
    """A level by number, from 1.

    It looks at as many positions as the game's evaluation says, at most `depth` plies ahead (0: as far as it gets).
    It errs as people do: its judgement is off by up to `blur` (100: a stone), in `slips` of a thousand moves it overlooks every
    reply, and only in `insight` of a thousand it knows what its game knows exactly.
    """

    number: int
    title: Phrase
    depth: int
    blur: int
    slips: int
    insight: int


LEVELS: Final = (
    Level(1, phrase("Beginner"), depth=1, blur=300, slips=500, insight=0),
    Level(2, phrase("Casual player"), depth=2, blur=200, slips=300, insight=100),
    Level(3, phrase("Attentive player"), depth=3, blur=100, slips=150, insight=250),
    Level(4, phrase("Experienced player"), depth=4, blur=50, slips=60, insight=500),
    Level(5, phrase("Strong player"), depth=6, blur=10, slips=10, insight=800),
    Level(6, phrase("As strong as it can be"), depth=0, blur=0, slips=0, insight=1_000),
)


def level(number: int) -> Level:
    """The level of a number. Raises ValueError for any other."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"there is no level {number}")
    return LEVELS[number - 1]
