"""A letter as MIME: written once, sent as it is however often that takes."""

from __future__ import annotations

from email.message import Message
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend

from notifications.sources import Rendered


def domain() -> str:
    """The domain that our message and list ids end in."""
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def one_line(text: str) -> str:
    """The text without line ends, invisible and reversing letters: what a header or a name may hold."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def write(rendered: Rendered, *, recipient: str, message_id: str) -> bytes:
    """The whole message. Auto-Submitted keeps out-of-office programs quiet (RFC 3834)."""
    message = EmailMultiAlternatives(
        # What looks like an encoded word would be decoded into whatever its writer liked.
        subject=one_line(rendered.subject).replace("=?", "= ?"),
        body=rendered.text,
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[recipient],
        headers={"Message-ID": message_id, "Auto-Submitted": "auto-generated", **rendered.headers},
    )
    if rendered.html:
        message.attach_alternative(rendered.html, "text/html")
    return bytes(message.message().as_bytes())


class Verbatim(Message):
    """A message of which only its bytes matter."""

    def __init__(self, mime: bytes) -> None:
        super().__init__()
        self._mime = mime

    def as_bytes(self, unixfrom: bool = False, policy: Any = None, linesep: str = "\n") -> bytes:
        """The bytes with the line ends that the mail backend wants."""
        return self._mime.replace(b"\r\n", b"\n").replace(b"\n", linesep.encode())


class StoredMessage(EmailMessage):
    """A message written before, in the shape that Django's mail backends send."""

    def __init__(self, mime: bytes, *, recipient: str, connection: BaseEmailBackend) -> None:
        super().__init__(from_email=settings.DEFAULT_FROM_EMAIL, to=[recipient], connection=connection)
        self._mime = mime

    def message(self, **_: Any) -> Verbatim:  # type: ignore[override]
        """What the backend puts on the wire."""
        return Verbatim(self._mime)
