"""Guesses: how many links that open nothing one network address may try, by whatever method."""

from __future__ import annotations

from typing import Final

# The public module counts no GET.
from allauth.core.internal import ratelimit
from django.http import HttpRequest

RATES: Final = {"guess": "30/m/ip"}


def guessed_too_often(request: HttpRequest) -> bool:
    """Whether this address has to wait. Asking costs nothing."""
    return not _consume(request, dry_run=True)


def count_guess(request: HttpRequest) -> None:
    """Counts a link that opened nothing."""
    _consume(request, dry_run=False)


def _consume(request: HttpRequest, *, dry_run: bool) -> bool:
    usage = ratelimit.consume(request, app="games", action="guess", config=RATES, dry_run=dry_run, limit_get=True)
    return usage is not None
