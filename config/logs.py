"""What logs and error reports must not hold: the tokens of links in letters (L9)."""

from __future__ import annotations

import logging
import re
from typing import Final

from django.utils.safestring import SafeString
from django.views.debug import ExceptionReporter

TOKEN: Final = re.compile(r"\b[0-9a-f]{24,}\b", re.IGNORECASE)
"""A token, also one that a mail program cut short."""


def masked(text: str) -> str:
    """The text with an ellipsis for each long run of hexadecimal digits."""
    return TOKEN.sub("…", text)


class Masked(logging.Formatter):
    """Masks an entry: the message, what it names, and a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The whole entry, masked last."""
        return masked(super().format(record))


class Masking(logging.Filter):
    """Masks the message of a logger whose handlers are somebody else's."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Lets everything pass, with its words put together already."""
        record.msg, record.args = masked(record.getMessage()), ()
        return True


class MaskedReporter(ExceptionReporter):
    """Django's report of an error, with its addresses, headers and local variables masked."""

    def get_traceback_html(self) -> SafeString:
        """The report as a page."""
        return SafeString(masked(super().get_traceback_html()))

    def get_traceback_text(self) -> SafeString:
        """The report as text, as a letter brings it."""
        return SafeString(masked(super().get_traceback_text()))
