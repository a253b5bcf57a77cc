"""The switch of languages at the foot of every page."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from accounts.models import Player
from accounts.services.settings import change_language


@require_POST
def choose_language(request: HttpRequest) -> HttpResponseBase:
    """A visitor's choice is kept by a cookie, a player's in the settings, so that letters follow."""
    response = set_language(request)
    chosen = request.POST.get("language")
    if isinstance(request.user, Player) and chosen in dict(settings.LANGUAGES):
        change_language(player_id=request.user.pk, language=chosen)
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
    return response
