"""What every template may ask of the house."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def mailbox(request: HttpRequest) -> dict[str, bool]:
    """Whether letters stay on this machine, in the development mailbox."""
    return {"mailbox": settings.MAILBOX}
