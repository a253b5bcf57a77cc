"""What a browser shows without a connection: a page that it keeps, and the service worker that answers with it."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

DRAWN_WITH: Final = ("games/site.css", "games/site.js", "games/icon.svg")
"""The static files of the page."""


@require_safe
def page(request: HttpRequest, language: str) -> HttpResponse:
    """The page in one language. It knows nothing of the reader, for it stays in the browser when they have logged out."""
    return HttpResponse(_page(language))


@require_safe
@cache_control(max_age=3600)
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, which keeps the page in the language `?language=`, another script for each: a browser that is handed
    another one installs it. It differs too when the page does."""
    language = request.GET.get("language", settings.LANGUAGE_CODE)
    drawn = _page(language)
    kept = [reverse("offline", args=[language]), *map(static, DRAWN_WITH)]
    version = blake2b("\n".join([drawn, *kept]).encode(), digest_size=8).hexdigest()
    context = {"kept": json.dumps(kept), "version": version}
    return render(request, "worker.js", context, content_type="text/javascript; charset=utf-8")


def _page(language: str) -> str:
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with override(language):
        return render_to_string("offline.html")
