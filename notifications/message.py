"""A message whose MIME is already written, in the shape that Django's mail backends send."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class StoredMime:
    """Bytes that were rendered once and are never rendered again."""

    def __init__(self, mime: bytes) -> None:
        self._mime = mime

    def as_bytes(self, *, linesep: str = "\n", **_: Any) -> bytes:
        """The message with the line ends that the connection wants."""
        return self._mime.replace(b"\r\n", b"\n").replace(b"\n", linesep.encode())


class StoredMessage(EmailMessage):
    """Sends the same MIME however often."""

    def __init__(self, mime: bytes, recipient: str, connection: BaseEmailBackend) -> None:
        super().__init__(from_email=settings.DEFAULT_FROM_EMAIL, to=[recipient], connection=connection)
        self.mime = mime

    def message(self, **_: Any) -> StoredMime:  # type: ignore[override]
        """What the backend writes to the wire."""
        return StoredMime(self.mime)
