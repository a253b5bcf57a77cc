"""Reflection time: one place for deadline, flag, warning and display. `now` is handed in; a day is 86,400 seconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

SHORTEST: Final = timedelta(minutes=2)
LONGEST: Final = timedelta(days=30)

# Python reckons by the wall clock within one time zone, so that a day across a clock change would have 23 or 25 hours: all
# instants go through UTC first.


def deadline(since: datetime, reflection: timedelta) -> datetime:
    """When the time of a turn that began at `since` is over, in UTC (D15)."""
    return since.astimezone(UTC) + reflection


def left(deadline: datetime, now: datetime) -> timedelta:
    """The time that remains; never negative."""
    return max(deadline.astimezone(UTC) - now.astimezone(UTC), timedelta())


def is_over(deadline: datetime, now: datetime) -> bool:
    """Whether no time remains."""
    return not left(deadline, now)
