"""Reflection time: one place for deadline, flag, warning and display. `now` is handed in; a day is 86,400 seconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

SHORTEST: Final = timedelta(minutes=2)
LONGEST: Final = timedelta(days=30)
WARNED: Final = 5
"""One part in so many of the reflection time is left when its player is warned (N22)."""
RESTORED: Final = 3
"""One part in so many is left at least when a turn was taken back: a night of a day, and more than a warning leaves."""
WORTH_A_WARNING: Final = timedelta(hours=1)
"""A letter about less time than this would be read too late: nobody is warned when the reflection time is under five hours."""

# Python reckons by the wall clock within one time zone, so that a day across a clock change would have 23 or 25 hours: all
# instants go through UTC first.


def deadline(since: datetime, reflection: timedelta, restored: datetime | None = None) -> datetime:
    """When the time of a turn that counts from `since` is over, in UTC (D15). One that a takeback `restored` has a part of the
    reflection time left at least: the other may have agreed in the middle of the night, at the last minute of that turn."""
    over = since.astimezone(UTC) + reflection
    return over if restored is None else max(over, restored.astimezone(UTC) + reflection / RESTORED)


def warning(deadline: datetime, reflection: timedelta) -> datetime | None:
    """When the player is to be warned that this deadline comes near; None where time is too short for a letter."""
    rest = reflection / WARNED
    return deadline.astimezone(UTC) - rest if rest >= WORTH_A_WARNING else None


def left(deadline: datetime, now: datetime) -> timedelta:
    """The time that remains; never negative."""
    return max(deadline.astimezone(UTC) - now.astimezone(UTC), timedelta())


def is_over(deadline: datetime, now: datetime) -> bool:
    """Whether no time remains."""
    return not left(deadline, now)
