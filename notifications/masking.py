"""Masking: what logs, error reports and the desk must not hold, the tokens of links in letters (L9)."""

from __future__ import annotations

import re
from typing import Final

TOKEN: Final = re.compile(r"[0-9a-f]{24,}", re.IGNORECASE)
"""A token, also one that a mail program cut short, or put other letters around."""


def masked(text: str) -> str:
    """The text with an ellipsis for each long run of hexadecimal digits."""
    return TOKEN.sub("…", text)
