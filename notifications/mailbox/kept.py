"""Kept messages, read leniently: whatever is in the file, something can be shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from django.conf import settings

NAME: Final = re.compile(r"\d{8}T\d{12}-[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Kept:
    """A message as a mail program shows it. `name` is its file's name without the ending."""

    name: str
    subject: str
    sender: str
    recipient: str
    date: str
    text: str
    html: str
    source: str


def everything(recipient: str = "") -> list[Kept]:
    """All kept messages, the newest first; of one recipient if an address is given."""
    files = sorted(Path(settings.MAILBOX_DIR).glob("*.eml"), reverse=True)[:200]
    kept = [_read(path) for path in files]
    return [one for one in kept if recipient.strip().lower() in one.recipient.lower()]


def one(name: str) -> Kept | None:
    """The message of this name."""
    path = Path(settings.MAILBOX_DIR) / f"{name}.eml"
    return _read(path) if NAME.fullmatch(name) and path.is_file() else None


def _read(path: Path) -> Kept:
    source = path.read_bytes()
    message = message_from_bytes(source, policy=policy.default)
    return Kept(
        name=path.stem,
        subject=_header(message, "Subject"),
        sender=_header(message, "From"),
        recipient=_header(message, "To"),
        date=_header(message, "Date"),
        text=_part(message, "plain"),
        html=_part(message, "html"),
        source=source.decode("utf-8", "replace"),
    )


def _header(message: EmailMessage, name: str) -> str:
    # The standard parser raises on headers that occur in the wild, with errors of many kinds.
    try:
        return str(message[name] or "")
    except Exception:  # noqa: BLE001
        return ""


def _part(message: EmailMessage, subtype: str) -> str:
    for part in message.walk():
        if part.get_content_type() == f"text/{subtype}":
            payload = part.get_payload(decode=True)
            return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return ""
