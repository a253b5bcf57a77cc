"""The page of a game's luck: how chance was tied down before anything fell, and afterwards the check of all that fell."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import selectors
from games.views.buttons import player_of
from games.views.guests import guest_seat


@never_cache
@require_safe
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """The fingerprints of the seeds; of a game that is over the seeds, and each draw compared with them."""
    page = selectors.game_page(pk, player_of(request), guest=guest_seat(request, pk))
    if page is None or not page.fingerprints:
        raise Http404
    return render(request, "games/luck.html", {"luck": selectors.luck_page(page), "page": page})
