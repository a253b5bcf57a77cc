"""A letter as MIME: written once, sent as it is however often that takes."""

from __future__ import annotations

from collections.abc import Sequence
from email.message import Message
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend

from notifications.dress import dressed
from notifications.sources import Picture, Rendered


def domain() -> str:
    """The domain that our message and list ids end in."""
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def one_line(text: str) -> str:
    """The text without line ends, invisible and reversing letters: what a header or a name may hold."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def write(rendered: Rendered, *, recipient: str, message_id: str) -> bytes:
    """The whole message: text or HTML, this with its pictures, and the attachments. Auto-Submitted keeps out-of-office
    programs quiet (RFC 3834)."""
    message = EmailMultiAlternatives(
        # What looks like an encoded word would be decoded into whatever its writer liked.
        subject=one_line(rendered.subject).replace("=?", "= ?"),
        body=rendered.text,
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[recipient],
        headers={"Message-ID": message_id, "Auto-Submitted": "auto-generated", **rendered.headers},
    )
    if rendered.html:
        message.attach_alternative(dressed(rendered.html), "text/html")
    for file in rendered.attachments:
        message.attach(file.name, file.content, file.mime_type)
    whole = message.message()
    if rendered.pictures:
        _bring(rendered.pictures, whole)
    return bytes(whole.as_bytes())


def _bring(pictures: Sequence[Picture], whole: Message) -> None:
    """Puts the pictures beside the HTML that shows them (RFC 2387)."""
    alternatives: Any = next(part for part in whole.walk() if part.get_content_subtype() == "alternative")
    related = MIMEMultipart("related", type="text/html")
    [*_, html] = alternatives.get_payload()
    alternatives.get_payload()[-1] = related
    related.attach(html)
    for picture in pictures:
        image = MIMEImage(picture.png, "png")
        image["Content-ID"] = f"<{picture.content_id}>"
        image.add_header("Content-Disposition", "inline", filename=f"{picture.content_id.partition('@')[0]}.png")
        related.attach(image)


class Verbatim(Message):
    """A message of which only its bytes matter."""

    def __init__(self, mime: bytes) -> None:
        super().__init__()
        self._mime = mime

    def as_bytes(self, unixfrom: bool = False, policy: Any = None, linesep: str = "\n") -> bytes:
        """The bytes with the line ends that the mail backend wants."""
        return self._mime.replace(b"\r\n", b"\n").replace(b"\n", linesep.encode())


class StoredMessage(EmailMessage):
    """A message written before, in the shape that Django's mail backends send. `sender` is that of the envelope."""

    def __init__(self, mime: bytes, *, sender: str, recipient: str, connection: BaseEmailBackend) -> None:
        super().__init__(from_email=sender, to=[recipient], connection=connection)
        self._mime = mime

    def message(self, **_: Any) -> Verbatim:  # type: ignore[override]
        """What the backend puts on the wire."""
        return Verbatim(self._mime)
