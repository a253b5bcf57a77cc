"""Pages of the development mailbox: the list, one message, its HTML part."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from notifications.mailbox import kept


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All letters, or those to one address (`?to=`)."""
    recipient = request.GET.get("to", "")
    found = kept.everything(recipient)
    return render(request, "notifications/mailbox/index.html", {"letters": found, "to": recipient})


@require_safe
def letter(request: HttpRequest, name: str) -> HttpResponse:
    """One letter: HTML, plain text, source."""
    return render(request, "notifications/mailbox/letter.html", {"letter": _kept(name)})


@require_safe
@xframe_options_sameorigin
def html(request: HttpRequest, name: str) -> HttpResponse:
    """The HTML part alone, without scripts; its links open in the whole window."""
    response = HttpResponse(f'<base target="_top">{_kept(name).html}')
    response["Content-Security-Policy"] = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        "sandbox allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox"
    )
    return response


def _kept(name: str) -> kept.Kept:
    found = kept.one(name)
    if found is None:
        raise Http404
    return found
