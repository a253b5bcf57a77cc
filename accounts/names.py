"""Display names: which are allowed, and when two of them look the same."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

SHORTEST: Final = 2
LONGEST: Final = 40

_ADDRESS: Final = re.compile(r"(?i)://|www\.|\b[\w-]+\.(?:[a-z]{2,}|рф)\b|@")
_LOOK_ALIKES: Final = str.maketrans(
    "авекмнорстухіјѕԁԛԝαβεηικνορτυχı01|",
    "abekmhopctyxijsdqwabenikvoptuxiol" + "l",
)
"""Cyrillic, Greek and digits drawn like a Latin letter (Unicode Technical Standard 39, the rows that names meet)."""


def validate_display_name(name: str) -> None:
    """Raises ValidationError for a name that is too short or long, holds an address, or hides or reverses letters."""
    if not SHORTEST <= len(name) <= LONGEST:
        raise ValidationError(_("A name has from 2 to 40 letters."))
    if any(unicodedata.category(letter)[0] in "CZ" and letter != " " for letter in name) or name != " ".join(name.split()):
        raise ValidationError(_("A name holds no invisible letters and no spaces in excess."))
    if not any(letter.isalnum() for letter in name):
        raise ValidationError(_("A name holds at least one letter or digit."))
    if _ADDRESS.search(name):
        raise ValidationError(_("A name is no address of a page or a mailbox."))


def name_key(display_name: str) -> str:
    """What names that look the same have in common."""
    plain = unicodedata.normalize("NFKD", display_name).casefold()
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).translate(_LOOK_ALIKES)
