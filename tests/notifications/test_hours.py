"""Hours by the wall clock: quiet ends, and the daily hour comes once a day, on both nights when clocks change (D15)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from notifications import hours

ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Europe/Istanbul"]
FORTH = datetime(2027, 3, 28, 0, 30, tzinfo=UTC)
"""Half an hour before Berlin's clocks go forward."""
BACK = datetime(2027, 10, 31, 0, 30, tzinfo=UTC)

instants = st.datetimes(datetime(2022, 1, 1), datetime(2032, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - the strategy wants naive ones
zones = st.sampled_from([ZoneInfo(name) for name in ZONES])
clock_hours = st.integers(0, 23)


@given(instants, zones, clock_hours, clock_hours)
@example(FORTH, ZoneInfo("Europe/Berlin"), 3, 2)
@example(BACK, ZoneInfo("Europe/Berlin"), 22, 2)
@example(BACK + timedelta(hours=1), ZoneInfo("Europe/Berlin"), 2, 7)
@example(datetime(2027, 10, 2, 15, 15, tzinfo=UTC), ZoneInfo("Australia/Lord_Howe"), 1, 2)
def test_quiet_lasts_until_the_clock_on_the_wall_says_so(now: datetime, zone: ZoneInfo, begin: int, end: int) -> None:
    assume(begin != end)
    over = hours.quiet_until(now, zone, begin, end)
    if over is None:
        assert not hours.is_within(now.astimezone(zone).hour, begin, end)
        return
    assert not hours.is_within(over.astimezone(zone).hour, begin, end)
    between = now
    while between < over:
        assert hours.is_within(between.astimezone(zone).hour, begin, end), between
        between += timedelta(minutes=10)


@given(instants, zones, clock_hours)
@example(FORTH, ZoneInfo("Europe/Berlin"), 2)
@example(BACK, ZoneInfo("Europe/Berlin"), 2)
@example(datetime(2027, 10, 2, 12, tzinfo=UTC), ZoneInfo("Australia/Lord_Howe"), 2)
@example(datetime(2027, 4, 3, 12, tzinfo=UTC), ZoneInfo("Australia/Lord_Howe"), 2)
def test_D15_the_daily_hour_comes_once_a_day(now: datetime, zone: ZoneInfo, hour: int) -> None:
    coming = [hours.next_at(now, zone, hour)]
    for _ in range(3):
        coming.append(hours.next_at(coming[-1], zone, hour))
    days = [one.astimezone(zone).date() for one in coming]
    assert now < coming[0] <= now + timedelta(hours=25)
    assert hours.last_at(coming[1] - timedelta(seconds=1), zone, hour) == hours.last_at(coming[0], zone, hour) == coming[0]
    assert [later - earlier for earlier, later in pairwise(days)] == [timedelta(days=1)] * 3
    for one in coming:
        there = one.astimezone(zone)
        put_forward = there.utcoffset() != (one - timedelta(seconds=1)).astimezone(zone).utcoffset()
        assert (there.hour, there.minute) == (hour, 0) or put_forward


@pytest.mark.parametrize(
    ("now", "over"),
    [("21:59", None), ("22:00", "06:00"), ("23:30", "06:00"), ("05:59", "06:00"), ("06:00", None), ("12:00", None)],
)
def test_a_night_from_ten_to_six(now: str, over: str | None) -> None:
    at = datetime.fromisoformat(f"2027-01-01T{now}+00:00")
    end = hours.quiet_until(at, ZoneInfo("UTC"), 22, 6)
    assert (f"{end:%H:%M}" if end else None) == over


def test_a_night_in_which_clocks_go_forward_is_an_hour_shorter() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    began = datetime(2027, 3, 27, 22, tzinfo=berlin).astimezone(UTC)
    over = hours.quiet_until(began, berlin, 22, 6)
    assert over is not None
    assert over - began == timedelta(hours=7)


def test_a_day_that_a_country_skips_takes_no_daily_hour_along() -> None:
    apia = ZoneInfo("Pacific/Apia")
    first = hours.next_at(datetime(2011, 12, 29, 12, tzinfo=apia), apia, 8)
    second = hours.next_at(first, apia, 8)
    assert [f"{one.astimezone(apia):%d %H}" for one in (first, second)] == ["31 08", "01 08"]
