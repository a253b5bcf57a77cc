"""Display names: which are allowed, and when two of them look the same."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

SHORTEST: Final = 2
LONGEST: Final = 40
LONGEST_KEY: Final = 160
"""Compatibility characters may stand for a whole phrase; of their key so much is kept."""

_ADDRESS: Final = re.compile(r"://|@|=\?|\bwww\.|\w\.[^\W\d_]{2,}", re.IGNORECASE)
"""Addresses of pages and mailboxes, and the beginning of an encoded word in a mail header."""
_BLANK: Final = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f]")
"""Letters, marks and signs that draw nothing."""
_PILED: Final = 3
"""So many accents over one letter run into the lines above and below."""

_ALPHABETS: Final = {
    "ARABIC", "ARMENIAN", "BENGALI", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN", "GREEK", "GUJARATI", "GURMUKHI", "HEBREW",
    "KANNADA", "KHMER", "LAO", "LATIN", "MALAYALAM", "MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAANA", "THAI",
    "TIBETAN",
}  # fmt: skip
_TOGETHER: Final = {"BOPOMOFO", "CJK", "HALFWIDTH", "HANGUL", "HIRAGANA", "IDEOGRAPHIC", "KATAKANA", "KATAKANA-HIRAGANA"}
"""The recommended scripts of Unicode Standard Annex 31, table 5: those that are written alone, and those of East Asia that
meet in one word. Others are too rare for their look-alikes to be known."""
_PHONETIC: Final = re.compile("[\u0250-\u0258\u025a-\u02af\u1d00-\u1dbf\ua720-\ua7ff\uab30-\uab6f]")
"""Letters of phonetic alphabets and of medieval scribes; ə, which Azerbaijani writes, is not among them."""
_SHAPES: Final = str.maketrans("ΗΜΝΥ", "HMNY")
"""Greek capitals that are drawn like other letters than their small ones."""
_SEVERAL: Final = (("rn", "m"), ("vv", "w"))
_ALIKE: Final = {
    "a": "аα", "b": "вьβ", "c": "с", "d": "ԁđ", "e": "еε", "h": "нһ", "j": "ј", "k": "кκ", "l": "i1ıіӏιł|", "m": "мμ",
    "n": "пη", "o": "0оοσøө", "p": "рρ", "q": "ԛ", "r": "г", "s": "ѕ", "t": "тτ", "u": "υ", "v": "ѵν", "w": "ԝω",
    "x": "хχ", "y": "уүγ", "z": "ζ", "3": "з",
}  # fmt: skip
_LOOK_ALIKES: Final = str.maketrans({one: latin for latin, others in _ALIKE.items() for one in others})
"""Small letters by the Latin letter that they are drawn like, themselves or as capitals: after confusables.txt of Unicode
Technical Standard 39, for the alphabets whose letters meet in names; capital I and small l make i and l one."""


def validate_display_name(name: str) -> None:
    """Raises ValidationError for a name that is too short or long, holds an address, hides or reverses letters, piles up
    accents, mixes alphabets in one word, or is of signs only. The composed form (NFC) is what counts."""
    name = unicodedata.normalize("NFC", name)
    if not SHORTEST <= len(name) <= LONGEST:
        raise ValidationError(_("A name has from 2 to 40 letters."))
    hides = any(unicodedata.category(letter)[0] in "CZ" and letter != " " for letter in name) or _BLANK.search(name)
    if hides or name != " ".join(name.split()):
        raise ValidationError(_("A name holds no invisible letters and no spaces in excess."))
    if not any(letter.isalnum() for letter in name) or not name_key(name):
        raise ValidationError(_("A name holds at least one letter or digit."))
    if _ADDRESS.search(unicodedata.normalize("NFKC", name)):
        raise ValidationError(_("A name is no address of a page or a mailbox."))
    if _piles(name) or _PHONETIC.search(name) or any(_mixes(word) for word in name.split()):
        raise ValidationError(_("A word of a name is written in one alphabet, with at most two accents on a letter."))


def name_key(display_name: str) -> str:
    """What names that look the same have in common: letters and digits without case, accents, signs and spaces."""
    words = (word.translate(_SHAPES) if word.isupper() else word for word in display_name.split())
    plain = unicodedata.normalize("NFKD", " ".join(words)).casefold()
    key = "".join(filter(_counts, plain.translate(_LOOK_ALIKES)))
    for drawn, alike in _SEVERAL:
        key = key.replace(drawn, alike)
    return key[:LONGEST_KEY]


def _counts(letter: str) -> bool:
    return not unicodedata.combining(letter) and unicodedata.category(letter)[0] not in "PSZ"


def _mixes(word: str) -> bool:
    """Whether a word is of several alphabets, or of one whose look-alikes nobody knows."""
    alphabets = {unicodedata.name(letter, "").split(" ")[0] for letter in word if letter.isalpha()}
    return not (alphabets <= _TOGETHER or (len(alphabets) == 1 and alphabets <= _ALPHABETS))


def _piles(name: str) -> bool:
    marks = 0
    for letter in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks == _PILED:
            return True
    return False
