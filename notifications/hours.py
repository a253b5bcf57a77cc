"""Hours by the wall clock of a reader: when quiet hours end, when a daily hour comes next. Pure: `now` is handed in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo


def quiet_until(now: datetime, zone: ZoneInfo, begin: int, end: int) -> datetime | None:
    """When the quiet hours that `now` falls into are over, in UTC; None when it falls into none. They last from `begin` to `end`
    o'clock, two different hours from 0 to 23, past midnight where `end` is the earlier one.

    A night in which clocks change has as many hours as it has: quiet ends when the clock on the wall says so.
    """
    if not _is_quiet(now, zone, begin, end):
        return None
    ends = (one for one in _instants(now, zone, end) if one > now and not _is_quiet(one, zone, begin, end))
    return min(ends)


def next_at(after: datetime, zone: ZoneInfo, hour: int) -> datetime:
    """The first instant later than `after`, in UTC, at which the wall clock of the zone says `hour` o'clock: once a day.

    Of an hour that comes twice it is the first time; for one that is left out, the moment at which clocks are put forward.
    """
    return min(one for one in _instants(after, zone, hour, folds=(0,)) if one > after)


def last_at(until: datetime, zone: ZoneInfo, hour: int) -> datetime:
    """The last such instant that is not later than `until`."""
    return max(one for one in _instants(until, zone, hour, folds=(0,)) if one <= until)


def is_within(hour: int, begin: int, end: int) -> bool:
    """Whether an hour (0 to 23) lies between two others, past midnight where `end` is not later."""
    return begin <= hour < end if begin < end else hour >= begin or hour < end


def _is_quiet(at: datetime, zone: ZoneInfo, begin: int, end: int) -> bool:
    return is_within(at.astimezone(zone).hour, begin, end)


def _instants(around: datetime, zone: ZoneInfo, hour: int, folds: tuple[int, ...] = (0, 1)) -> Iterator[datetime]:
    today = around.astimezone(zone).date()
    for days in range(-2, 4):
        day = today + timedelta(days=days)
        for fold in folds:
            yield datetime(day.year, day.month, day.day, hour, tzinfo=zone, fold=fold).astimezone(UTC)
