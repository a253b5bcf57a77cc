"""Pages of the development mailbox: the list, one message, its HTML part."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from notifications.mailbox import kept

SANDBOX: Final = "allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox"
"""What the HTML of a letter may do: be clicked. No script, no form, no request to anybody."""


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The newest letters, or those to one address (`?to=`)."""
    recipient = request.GET.get("to", "")
    context = {"letters": kept.newest(recipient), "to": recipient, "shown": kept.SHOWN}
    return render(request, "notifications/mailbox/index.html", context)


@require_safe
def letter(request: HttpRequest, name: str) -> HttpResponse:
    """One letter: HTML, plain text, headers, source."""
    return render(request, "notifications/mailbox/letter.html", {"letter": _kept(name), "sandbox": SANDBOX})


@require_safe
@xframe_options_sameorigin
def html(request: HttpRequest, name: str) -> HttpResponse:
    """The HTML part alone, for the frame in the letter's page; its links open in the whole window."""
    response = HttpResponse(_opening_above(_kept(name).html))
    response["Content-Security-Policy"] = (
        f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; sandbox {SANDBOX}"
    )
    return response


def _opening_above(html: str) -> str:
    # After the doctype, if there is one: before it, the browser would fall into quirks mode.
    begin, doctype, rest = html.partition("<!doctype html>")
    return f'{begin}{doctype}<base target="_top">{rest}' if doctype else f'<!doctype html><base target="_top">{html}'


def _kept(name: str) -> kept.Kept:
    found = kept.one(name)
    if found is None:
        raise Http404
    return found
