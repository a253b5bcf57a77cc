"""Kept messages, read leniently: whatever is in a file, something of it can be shown.

The parser of the standard library raises errors of many kinds on headers and parts that occur in the wild, hence the broad
excepts: a message that cannot be read is shown as its source.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.header import decode_header
from email.message import Message
from itertools import islice
from pathlib import Path
from typing import Any, Final

from django.conf import settings

NAME: Final = re.compile(r"\d{8}T\d{12}-[0-9a-f]{8}")
CID: Final = re.compile(r"cid:([^\s\"'<>()]+)")
HEADERS_END: Final = re.compile(rb"\r?\n\r?\n")
SHOWN: Final = 100


@dataclass(frozen=True, slots=True)
class File:
    """A file that a message brings along."""

    name: str
    mime_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Kept:
    """A message as a mail program shows it. `name` is that of its page, and of its file without the ending; `at` is when it was
    kept. All texts are decoded."""

    name: str
    at: datetime
    headers: tuple[tuple[str, str], ...]
    text: str
    html: str
    source: str
    files: tuple[File, ...] = ()

    def header(self, name: str) -> str:
        """The first header of this name; empty if there is none."""
        return next((value for known, value in self.headers if known.lower() == name.lower()), "")

    @property
    def subject(self) -> str:
        """What it is about."""
        return self.header("Subject")

    @property
    def sender(self) -> str:
        """Who wrote it."""
        return self.header("From")

    @property
    def recipient(self) -> str:
        """Who gets it."""
        return self.header("To")


def newest(recipient: str = "") -> list[Kept]:
    """The newest messages first; of one recipient if (a part of) his address is given."""
    return list(islice(_everything(recipient.strip().lower()), SHOWN))


def one(name: str) -> Kept | None:
    """The message of this name."""
    return _read(Path(settings.MAILBOX_DIR) / f"{name}.eml") if NAME.fullmatch(name) else None


def _everything(recipient: str) -> Iterator[Kept]:
    for path in sorted(Path(settings.MAILBOX_DIR).glob("*.eml"), reverse=True):
        kept = _read(path, recipient) if NAME.fullmatch(path.stem) else None
        if kept is not None:
            yield kept


def _read(path: Path, recipient: str = "") -> Kept | None:
    """The message in a file; None when there is no such file (any more), or it goes to somebody else."""
    try:
        source = path.read_bytes()
    except OSError:
        return None
    # Bodies hold pictures, and many messages are looked through for one.
    if recipient and recipient not in _recipient(source).lower():
        return None
    at = datetime.strptime(path.stem[: len("20260131T235959000000")], "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC)
    return read(path.stem, at, source)


def _recipient(source: bytes) -> str:
    try:
        return _decoded(message_from_bytes(HEADERS_END.split(source, maxsplit=1)[0])["To"] or "")
    except Exception:  # noqa: BLE001
        return ""


def read(name: str, at: datetime, source: bytes) -> Kept:
    """A message as it is shown under a name."""
    shown = source.decode("utf-8", "replace")
    try:
        message = message_from_bytes(source)
        parts = [part for part in message.walk() if not part.is_multipart()]
        headers = tuple((header, _decoded(value)) for header, value in message.items())
        html = _with_images(_text(parts, "text/html"), parts)
        return Kept(name, at, headers, _text(parts, "text/plain"), html, shown, _files(parts))
    except Exception:  # noqa: BLE001
        return Kept(name, at, (), "", "", shown)


def _decoded(value: Any) -> str:
    """A header's value, whatever charset it claims."""
    try:
        words = [_as_text(word, charset) for word, charset in decode_header(value)]
    except Exception:  # noqa: BLE001
        words = [str(value)]
    return " ".join("".join(words).split())


def _as_text(said: bytes | str, charset: str | None) -> str:
    if isinstance(said, str):
        return said
    try:
        return said.decode(charset or "utf-8", "replace")
    except (LookupError, ValueError):
        return said.decode("utf-8", "replace")


def _payload(part: Message) -> bytes:
    try:
        payload = part.get_payload(decode=True)
    except Exception:  # noqa: BLE001
        return b""
    return payload if isinstance(payload, bytes) else b""


def _text(parts: list[Message], content_type: str) -> str:
    """The first part of this type that is no attachment."""
    for part in parts:
        if part.get_content_type() == content_type and part.get_content_disposition() != "attachment":
            return _as_text(_payload(part), part.get_content_charset())
    return ""


def _files(parts: list[Message]) -> tuple[File, ...]:
    """What is attached."""
    attached = (part for part in parts if part.get_content_disposition() == "attachment")
    return tuple(
        File(_decoded(part.get_filename() or f"file-{place}"), part.get_content_type(), _payload(part))
        for place, part in enumerate(attached, 1)
    )


def _with_images(html: str, parts: list[Message]) -> str:
    """The HTML with the images that the message itself brings put in the place of their `cid:` addresses."""
    images = {
        str(part["Content-ID"]).strip("<> "): f"data:{part.get_content_type()};base64,{b64encode(_payload(part)).decode()}"
        for part in parts
        if part["Content-ID"] and part.get_content_maintype() == "image"
    }
    return CID.sub(lambda found: images.get(found[1], found[0]), html)
