"""What a player may do with his account as a person: see whom he blocks, take his data along, leave."""

from __future__ import annotations

from typing import cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import selectors
from accounts.limits import limited
from accounts.models import Player
from accounts.services import erasure
from accounts.services.errors import Refused
from accounts.services.export import export_of


@never_cache
@login_required
@require_safe
def blocks(request: HttpRequest) -> HttpResponse:
    """Whom the player blocks."""
    return render(request, "accounts/blocks.html", {"blocks": selectors.blocks_of(_player(request))})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def export(request: HttpRequest) -> HttpResponse:
    """Says what the file holds; the button gives it."""
    if request.method != "POST":
        return render(request, "accounts/export.html")
    if limited(request, "export"):
        wait = _("You have just downloaded your data several times. Please wait a little.")
        return render(request, "accounts/export.html", {"error": wait}, status=429)
    response = HttpResponse(export_of(_player(request)), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="perepiska.zip"'
    return response


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest) -> HttpResponse:
    """Says what happens; the button does it. Whoever logged in a while ago is asked who he is before."""
    if request.method != "POST":
        return render(request, "accounts/erase.html")
    try:
        erasure.ask_erasure(player=_player(request))
    except Refused as refused:
        return render(request, "accounts/erase.html", {"error": refused.said}, status=refused.status)
    logout(request)
    messages.success(request, _("Your account is closed, and everything about you is being deleted. Farewell!"))
    return redirect("games:home")


def _player(request: HttpRequest) -> Player:
    return cast(Player, request.user)
