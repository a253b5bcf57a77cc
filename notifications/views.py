"""Leaving letters by the link in one: GET shows a form, POST acts, without cookies and without a login."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from notifications import leaving


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, token: str) -> HttpResponse:
    """One press leaves letters of one kind (RFC 8058). The signed token is the whole authority."""
    may = leaving.read(token)
    # An empty csrf_token: no cookie for who only leaves.
    context = {"leave": may, "csrf_token": ""}
    if may is not None and request.method == "POST":
        leaving.act(may)
    told = {**context, "left": may is not None and leaving.is_left(may)}
    status = HTTPStatus.OK if may is not None else HTTPStatus.NOT_FOUND
    response = render(request, "notifications/leave.html", told, status=status)
    # The address is the token: nobody lists it, and no request that follows from the page names it.
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response["Referrer-Policy"] = "no-referrer"
    return response
