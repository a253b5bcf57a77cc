"""What logs must not hold: the tokens of links in letters (L9)."""

from __future__ import annotations

import logging
import re
from typing import Final

TOKEN: Final = re.compile(r"\b[0-9a-f]{32,}\b", re.IGNORECASE)


class Masked(logging.Formatter):
    """Writes long runs of hexadecimal digits as an ellipsis, in the message, in what it names, and in a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The whole entry, masked last."""
        return TOKEN.sub("…", super().format(record))
