"""Letter sources: what a higher app must answer before its letter goes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from django.contrib.auth.models import AbstractBaseUser


@dataclass(frozen=True, slots=True)
class Waiting:
    """A letter that is about to go: what it is about, and to whom."""

    key: str
    kind: str
    about: Mapping[str, Any]
    recipient: AbstractBaseUser
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Rendered:
    """What it says, in the recipient's language."""

    subject: str
    text: str
    html: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


class LetterSource(Protocol):
    """The side that knows what its letters mean."""

    def still_wanted(self, letter: Waiting) -> bool:
        """Whether it should still go out."""

    def render(self, letter: Waiting) -> Rendered:
        """Its contents as of now."""


_sources: dict[str, LetterSource] = {}


def register(name: str, source: LetterSource) -> None:
    """Makes a source known by the name that its letters carry."""
    _sources[name] = source


def find(name: str) -> LetterSource | None:
    """The source of this name; None for one that only another version of the program knows (R27)."""
    return _sources.get(name)
