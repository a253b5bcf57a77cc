"""The page behind the links in letters."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse


def right(request: HttpRequest, token: str) -> HttpResponse:
    """What the right allows."""
    raise Http404
