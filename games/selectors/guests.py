"""Guests: which seat a key opens."""

from __future__ import annotations

from hashlib import sha256

from games.models import Seat


def digest_of(key: str) -> str:
    """What is kept of a guest's key."""
    return sha256(key.encode()).hexdigest()


def guest_seat(game_id: int, key: str) -> int | None:
    """The seat of the game that the key opens; None when it is no such key, or the seat has become a player's."""
    seat = Seat.objects.filter(game=game_id, key_digest=digest_of(key), player=None)
    return seat.values_list("number", flat=True).first()
