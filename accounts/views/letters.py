"""Which letters a player gets, and when."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.forms.letters import LettersForm
from accounts.limits import limited
from accounts.models import Player
from accounts.services.reach import try_again
from accounts.services.settings import change_letters
from notifications.bounces import trouble_of
from notifications.preferences import wishes_of


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: HttpRequest) -> HttpResponse:
    """A pace for each topic, quiet hours, the hour of the daily letter."""
    player = cast(Player, request.user)
    form = LettersForm(request.POST or None, wishes=wishes_of(player.pk))
    if request.method == "POST" and form.is_valid():
        change_letters(player=player, wishes=form.wishes)
        messages.success(request, _("Your settings are saved."))
        return redirect("accounts:letters")
    context = {"form": form, "zone": player.zone.key.replace("_", " "), "trouble": trouble_of(player.email)}
    return render(request, "accounts/letters.html", context, status=400 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def again(request: HttpRequest) -> HttpResponse:
    """The button of who says that the address works. A GET, as after a login in between, leads to the page with the button."""
    if request.method == "POST":
        if limited(request, "letters_again"):
            messages.error(request, _("You have tried often. Please look at your mailbox first, and come back in an hour."))
        elif try_again(player=cast(Player, request.user)):
            messages.success(request, _("A letter is on its way. If it bounces too, you read it here in a while."))
    return redirect("accounts:letters")
