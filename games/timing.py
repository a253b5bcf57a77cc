"""Reflection time: one place for deadline, flag, warning and display. `now` is handed in; a day is 86,400 seconds."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

SHORTEST: Final = timedelta(minutes=2)
LONGEST: Final = timedelta(days=30)


def deadline(since: datetime, reflection: timedelta) -> datetime:
    """When the time of a turn that began at `since` is over. Clock changes move nothing: both are instants in UTC."""
    return since + reflection


def left(deadline: datetime, now: datetime) -> timedelta:
    """The time that remains; never negative."""
    return max(deadline - now, timedelta())


def is_over(deadline: datetime, now: datetime) -> bool:
    """Whether no time remains."""
    return not left(deadline, now)
