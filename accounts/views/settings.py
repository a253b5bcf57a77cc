"""The settings of a player."""

from __future__ import annotations

from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.forms import SettingsForm
from accounts.models import Player
from accounts.services.settings import NameTaken, change_settings


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def player_settings(request: HttpRequest) -> HttpResponse:
    """Display name, language and time zone of the player."""
    player = cast(Player, request.user)
    form = SettingsForm(request.POST or None, player=player)
    if request.method == "POST" and form.is_valid():
        try:
            changed = change_settings(player_id=player.pk, **form.cleaned_data)
        except NameTaken:
            form.add_error("display_name", _("Another player has this name or one that looks like it."))
        else:
            with translation.override(changed.language):
                messages.success(request, _("Your settings are saved."))
            response = redirect("accounts:settings")
            response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
            return response
    return render(request, "accounts/settings.html", {"form": form})
