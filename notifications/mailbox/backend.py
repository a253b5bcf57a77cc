"""A mail backend that keeps every message as a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone


class MailboxBackend(BaseEmailBackend):
    """Writes `<time>-<id>.eml` files into MAILBOX_DIR, from any number of processes; a half-written one is never seen."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """The number of messages kept."""
        folder = Path(settings.MAILBOX_DIR)
        folder.mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            name = f"{timezone.now():%Y%m%dT%H%M%S%f}-{uuid4().hex[:8]}"
            unfinished = folder / f".{name}"
            unfinished.write_bytes(message.message().as_bytes())
            unfinished.rename(folder / f"{name}.eml")
        return len(email_messages)
