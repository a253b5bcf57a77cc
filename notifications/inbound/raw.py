"""Incoming messages, read leniently: every sequence of bytes has headers and parts, and none raises an error (M8).

The parser of the standard library raises on headers that occur in the wild, and follows any depth of nesting. Of a report little
is needed: header lines, and the parts between boundaries, so this reads just these.
"""

from __future__ import annotations

import re
from binascii import Error as NotBase64
from collections.abc import Iterator
from dataclasses import dataclass
from email.base64mime import decode as from_base64
from quopri import decodestring as from_quoted_printable
from typing import Final

from notifications.message import one_line

DEEPEST: Final = 4
"""Parts within parts are followed so far; reports that were wrapped by a list or a filter lie at the second."""
MOST: Final = 50
"""Parts of one message that are looked at."""
BOUNDARY: Final = re.compile(r'boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))', re.IGNORECASE)
END_OF_HEADERS: Final = re.compile(rb"\n\r?\n|\A\r?\n")
FOLD: Final = re.compile(r"\r?\n(?=[ \t])")


@dataclass(frozen=True, slots=True)
class Raw:
    """A message, or a part of one: header lines by name in small letters, each as one line, and the body as it came."""

    headers: tuple[tuple[str, str], ...]
    body: bytes

    def all(self, name: str) -> list[str]:
        """Every header of this name in small letters."""
        return [value for known, value in self.headers if known == name]

    def first(self, name: str) -> str:
        """The first of them; empty if there is none."""
        return next(iter(self.all(name)), "")

    @property
    def content_type(self) -> str:
        """As in `text/plain`, without parameters; empty if none is given."""
        return self.first("content-type").partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        """The body as it was before it was made fit for the way, or else as it came; bytes that are no UTF-8 are replaced."""
        return _decoded(self.body, self.first("content-transfer-encoding").strip().lower()).decode("utf-8", "replace")

    def parts(self, depth: int = 0) -> Iterator[Raw]:
        """The parts of a message in the order in which they lie there, outer ones first."""
        found = BOUNDARY.search(self.first("content-type"))
        if found is None or depth >= DEEPEST or not self.content_type.startswith("multipart/"):
            return
        boundary = re.escape((found[1] or found[2]).strip().encode())
        pieces = re.split(rb"(?:\A|\n)--" + boundary + rb"(?:--)?[ \t]*\r?(?=\n|\Z)", self.body, maxsplit=MOST)
        for piece in pieces[1:]:
            part = read(piece.removeprefix(b"\n"))
            yield part
            yield from part.parts(depth + 1)


def read(raw: bytes) -> Raw:
    """The headers of a message and its body. Lines before the first header that are none are left out."""
    end = END_OF_HEADERS.search(raw)
    head, body = (raw[: end.start()], raw[end.end() :]) if end else (raw, b"")
    return Raw(fields(head.decode("utf-8", "replace")), body)


def fields(text: str) -> tuple[tuple[str, str], ...]:
    """The `name: value` lines of a text; lines that are none are left out."""
    lines = (line.partition(":") for line in re.split(r"\r?\n|\r", FOLD.sub(" ", text)))
    return tuple((name.strip().lower(), one_line(value)) for name, colon, value in lines if colon)


def _decoded(body: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        return from_quoted_printable(body)
    if encoding == "base64":
        try:
            return from_base64(body.decode("ascii", "replace"))
        except (NotBase64, ValueError):
            return body
    return body
