"""Guests: which seat a key opens, and the games of several keys."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from games.models import Seat
from games.selectors.words import title_of


class GuestGame(NamedTuple):
    """A game in the list of a guest: whether they are to move, whether it is over."""

    pk: int
    title: str
    my_turn: bool
    over: bool


def digest_of(key: str) -> str:
    """What is kept of a guest's key."""
    return sha256(key.encode()).hexdigest()


def guest_seat(game_id: int, key: str) -> int | None:
    """The seat of the game that the key opens; None when it is no such key, or the seat has become a player's."""
    seat = Seat.objects.filter(game=game_id, key_digest=digest_of(key), player=None)
    return seat.values_list("number", flat=True).first()


def guest_games(keys: Mapping[int, str]) -> list[GuestGame]:
    """The games of these numbers that their keys open, the latest first."""
    seats = Seat.objects.filter(key_digest__in=map(digest_of, keys.values()), game__in=keys, player=None)
    return [
        GuestGame(seat.game.pk, title_of(seat.game.ruleset), seat.game.to_move == seat.number, seat.game.ended_at is not None)
        for seat in seats.select_related("game").order_by("-game")
    ]
