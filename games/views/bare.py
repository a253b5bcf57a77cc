"""Pages for whoever holds a link: they read a session that there is, and neither open nor change one."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def bare(request: HttpRequest, template: str, *, status: int, **context: Any) -> HttpResponse:
    """A page without what would set a cookie or change a session: no form with a token of ours, no messages."""
    return render(request, template, {"csrf_token": "", "messages": (), **context}, status=status)


def limited(request: HttpRequest) -> HttpResponse:
    """What somebody is told who asked for too many links that open nothing."""
    return bare(request, "games/invitation_limited.html", status=429)
