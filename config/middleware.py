"""What no browser sends, refused before anything reads it."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

GetResponse = Callable[[HttpRequest], HttpResponse]
UNREAD: Final = frozenset({"letters:leave"})
"""Views that act on a POST without reading its form: programs of others press there (RFC 8058), in whatever charset."""


def speak_utf8(get_response: GetResponse) -> GetResponse:
    """Forms come in UTF-8. Another charset could smuggle in half characters that no database and no page can hold."""

    def respond(request: HttpRequest) -> HttpResponse:
        if _is_utf8((request.content_params or {}).get("charset", "utf-8")) or _stays_unread(request):
            return get_response(request)
        return HttpResponse("Forms are sent in UTF-8.", status=415, content_type="text/plain; charset=utf-8")

    return respond


def _stays_unread(request: HttpRequest) -> bool:
    try:
        return resolve(request.path_info).view_name in UNREAD
    except Resolver404:
        return False


def _is_utf8(charset: str) -> bool:
    try:
        return codecs.lookup(charset).name == "utf-8"
    except (LookupError, ValueError):
        return False
