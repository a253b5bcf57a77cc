"""After the game: its analysis, and the board to try moves on. There is neither while it goes on."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.limits import limited
from games import selectors
from games.forms import LONGEST_MOVE
from games.rules.phrase import phrase
from games.rules.position import MoveRefused
from games.selectors import GamePage
from games.services import analysis
from games.services.errors import Refused
from games.speech import say
from games.views.buttons import button, player_of
from games.views.guests import guest_seat
from games.views.swapping import is_swapped
from games.views.table import number_in

EVERY: Final = 2
"""After how many seconds the page of an analysis asks again how far it has come."""
DRAWS: Final = 3.0
"""Seconds for which lines of tried moves are found before a page comes: somebody else waits for the worker too."""


class TooMany(Refused):
    """Somebody has asked for many analyses."""

    reason = phrase("You have asked for many analyses. Please wait a little.")
    status = 429


@never_cache
@require_safe
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """How far the analysis has come, and in the end what it says."""
    return _page(request, pk)


def _page(request: HttpRequest, pk: int, *, error: str = "", status: int = 200) -> HttpResponse:
    """A browser that shows it already is handed what changes of it alone, or nothing if it knows that."""
    page = _seen(request, pk)
    found = selectors.analysis_page(pk) if page.over else None
    if found is None:
        raise Http404
    etag = f'W/"{found.version}.{get_language()}"'
    if status == 200 and (known := get_conditional_response(request, etag=etag)) is not None:
        return known
    context = {
        "page": page,
        "analysis": found,
        "may_ask": player_of(request) is not None or page.guest,
        "error": error,
        "etag": etag,
        "every": EVERY,
    }
    response = render(
        request, "games/analysis_shown.html" if is_swapped(request) else "games/analysis.html", context, status=status
    )
    if status == 200:
        response["ETag"] = etag
    patch_vary_headers(response, ["HX-Request"])
    return response


def _refuse(request: HttpRequest, pk: int, refused: Refused | MoveRefused) -> HttpResponse:
    return _page(request, pk, error=say(refused.said), status=getattr(refused, "status", 400))


@button(page="games:analysis", refuse=_refuse, guest=guest_seat)
def ask(request: HttpRequest, pk: int) -> HttpResponse:
    """Has the game analysed."""
    if not _seen(request, pk).over:
        raise Http404
    if limited(request, "analysis" if player_of(request) is not None else "guest"):
        raise TooMany
    analysis.ask(game=pk)
    return redirect("games:analysis", pk)


@never_cache
@require_safe
def trying(request: HttpRequest, pk: int) -> HttpResponse:
    """A position of the game (`?at=` a step), and the moves tried from there, each a `move=` of the address."""
    page = _seen(request, pk)
    moves = [text.strip()[:LONGEST_MOVE] for text in request.GET.getlist("move")]
    at = request.GET.get("at")
    number = number_in(at) if at is not None else None
    if not page.over or (at is not None and number is None):
        raise Http404
    trial = selectors.trial(pk, at=number, moves=[text for text in moves if text], expired=analysis.patience(DRAWS))
    if trial is None:
        raise Http404
    return render(request, "games/trying.html", {"page": page, "trial": trial}, status=400 if trial.refused else 200)


def _seen(request: HttpRequest, pk: int) -> GamePage:
    """The game, for whoever may see it. Raises Http404."""
    page = selectors.game_page(pk, player_of(request), guest=guest_seat(request, pk))
    if page is None:
        raise Http404
    return page
