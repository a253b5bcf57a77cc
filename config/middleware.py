"""What no browser sends, refused before anything reads it."""

from __future__ import annotations

import codecs
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]


def speak_utf8(get_response: GetResponse) -> GetResponse:
    """Forms come in UTF-8. Another charset could smuggle in half characters that no database and no page can hold."""

    def respond(request: HttpRequest) -> HttpResponse:
        if _is_utf8((request.content_params or {}).get("charset", "utf-8")):
            return get_response(request)
        return HttpResponse("Forms are sent in UTF-8.", status=415, content_type="text/plain; charset=utf-8")

    return respond


def _is_utf8(charset: str) -> bool:
    try:
        return codecs.lookup(charset).name == "utf-8"
    except (LookupError, ValueError):
        return False
