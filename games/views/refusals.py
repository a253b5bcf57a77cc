"""What a page answers when a service or the rules refuse: clear words, the right status, nothing lost."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import Player
from games.services.errors import Gone, Refused
from games.speech import say

Args = ParamSpec("Args")
View = Callable[Concatenate[HttpRequest, Args], HttpResponse]


def tells_refusals(view: View[Args]) -> View[Args]:
    """Turns a refusal into a page with its words and a way on; what is gone into 404."""

    @wraps(view)
    def told(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Gone as gone:
            raise Http404 from gone
        except Refused as refused:
            context = {"said": say(refused.said)}
            return render(request, "games/refused.html", context, status=refused.status)

    return told


def player_of(request: HttpRequest) -> Player | None:
    """The player who looks, None for a visitor."""
    return request.user if isinstance(request.user, Player) else None


def the_player(request: HttpRequest) -> Player:
    """The player behind a view that requires one."""
    return cast(Player, request.user)
