"""Pages of the development mailbox: the list, one message, its HTML part, its files; samples, which nobody sent."""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from notifications import samples as sampled
from notifications.mailbox import kept
from notifications.message import one_line

SAMPLE: Final = "sample_"
"""So the name of a sample's page begins; its language, its source and its own name follow, none of which has a `_`."""
DOCTYPE: Final = re.compile("<!doctype html>", re.IGNORECASE)
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
def samples(request: HttpRequest) -> HttpResponse:
    """One of each letter that the site can write, in each language."""
    known = [(source, name) for source, told in sampled.every().items() for name in told]
    rows = [(one, [(said, _sample_name(code, *one)) for code, said in settings.LANGUAGES]) for one in known]
    return render(request, "notifications/mailbox/samples.html", {"samples": rows})


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


@require_safe
def file(request: HttpRequest, name: str, place: int) -> HttpResponse:
    """A file that the letter brings along, counted from 1; it is kept, never shown."""
    files = _kept(name).files
    if not 1 <= place <= len(files):
        raise Http404
    found = files[place - 1]
    disposition = content_disposition_header(as_attachment=True, filename=one_line(found.name))
    headers = {"Content-Disposition": disposition or "attachment"}
    return HttpResponse(found.content, content_type="application/octet-stream", headers=headers)


def _opening_above(html: str) -> str:
    # After the doctype, if there is one: before it, the browser would fall into quirks mode.
    if DOCTYPE.search(html):
        return DOCTYPE.sub(r'\g<0><base target="_top">', html, count=1)
    return f'<!doctype html><base target="_top">{html}'


def _kept(name: str) -> kept.Kept:
    found = _sample(name) if name.startswith(SAMPLE) else kept.one(name)
    if found is None:
        raise Http404
    return found


def _sample_name(language: str, source: str, name: str) -> str:
    return f"{SAMPLE}{language}_{source}_{name}"


def _sample(page: str) -> kept.Kept | None:
    """A sample, written anew at each look."""
    parts = page.removeprefix(SAMPLE).split("_")
    if len(parts) != 3 or parts[0] not in dict(settings.LANGUAGES) or parts[2] not in sampled.every().get(parts[1], ()):
        return None
    language, source, name = parts
    return kept.read(page, timezone.now(), sampled.written(source, name, language))
