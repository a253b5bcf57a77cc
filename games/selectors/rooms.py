"""Rooms: the link that leads into the waiting room of a challenge that is not listed."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

SALT: Final = "games.room"
DIGITS: Final = 32


def link_of(challenge: int) -> str:
    """What the address of the room holds that nobody can guess. It follows from the secret key, so it can be shown again."""
    return _links(challenge)[0]


def fits(challenge: int, link: str) -> bool:
    """Whether the link is that of this challenge, also under a secret key of before (L13)."""
    return any(constant_time_compare(one, link.lower()) for one in _links(challenge))


def _links(challenge: int) -> list[str]:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [salted_hmac(SALT, str(challenge), key, algorithm="sha256").hexdigest()[:DIGITS] for key in keys]
