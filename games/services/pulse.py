"""The pulse: each process says that it lives; nobody is timed out while no web process does."""

from __future__ import annotations

import logging
import os
from datetime import datetime, timedelta
from threading import Thread
from time import sleep
from typing import Final

from django.db import Error, close_old_connections, connection
from django.utils import timezone

from games.models import Pulse
from notifications import statements

logger = logging.getLogger(__name__)

INTERVAL: Final = timedelta(seconds=3)
FRESH: Final = timedelta(seconds=15)
"""A pulse older than this, or as far in the future, is no sign of life."""


def beat(name: str, now: datetime | None = None) -> None:
    """Writes a sign of life. A database that does not answer is not this process' end: the pulse is simply missing."""
    pulse = Pulse(name=name, at=now or timezone.now())
    try:
        Pulse.objects.bulk_create([pulse], update_conflicts=True, unique_fields=["name"], update_fields=["at"])
    except Error as problem:
        logger.warning("the pulse of %s was not written: %s", name, problem)


def last(name: str) -> datetime | None:
    """The last sign of life, or None when there was none."""
    return Pulse.objects.filter(name=name).values_list("at", flat=True).first()


def clock() -> datetime:
    """What time it is for somebody who acts: never earlier than the last sweep, whose wall clock its monotonic clock and a web
    process had confirmed. A clock that is behind for a moment must not take time from the next player (D16)."""
    now, swept = timezone.now(), statements.find(Pulse, name="sweep")
    return now if swept is None else max(now, swept.at)


def is_fresh(at: datetime | None, now: datetime) -> bool:
    """Whether a pulse shows life; one from the future shows a wrong clock instead."""
    return at is not None and abs(now - at) <= FRESH


def keep_beating(name: str) -> None:
    """Writes this process' sign of life every few seconds as long as it lives, and that of every process forked from it."""
    _start(name)
    # Threads do not survive a fork: a server that loads the application before it forks would have dumb workers.
    os.register_at_fork(after_in_child=lambda: _start(name))


def _start(name: str) -> None:
    Thread(target=_for_ever, args=(name,), name=f"pulse of {name}", daemon=True).start()


def _for_ever(name: str) -> None:
    while True:
        try:
            close_old_connections()
            beat(name)
            connection.close()
        except Exception:
            logger.exception("the pulse of %s missed a beat", name)
        sleep(INTERVAL.total_seconds())
