"""Logs and error reports without what they must not hold: the tokens of links in letters (L9)."""

from __future__ import annotations

import logging

from django.utils.safestring import SafeString
from django.views.debug import ExceptionReporter

from notifications.masking import masked


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
