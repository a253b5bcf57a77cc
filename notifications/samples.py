"""Samples: a letter of each kind, written as it would go out, of things that are made up for it and gone after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Protocol

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q
from django.utils import translation

from notifications import delivery
from notifications.models import Letter


class SampleLetters(Protocol):
    """The side that can bring about what its letters tell."""

    @property
    def samples(self) -> Mapping[str, str]:
        """The names of its samples, each a slug, with the kind of letter that it shows."""

    def bring_about(self, name: str, language: str) -> str:
        """Does by services what owes the letter; the address of its reader, who speaks the language.

        Whatever this writes is rolled back.
        """


_samples: Final[dict[str, SampleLetters]] = {}


def register(source: str, samples: SampleLetters) -> None:
    """Makes samples of the letters of a source known."""
    _samples[source] = samples


def every() -> Mapping[str, Mapping[str, str]]:
    """By source: names of samples with their kinds."""
    return {source: one.samples for source, one in _samples.items()}


def written(source: str, name: str, language: str) -> bytes:
    """The MIME of a sample. Raises LookupError for one that nobody knows, or whose letter would not go out."""
    provider = _samples[source]
    kind = provider.samples[name]
    with _unkept():
        with translation.override(language):
            reader = provider.bring_about(name, language)
        whose = Q(address=reader) | Q(**{f"recipient__{get_user_model().get_email_field_name()}": reader})
        letter = Letter.objects.filter(whose, source=source, kind=kind).order_by("pk").last()
        if letter is None or not delivery.is_wanted(letter):
            raise LookupError(f"{source} owes no letter for its sample {name}")
        return bytes(letter.mime) or delivery.written(letter)


@contextmanager
def _unkept() -> Iterator[None]:
    """What the block writes, the block alone reads. Its own transactions may be as durable as they like: none is the outermost.

    An atomic block around them would forbid that. SQLite begins a transaction by a statement of its own, hence the argument.
    """
    connection = transaction.get_connection()
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    try:
        yield
    finally:
        connection.rollback()
        connection.set_autocommit(True)
