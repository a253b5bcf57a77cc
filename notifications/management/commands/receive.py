"""`manage.py receive`: takes one message that came to a return path, from a mail server's pipe."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from notifications.inbound import receiving

logger = logging.getLogger(__name__)

ENOUGH: Final = 1 << 20
"""So many bytes of a message are read. A report begins with what it says; what it returns is at its end."""


class Command(BaseCommand):
    """Exits as sysexits.h says: 0 taken or ignored, 69 not accepted here, 75 to be tried again."""

    help = "Reads one message from standard input that came to a return path, as Postfix's pipe(8) hands it over."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The addresses to which it came, as the mail server knows them."""
        parser.add_argument("recipients", nargs="*", metavar="RECIPIENT")

    def handle(self, *args: Any, recipients: list[str], **given: Any) -> None:
        """Raises CommandError with the exit code."""
        message = sys.stdin.buffer.read(ENOUGH)
        # A mail server whose pipe closes early takes that for a failure.
        while sys.stdin.buffer.read(ENOUGH):
            pass
        try:
            outcome = receiving.receive(message, recipients)
        except Exception as problem:
            logger.exception("a message could not be taken")
            raise CommandError("it could not be taken, please try again", returncode=receiving.TEMPORARY) from problem
        if outcome.code != receiving.OK:
            raise CommandError(outcome.words, returncode=outcome.code)
        self.stdout.write(outcome.words)
