"""The public page of a player, and what others may do about him: block, report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.forms import ReportForm
from accounts.limits import limited
from accounts.models import Player
from accounts.selectors import present_player
from accounts.services import blocks, reports
from accounts.services.errors import Refused
from games import selectors
from games.views.buttons import player_of, the_player

CONDUCT: Final = "conduct"
LONGEST_NUMBER: Final = 18
"""Digits of a row's number: more do not fit into 64 bits."""


@never_cache
@require_safe
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """Name, games, results; `?page=` turns the pages of the finished games."""
    page = selectors.player_page(pk, player_of(request), page=request.GET.get("page", "1"))
    if page is None:
        raise Http404
    return render(request, "games/player.html", {"page": page})


@login_required
def block(request: HttpRequest, pk: int) -> HttpResponse:
    """Keeps the two apart. A GET, as it comes from a reload or a login in between, leads to the page with the button."""
    if request.method == "POST":
        other = _present(pk)
        try:
            blocks.block(player=the_player(request), other=other)
        except Refused as refused:
            messages.error(request, str(refused.said))
        else:
            messages.success(request, _("You blocked %(name)s.") % {"name": other.name})
    return redirect("games:player", pk)


@login_required
def unblock(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes that back. A GET as with `block`."""
    if request.method == "POST":
        other = _present(pk)
        blocks.unblock(player=the_player(request), other=other)
        messages.success(request, _("You no longer block %(name)s.") % {"name": other.name})
    return redirect("games:player", pk)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """A report of a player, without a game."""
    reported = _present(pk)
    if reported == the_player(request):
        raise Http404
    return _report(request, [(reported.pk, reported.name)], back=resolve_url("games:player", pk))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_in_game(request: HttpRequest, pk: int) -> HttpResponse:
    """A report of one of the players of a game that the reporter may see; `?message=` quotes what that player wrote there."""
    seen = selectors.seen_game(pk, the_player(request))
    if seen is None or not seen.others:
        raise Http404
    quoted = _quoted(request, pk)
    return _report(request, seen.others, back=resolve_url("games:game", pk), game=pk, title=seen.title, initial=quoted)


def _quoted(request: HttpRequest, game: int) -> Mapping[str, Any]:
    number = request.GET.get("message", "")
    if not (number.isascii() and number.isdecimal() and len(number) <= LONGEST_NUMBER):
        return {}
    said = selectors.said_in_game(game, int(number), the_player(request))
    if said is None:
        return {}
    text = "\n".join(f"> {line}" for line in said.text.split("\n"))
    return {"reported": said.author, "about": CONDUCT, "text": f"{text}\n\n"}


def _report(
    request: HttpRequest,
    players: Sequence[tuple[int, str]],
    *,
    back: str,
    game: int | None = None,
    title: str = "",
    initial: Mapping[str, Any] = MappingProxyType({}),
) -> HttpResponse:
    form = ReportForm(request.POST or None, players=players, initial=initial)
    status = 200
    if request.method == "POST":
        status = 400
        if limited(request, "report"):
            form.add_error(None, _("You have sent many reports. Please wait a little, then send this one again."))
            status = 429
        elif form.is_valid() and _filed(request, form, game):
            messages.success(request, _("Thank you. Somebody will look at it."))
            return redirect(back)
    context = {"form": form, "only": players[0][1] if len(players) == 1 else "", "game": game, "title": title, "back": back}
    return render(request, "games/report.html", context, status=status)


def _filed(request: HttpRequest, form: ReportForm, game: int | None) -> bool:
    given = form.cleaned_data
    reported = _present(form.player_id())
    try:
        reports.file_report(reporter=the_player(request), reported=reported, game=game, about=given["about"], text=given["text"])
    except Refused as refused:
        form.add_error(None, str(refused.said))
        return False
    return True


def _present(pk: int) -> Player:
    player = present_player(pk)
    if player is None:
        raise Http404
    return player
