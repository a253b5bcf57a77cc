"""Views behind buttons: they act on POST alone, know who pressed, and tell a refusal on the page that the button is on."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeAlias, cast
from urllib.parse import urlencode

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.models import Player
from games.rules.position import MoveRefused
from games.services.errors import Gone, Refused

Pressed: TypeAlias = Callable[[HttpRequest, int], HttpResponse]
Refuse: TypeAlias = Callable[[HttpRequest, int, "Refused | MoveRefused"], HttpResponse]


def _nobody(_request: HttpRequest, _pk: int) -> int | None:
    """No guest may press."""
    return None


def button(
    *, page: str, refuse: Refuse, guest: Callable[[HttpRequest, int], int | None] = _nobody
) -> Callable[[Pressed], Pressed]:
    """A view behind a button of the page with this URL name.

    A GET leads to the page: it comes from a reload, or from a login that was asked for in between. Somebody who is not logged
    in, and has no seat as a `guest`, comes back to the page with the move that he chose. What is gone is a 404; another refusal
    is told by `refuse`.
    """

    def behind(view: Pressed) -> Pressed:
        @wraps(view)
        def pressed(request: HttpRequest, pk: int) -> HttpResponse:
            if request.method != "POST":
                return redirect(page, pk)
            if player_of(request) is None and guest(request, pk) is None:
                move = {"move": request.POST["move"][:200]} if "move" in request.POST else {}
                return redirect_to_login(f"{reverse(page, args=[pk])}?{urlencode(move)}".rstrip("?"))
            try:
                return view(request, pk)
            except Gone as gone:
                raise Http404 from gone
            except (Refused, MoveRefused) as refused:
                return refuse(request, pk, refused)

        return pressed

    return behind


def player_of(request: HttpRequest) -> Player | None:
    """The player who looks, None for a visitor."""
    return request.user if isinstance(request.user, Player) else None


def the_player(request: HttpRequest) -> Player:
    """The player behind a view that requires one."""
    return cast(Player, request.user)
