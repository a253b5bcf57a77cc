"""Guesses: how many links that open nothing one network address may try, by whatever method."""

from __future__ import annotations

from typing import Final

# The public module counts no GET.
from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone

RATES: Final = {"guess": "30/m/ip"}


def guessed_too_often(request: HttpRequest) -> bool:
    """Whether this address has to wait. Asking writes nothing and waits for nobody, so that a scanner which opens many good
    links at once is not taken for one that guesses."""
    now = timezone.now().timestamp()
    for rate in ratelimit.get_rates(app="games", action="guess", config=RATES):
        counted = cache.get(ratelimit.get_cache_key(request, app="games", action="guess", rate=rate), [])
        allowed, _counted = ratelimit.apply_rate(counted, now, rate, dry_run=True)
        if not allowed:
            return True
    return False


def count_guess(request: HttpRequest) -> bool:
    """Counts a link that opened nothing; False when it is one too many, or when so many come at once that none can be counted."""
    return ratelimit.consume(request, app="games", action="guess", config=RATES, limit_get=True) is not None
