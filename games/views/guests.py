"""Guests: the keys of their seats in the session of their browser, and what becomes of them at login."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import ngettext

from accounts.models import Player
from games import selectors
from games.services import guests
from games.services.errors import NotAllowed
from games.views.buttons import player_of

KEPT_IN: Final = "guest"
"""Where the session keeps the keys, by the number of the game."""
MOST: Final = 20
"""So many games a browser has keys of; the oldest is forgotten first."""


def guest_seat(request: HttpRequest, pk: int) -> int | None:
    """The seat of the game that the visitor has a key of. Nothing is read for others; a player has seats of their own."""
    if player_of(request) is not None:
        return None
    key = _keys(request).get(pk)
    return selectors.guest_seat(pk, key) if key is not None else None


def remember(request: HttpRequest, game: int, key: str) -> None:
    """Keeps the key of a game that has just begun, in a session whose name nobody else can know."""
    keys = {**_keys(request), game: key}
    request.session[KEPT_IN] = {str(one): keys[one] for one in list(keys)[-MOST:]}
    request.session.cycle_key()


def prolong(request: HttpRequest) -> None:
    """Keeps the session of a guest who plays on for as long again as a new one: a game may last longer."""
    request.session.modified = True


def games_of(request: HttpRequest) -> list[int]:
    """The numbers of the games that the visitor has keys of, the latest first."""
    return [*reversed(_keys(request))] if player_of(request) is None else []


def list_of(request: HttpRequest) -> list[selectors.GuestGame]:
    """The same with what they are."""
    return selectors.guest_games(_keys(request)) if player_of(request) is None else []


def claim(*, request: HttpRequest, user: Any, **_rest: Any) -> None:
    """Somebody has logged in: the seats that their browser has keys of are theirs. A receiver of Django's signal."""
    keys = _keys(request)
    if not keys or not isinstance(user, Player):
        return
    try:
        claimed = len(guests.claim(player=user, keys=keys))
    except NotAllowed:
        # The browser keeps them for the day when he may play, also over a logout.
        return
    del request.session[KEPT_IN]
    if claimed:
        told = ngettext(
            "The game that you played as a guest is yours.", "The %(many)s games that you played as a guest are yours.", claimed
        )
        messages.success(request, told % {"many": claimed})


def _keys(request: HttpRequest) -> dict[int, str]:
    """The keys by game, the oldest first; a session keeps its names as text."""
    kept = request.session.get(KEPT_IN, {})
    return {int(game): key for game, key in kept.items()} if isinstance(kept, dict) else {}
