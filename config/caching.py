"""Who may keep an answer: a page with something personal nobody, a visitor's page his own browser, which asks each time."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import blake2b
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control

GetResponse = Callable[[HttpRequest], HttpResponseBase]
_EACH_TIME_ANEW: Final = re.compile(rb'nonce="[^"]*"|name="csrfmiddlewaretoken" value="[^"]*"')
"""What differs from one answer to the next though the page is the same; an older one serves as well."""


def say_who_keeps_it(get_response: GetResponse) -> GetResponse:
    """Gives an answer without Cache-Control one. A page that a browser may keep gets an ETag of what it says, and is not sent a
    second time while it is the same; without a Content-Security-Policy, so that the one with its nonce stands."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            user = getattr(request, "user", None)
            own = request.method not in ("GET", "HEAD") or (user is not None and user.is_authenticated)
            patch_cache_control(response, private=True, **({"no_store": True} if own else {"no_cache": True}))
        if not isinstance(response, HttpResponse) or not _may_be_kept(request, response):
            return response
        response["ETag"] = etag = _etag(request, response)
        return get_conditional_response(request, etag=etag, response=response) or response

    return respond


def _may_be_kept(request: HttpRequest, response: HttpResponse) -> bool:
    whole = response.status_code == 200 and request.method in ("GET", "HEAD")
    ready = response.has_header("ETag") or response.has_header("Content-Encoding")
    return whole and not ready and "no-store" not in response["Cache-Control"]


def _etag(request: HttpRequest, response: HttpResponse) -> str:
    """Of what the page says, and of the secret behind the token in its forms: an older page must not meet a newer secret."""
    said = blake2b(_EACH_TIME_ANEW.sub(b"", response.content), digest_size=12)
    said.update(str(request.META.get("CSRF_COOKIE", "")).encode())
    return f'W/"{said.hexdigest()}"'
