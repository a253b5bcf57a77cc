"""Pages that say the same to every visitor for a while."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from games.views.buttons import player_of

SECONDS: Final = 300


def kept_by_visitors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A visitor's own browser may show the page again for SECONDS without asking: by language and cookies, as it carries the
    token of his forms. A page that told somebody something once, or to who is logged in, is not kept."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **given: Any) -> HttpResponse:
        response = view(request, *args, **given)
        told: Any = get_messages(request)
        if response.status_code == 200 and player_of(request) is None and not (told.used and len(told)):
            patch_cache_control(response, private=True, max_age=SECONDS)
        return response

    return shown
