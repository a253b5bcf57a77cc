"""The six levels of an opponent. What they mean in a game says its `Evaluation.skills`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.rules.phrase import Phrase, phrase


@dataclass(frozen=True, slots=True)
class Level:
    """A level by number, from 1."""

    number: int
    title: Phrase


LEVELS: Final = (
    Level(1, phrase("Beginner")),
    Level(2, phrase("Casual player")),
    Level(3, phrase("Attentive player")),
    Level(4, phrase("Experienced player")),
    Level(5, phrase("Strong player")),
    Level(6, phrase("As strong as it can be")),
)


def level(number: int) -> Level:
    """The level of a number. Raises ValueError for any other."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"there is no level {number}")
    return LEVELS[number - 1]
