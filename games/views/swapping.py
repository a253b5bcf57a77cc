"""Pages of which htmx swaps a part."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest


def is_swapped(request: HttpRequest) -> bool:
    """Whether a browser that shows the page asks for its changing part alone. One that goes back in its history wants it all."""
    htmx = cast(Any, request).htmx
    return bool(htmx) and not htmx.history_restore_request
