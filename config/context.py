"""What every template may ask of the house."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.functional import SimpleLazyObject

from accounts.models import Player
from accounts.selectors import suspension_reason
from notifications.bounces import is_marked


def token(request: HttpRequest) -> dict[str, object]:
    """The token of forms, masked once for a page rather than for each form."""
    return {"csrf_token": SimpleLazyObject(lambda: get_token(request))}


def mailbox(request: HttpRequest) -> dict[str, bool]:
    """Whether letters stay on this machine, in the development mailbox."""
    return {"mailbox": settings.MAILBOX}


def suspension(request: HttpRequest) -> dict[str, str | bool]:
    """Whether the player who looks is suspended, and why. Only then it costs a query."""
    player = getattr(request, "user", None)
    if not isinstance(player, Player) or not player.is_suspended:
        return {"suspended": False}
    return {"suspended": True, "suspension": suspension_reason(player)}


def bounces(request: HttpRequest) -> dict[str, Callable[[], bool]]:
    """Whether letters to the player who looks bounce. A page that knows otherwise does not ask."""

    def do_they() -> bool:
        player = getattr(request, "user", None)
        return isinstance(player, Player) and is_marked(player.email)

    return {"bounces": do_they}
