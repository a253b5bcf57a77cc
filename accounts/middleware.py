"""Speaks the player's language and shows times in his zone."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from accounts.models import Player

GetResponse = Callable[[HttpRequest], HttpResponse]


def speak_to_the_player(get_response: GetResponse) -> GetResponse:
    """Middleware after LocaleMiddleware: a player's own choice goes before the browser's, a switch on the page before both."""

    def respond(request: HttpRequest) -> HttpResponse:
        player = request.user
        zone = ZoneInfo("UTC")
        if isinstance(player, Player):
            if request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) not in dict(settings.LANGUAGES):
                translation.activate(player.language)
                request.LANGUAGE_CODE = player.language
            zone = player.zone
        with timezone.override(zone):
            return get_response(request)

    return respond
