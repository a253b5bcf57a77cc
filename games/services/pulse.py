"""The pulse: each process says that it lives; nobody's time runs while no web process does."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError, OperationalError
from django.utils import timezone

from games.models import Pulse

INTERVAL: Final = timedelta(seconds=3)
FRESH: Final = timedelta(seconds=15)
"""A pulse older than this, or as far in the future, is no sign of life."""


def beat(name: str, now: datetime | None = None) -> None:
    """Writes a sign of life. A database that does not answer is not this process' end: the pulse is simply missing."""
    try:
        Pulse.objects.update_or_create(name=name, defaults={"at": now or timezone.now()})
    except (DatabaseError, OperationalError):
        return


def last(name: str) -> datetime | None:
    """The last sign of life, or None when there was none."""
    return Pulse.objects.filter(name=name).values_list("at", flat=True).first()


def is_fresh(at: datetime | None, now: datetime) -> bool:
    """Whether a pulse shows life; one from the future shows a wrong clock instead."""
    return at is not None and abs(now - at) <= FRESH
