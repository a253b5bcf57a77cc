"""Mentions: the name of somebody who leaves is taken out of what people wrote, about whomever they wrote it."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from accounts.append_only import MASK
from accounts.models import Reason, Report

WHOLE: Final = 3
"""Names up to so many letters are found as whole words only: with endings they would be found in half the dictionary."""
_ENDINGS: Final = "aeiouyäöüıâîûаеёиоуыэюяйьαεηιουω"
"""Letters that languages drop or change at the end of a name before they decline it."""


def forget(name: str) -> None:
    """Inside the caller's transaction: masks the name in every reason and report, in whatever case and with the endings that
    languages give to names."""
    for table in (Reason, Report):
        rows = table.objects.select_for_update(no_key=True).exclude(text="").order_by("pk").values_list("pk", "text")
        for pk, text in rows:
            without = masked(name, text)
            if without != text:
                table.objects.filter(pk=pk).update(text=without)


def masked(name: str, text: str) -> str:
    """The text without the name, in whatever case and with whatever ending; one that does not mention it comes back as it is."""
    changed, found = _mention(unicodedata.normalize("NFC", name)).subn(MASK, unicodedata.normalize("NFC", text))
    return changed if found else text


def _mention(name: str) -> re.Pattern[str]:
    words = r"\s+".join(map(_word, name.split()))
    return re.compile(rf"(?<!\w){words}", re.IGNORECASE)


def _word(word: str) -> str:
    if len(word) <= WHOLE:
        return rf"{re.escape(word)}(?!\w)"
    return rf"{re.escape(word[:-1] if word[-1].lower() in _ENDINGS else word)}\w*"
