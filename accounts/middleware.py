"""Keeps the player's session, speaks his language, shows times in his zone, and notes that he came."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.sessions import middleware
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from accounts.models import Player
from accounts.services import visits

GetResponse = Callable[[HttpRequest], HttpResponse]


class SessionMiddleware(middleware.SessionMiddleware):
    """Django's own, but a browser keeps the cookie of a session that is not there (any more).

    A login gives the session a new name. What the browser asked for under the old one (a page that follows a game, the service
    worker) may be answered after that: to take the cookie away then would log out whoever has just logged in.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The response with the session's cookie, where that changed."""
        if request.session.modified or not request.session.is_empty():
            return super().process_response(request, response)
        if request.session.accessed:
            patch_vary_headers(response, ("Cookie",))
        return response


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


def note_visit(get_response: GetResponse) -> GetResponse:
    """Middleware after AuthenticationMiddleware: whoever wants one letter until the next visit may get one again. It writes once
    for such a letter; what a browser fetches in advance is no visit."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        player = request.user
        if isinstance(player, Player) and player.told_at is not None and is_looked_at(request):
            visits.note(player_id=player.pk)
        return response

    return respond


def is_looked_at(request: HttpRequest) -> bool:
    """Whether somebody sees the answer, as far as the request tells."""
    fetched = request.headers.get("Sec-Purpose", request.headers.get("Purpose", request.headers.get("X-Moz", "")))
    return request.method != "HEAD" and "prefetch" not in fetched.lower()
