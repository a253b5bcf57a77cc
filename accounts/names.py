"""Display names: which are allowed, and when two of them look the same."""

from __future__ import annotations

import unicodedata


def name_key(display_name: str) -> str:
    """What two look-alike names share: compatibility form, no case."""
    return unicodedata.normalize("NFKC", display_name).casefold()
