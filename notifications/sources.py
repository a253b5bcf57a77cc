"""Letter sources: what a higher app must answer before its letter goes out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Q


@dataclass(frozen=True, slots=True)
class Waiting:
    """A letter that is about to go: what it is about, and to whom; `recipient` is None for a bare address. `may_be_left`: whoever
    reads it may choose to get no more of its kind."""

    key: str
    kind: str
    about: Mapping[str, Any]
    recipient: AbstractBaseUser | None
    created_at: datetime
    may_be_left: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture inside the HTML, which shows it by `cid:` and its content id: PNG, and what it shows in words."""

    content_id: str
    png: bytes
    alt: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file to keep. `mime_type` as in `text/plain`; a text is UTF-8."""

    name: str
    mime_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Rendered:
    """What it says, in the recipient's language. `headers` are those of the message beside From, To, Date and Message-ID."""

    subject: str
    text: str
    html: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    pictures: Sequence[Picture] = ()
    attachments: Sequence[Attachment] = ()


class LetterSource(Protocol):
    """The side that knows what its letters mean."""

    @property
    def kinds(self) -> Collection[str]:
        """The kinds of letters that this version of the source can write."""

    def still_wanted(self, letter: Waiting) -> bool:
        """Whether it should still go out. Asked before every attempt."""

    def render(self, letter: Waiting) -> Rendered:
        """Its contents as of now. Asked once, before the first attempt."""


_sources: dict[str, LetterSource] = {}


def register(name: str, source: LetterSource) -> None:
    """Makes a source known by the name that its letters carry."""
    _sources[name] = source


def unregister(name: str) -> None:
    """Forgets a source."""
    del _sources[name]


def find(name: str) -> LetterSource:
    """The source of this name. Raises KeyError."""
    return _sources[name]


def every() -> Collection[LetterSource]:
    """All sources that there are."""
    return _sources.values()


def known() -> Q:
    """The letters that somebody here can write. Others belong to another version of the program: they are left alone (R27)."""
    ours = Q(pk__in=())
    for name, source in _sources.items():
        ours |= Q(source=name, kind__in=tuple(source.kinds))
    return ours
