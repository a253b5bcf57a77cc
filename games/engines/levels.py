"""The six levels of an opponent: how much it looks at, and how it errs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.rules.phrase import Phrase, phrase


@dataclass(frozen=True, slots=True)
class Level:
    """A level by number, from 1.

    It looks at `nodes` positions (of a game whose positions cost 1), at most `depth` plies ahead (0: as far as it gets).
    It errs as people do: its judgement is off by up to `blur` (100: a stone), in `slips` of a thousand moves it overlooks every
    reply, and only in `insight` of a thousand it knows what its game knows exactly.
    """

    number: int
    title: Phrase
    nodes: int
    depth: int
    blur: int
    slips: int
    insight: int


LEVELS: Final = (
    Level(1, phrase("Beginner"), nodes=200, depth=1, blur=300, slips=500, insight=0),
    Level(2, phrase("Casual player"), nodes=300, depth=2, blur=200, slips=300, insight=100),
    Level(3, phrase("Attentive player"), nodes=500, depth=3, blur=100, slips=150, insight=250),
    Level(4, phrase("Experienced player"), nodes=1_000, depth=4, blur=50, slips=60, insight=500),
    Level(5, phrase("Strong player"), nodes=1_500, depth=6, blur=10, slips=10, insight=800),
    Level(6, phrase("As strong as it can be"), nodes=20_000, depth=0, blur=0, slips=0, insight=1_000),
)


def level(number: int) -> Level:
    """The level of a number. Raises ValueError for any other."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"there is no level {number}")
    return LEVELS[number - 1]
