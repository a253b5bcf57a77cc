"""Colours in words, by letter. Each form that a sentence needs is a phrase of its own: in Russian colours agree with the drop."""

from __future__ import annotations

from typing import Final

from games.rules.catalogue.rainbow.play import COLOURS
from games.rules.phrase import Phrase, phrase, phrases

COLOUR_NAMES: Final = {
    "R": phrase("red"),
    "O": phrase("orange"),
    "Y": phrase("yellow"),
    "G": phrase("green"),
    "C": phrase("light blue"),
    "B": phrase("blue"),
    "V": phrase("violet"),
}
A_DROP: Final = {
    "R": phrase("a red drop"),
    "O": phrase("an orange drop"),
    "Y": phrase("a yellow drop"),
    "G": phrase("a green drop"),
    "C": phrase("a light blue drop"),
    "B": phrase("a blue drop"),
    "V": phrase("a violet drop"),
    "": phrase("a drop"),
}
"""What somebody sends, offers, gives or draws, the object of its sentence; under "" a drop whose colour is not to be told."""

DROP_OF: Final = {
    "R": phrase("red drop"),
    "O": phrase("orange drop"),
    "Y": phrase("yellow drop"),
    "G": phrase("green drop"),
    "C": phrase("light blue drop"),
    "B": phrase("blue drop"),
    "V": phrase("violet drop"),
    "": phrase("drop"),
}
"""The same after “your” and “the”, as what somebody takes or refuses."""

THREE_DROPS: Final = {
    "R": phrase("three red drops"),
    "O": phrase("three orange drops"),
    "Y": phrase("three yellow drops"),
    "G": phrase("three green drops"),
    "C": phrase("three light blue drops"),
    "B": phrase("three blue drops"),
    "V": phrase("three violet drops"),
    "": phrase("three drops"),
}
"""What somebody pours."""


def counted(drops: str) -> Phrase:
    """Drops by colour with their numbers, for use within a sentence: `2 red, 1 green`; a dash for none."""
    return listed([_so_many(colour, drops.count(colour)) for colour in COLOURS if colour in drops])


def listed(words: list[Phrase]) -> Phrase:
    """Words with commas between them; a dash for none."""
    if not words:
        return phrase("–")
    if len(words) == 1:
        return words[0]
    return phrase("%(one)s, %(others)s", one=words[0], others=listed(words[1:]))


def _so_many(colour: str, count: int) -> Phrase:
    return {
        "R": phrases("%(count)s red", "%(count)s red", count),
        "O": phrases("%(count)s orange", "%(count)s orange", count),
        "Y": phrases("%(count)s yellow", "%(count)s yellow", count),
        "G": phrases("%(count)s green", "%(count)s green", count),
        "C": phrases("%(count)s light blue", "%(count)s light blue", count),
        "B": phrases("%(count)s blue", "%(count)s blue", count),
        "V": phrases("%(count)s violet", "%(count)s violet", count),
    }[colour]
