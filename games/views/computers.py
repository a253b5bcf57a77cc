"""A game against the computer, which begins at once: for players, and for guests without an account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.limits import limited
from games import selectors
from games.forms import ComputerForm, say_why
from games.services import challenge, guests
from games.services.errors import BadTerms, KeyReused, NotAllowed
from games.services.terms import Terms, terms_again
from games.views.buttons import player_of
from games.views.guests import guest_seat, list_of, remember


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest) -> HttpResponse:
    """The game and the level; `?game=` chooses one beforehand. Whoever is logged in gets a game of their own, another one a game
    as a guest."""
    chosen = request.GET.get("game", selectors.FLAGSHIP)
    form = ComputerForm(request.POST or None, initial={"game": chosen})
    status = 200
    if request.method == "POST" and form.is_valid():
        begun, status = _begin(request, form)
        if begun is not None:
            return redirect("games:game", begun)
    status = 400 if form.errors and status == 200 else status
    context = {"form": form, "guest_games": list_of(request)}
    return render(request, "games/computer.html", context, status=status)


def _begin(request: HttpRequest, form: ComputerForm) -> tuple[int | None, int]:
    """The number of the game, or None and the status that fits; then the form says why."""
    player, given = player_of(request), form.cleaned_data
    if limited(request, "challenge" if player is not None else "guest"):
        form.add_error(None, _("You have begun many games. Please wait a little, then begin another one."))
        return None, 429
    try:
        terms = _terms(request, given)
        if player is not None:
            made = challenge.play_computers(challenger=player, terms=terms, level=given["level"], key=given["key"])
            return made.game.pk, 200
        game, key = guests.begin(terms=terms, level=given["level"])
    except (BadTerms, KeyReused, NotAllowed) as bad:
        say_why(form, bad)
        return None, bad.status
    remember(request, game.pk, key)
    messages.success(request, _("The game begins."))
    return game.pk, 200


def _terms(request: HttpRequest, given: Mapping[str, Any]) -> Terms:
    """Those of the game that the visitor had a seat in and wants again, or what somebody gets who chooses a game alone.
    Raises BadTerms."""
    again, player, seat = given["again"], player_of(request), None
    if again is not None:
        seat = selectors.seat_of(again, player) if player is not None else guest_seat(request, again)
    return guests.terms_against_computers(given["game"]) if seat is None else terms_again(again, seat)
