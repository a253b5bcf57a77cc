"""What players write beside the log: a message to the others, a note for oneself."""

from __future__ import annotations

from typing import cast

from django.contrib import messages as flash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games import selectors
from games.forms import ActionForm
from games.services import messages
from games.services.errors import Gone, Refused
from games.views.buttons import button, the_player
from games.views.table import refuse
from games.views.writing import message_in

_button = button(page="games:game", refuse=refuse)


@_button
def say(request: HttpRequest, pk: int) -> HttpResponse:
    """Writes to the others without a move."""
    seat, form = selectors.seat_of(pk, the_player(request)), ActionForm(request.POST)
    if seat is None:
        raise Gone
    if not form.is_valid():
        raise Refused
    messages.say(game=pk, seat=seat, text=message_in(request), key=form.cleaned_data["key"])
    flash.success(request, _("Your message is sent."))
    return _back(pk, "say")


@_button
def note(request: HttpRequest, pk: int) -> HttpResponse:
    """Keeps what the player writes down for himself."""
    if "note" not in request.POST:
        raise Refused
    messages.keep_note(game=pk, player=the_player(request), text=request.POST.get("note", ""))
    flash.success(request, _("Your note is saved."))
    return _back(pk, "note")


def _back(pk: int, place: str) -> HttpResponse:
    return cast(HttpResponse, redirect(f"{reverse('games:game', args=[pk])}#{place}"))
