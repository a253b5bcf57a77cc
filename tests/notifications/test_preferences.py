"""What a reader wants of letters, asked when one is about to go (N15, N18)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError
from django.utils import timezone

from accounts.models import Player
from notifications import delivery, holds, preferences, topics
from notifications.models import Letter, Preference
from notifications.sources import Rendered, Waiting
from notifications.topics import Manner, Pace, Topic
from tests.factories import LetterFactory, PreferenceFactory
from tests.notifications.conftest import Source
from tests.notifications.postoffice import PostOffice

pytestmark = pytest.mark.django_db


class Reading:
    """What the reader of the test's letters has seen, and how long one is of use."""

    seen = False
    useful_until: datetime | None = None


@pytest.fixture
def reading(source: Source, monkeypatch: pytest.MonkeyPatch) -> Reading:
    """Letters of the test are about turns."""
    reading = Reading()
    monkeypatch.setattr(topics, "_manners", {})
    file(Topic.TURNS, reading)
    return reading


def file(topic: Topic, reading: Reading) -> None:
    topics.file("test", {"test": Manner(topic, lambda _letter: reading.seen, lambda _letter: reading.useful_until)})


def sent(letter: Letter) -> bool:
    delivery.deliver(letter.key)
    letter.refresh_from_db()
    return letter.state == Letter.State.SENT


def at(moment: str) -> Any:
    return time_machine.travel(moment, tick=False)


def test_who_chose_nothing_gets_each_letter(bob: Player, reading: Reading, office: PostOffice) -> None:
    assert all(sent(LetterFactory.create(recipient=bob)) for _ in range(2))


@pytest.mark.parametrize(("pace", "reason"), [(Pace.NONE, preferences.OFF), (Pace.DAILY, preferences.GATHERED)])
def test_N18_what_is_not_wanted_so_is_dropped_with_the_reason(
    bob: Player, reading: Reading, office: PostOffice, pace: Pace, reason: str
) -> None:
    PreferenceFactory.create(player=bob, turns=pace)
    letter = LetterFactory.create(recipient=bob)
    assert not sent(letter)
    assert (letter.state, letter.reason, office.accepted) == ("dropped", reason, [])


def test_letters_that_nobody_may_choose_about_always_go(bob: Player, source: Source, office: PostOffice) -> None:
    PreferenceFactory.create(player=bob, quiet_from=0, quiet_until=23, **dict.fromkeys(preferences.Wishes().paces, Pace.NONE))
    with at("2027-01-01T12:00:00Z"):
        letter = LetterFactory.create(recipient=bob)
        assert sent(letter)
    assert office.letters[0]["List-Unsubscribe"] is None


def test_N15_what_was_seen_is_told_only_to_who_wants_it_always(bob: Player, reading: Reading, office: PostOffice) -> None:
    reading.seen = True
    letter = LetterFactory.create(recipient=bob)
    assert not sent(letter)
    assert letter.reason == preferences.SEEN
    PreferenceFactory.create(player=bob, turns=Pace.ALWAYS)
    assert sent(LetterFactory.create(recipient=bob))


def test_N18_one_letter_for_all_games_until_the_player_comes(bob: Player, reading: Reading, office: PostOffice) -> None:
    PreferenceFactory.create(player=bob, turns=Pace.ONCE)
    first, second = LetterFactory.create_batch(2, recipient=bob)
    assert sent(first)
    assert not sent(second)
    assert second.reason == preferences.ONCE
    Player.objects.filter(pk=bob.pk).update(told_at=None)
    assert sent(LetterFactory.create(recipient=bob))


def test_one_letter_that_the_mail_server_did_not_take_silences_no_other(
    bob: Player, reading: Reading, office: PostOffice
) -> None:
    PreferenceFactory.create(player=bob, turns=Pace.ONCE)
    office.at_rcpt = "450 later"
    assert not sent(LetterFactory.create(recipient=bob))
    office.at_rcpt = ""
    assert sent(LetterFactory.create(recipient=bob))


def while_rendering(source: Source, act: Callable[[], object]) -> None:
    """Once, while the next letter is rendered, something else happens."""
    says = source.says

    def interrupted(letter: Waiting) -> Rendered:
        source.says = says
        act()
        return says(letter)

    source.says = interrupted


def test_N18_of_two_letters_in_the_same_second_one_goes(
    bob: Player, source: Source, reading: Reading, office: PostOffice
) -> None:
    PreferenceFactory.create(player=bob, turns=Pace.ONCE)
    with at("2027-01-01T12:00:00Z"):
        first, second = LetterFactory.create_batch(2, recipient=bob)
        while_rendering(source, lambda: sent(second))
        assert sent(first)
        second.refresh_from_db()
        assert (second.state, second.attempts, second.reason) == ("queued", 0, preferences.BEHIND)
        assert second.due_at == _utc("2027-01-01T12:01")
    with at("2027-01-01T12:01:00Z"):
        assert not sent(second)
    assert (second.state, second.reason) == ("dropped", preferences.ONCE)


def test_the_letter_that_waited_goes_when_the_other_did_not_arrive(
    bob: Player, source: Source, reading: Reading, office: PostOffice
) -> None:
    PreferenceFactory.create(player=bob, turns=Pace.ONCE)
    with at("2027-01-01T12:00:00Z"):
        first, second = LetterFactory.create_batch(2, recipient=bob)
        while_rendering(source, lambda: sent(second))
        office.at_rcpt = "450 later"
        assert not sent(first)
    office.at_rcpt = ""
    with at("2027-01-01T12:01:00Z"):
        assert sent(second)
        assert not sent(first)
    assert first.reason == preferences.ONCE


def test_R2_the_one_letter_that_was_lost_with_its_worker_goes_again(bob: Player, reading: Reading, office: PostOffice) -> None:
    row = PreferenceFactory.create(player=bob, turns=Pace.ONCE)
    with at("2027-01-01T12:00:00Z"):
        lost = LetterFactory.create(recipient=bob, state=Letter.State.IN_FLIGHT, attempts=1, due_at=_utc("2027-01-01T12:05"))
        Preference.objects.filter(pk=row.pk).update(let_go=lost)
        assert not sent(LetterFactory.create(recipient=bob))
    with at("2027-01-01T12:05:00Z"):
        assert delivery.deliver_waiting() == 1
    lost.refresh_from_db()
    assert lost.state == Letter.State.SENT


def test_who_was_told_while_a_letter_was_taken_is_not_told_again(
    bob: Player, reading: Reading, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    PreferenceFactory.create(player=bob, turns=Pace.ONCE)
    waiting = preferences._the_one

    def later(*given: Any) -> preferences.Verdict:
        Player.objects.filter(pk=bob.pk).update(told_at=timezone.now())
        return waiting(*given)

    monkeypatch.setattr(preferences, "_the_one", later)
    letter = LetterFactory.create(recipient=bob)
    assert not sent(letter)
    assert letter.reason == preferences.ONCE


def test_a_warning_comes_beside_the_one_letter(bob: Player, reading: Reading, office: PostOffice) -> None:
    PreferenceFactory.create(player=bob, turns=Pace.ONCE)
    assert sent(LetterFactory.create(recipient=bob))
    file(Topic.WARNINGS, reading)
    assert sent(LetterFactory.create(recipient=bob))


def test_in_quiet_hours_a_letter_waits_until_they_end(bob: Player, reading: Reading, office: PostOffice) -> None:
    bob.time_zone = "Europe/Istanbul"
    bob.save()
    PreferenceFactory.create(player=bob, quiet_from=22, quiet_until=7)
    with at("2027-01-01T19:00:00Z"):
        letter = LetterFactory.create(recipient=bob)
        assert not sent(letter)
        assert (letter.state, letter.attempts, letter.reason) == ("queued", 0, preferences.QUIET)
    with at("2027-01-02T03:59:59Z"):
        assert delivery.deliver_waiting() == 0
    with at("2027-01-02T04:00:00Z"):
        assert delivery.deliver_waiting() == 1
    letter.refresh_from_db()
    assert (letter.state, letter.reason) == ("sent", "")


def test_what_nobody_wants_any_more_when_quiet_hours_end_is_dropped(
    bob: Player, source: Source, reading: Reading, office: PostOffice
) -> None:
    PreferenceFactory.create(player=bob, quiet_from=22, quiet_until=7)
    with at("2027-01-01T23:00:00Z"):
        letter = LetterFactory.create(recipient=bob)
        assert not sent(letter)
    source.wanted = False
    with at("2027-01-02T07:00:00Z"):
        assert not sent(letter)
    assert (letter.state, office.accepted) == ("dropped", [])


def test_a_letter_that_was_written_before_quiet_hours_waits_as_it_is(bob: Player, reading: Reading, office: PostOffice) -> None:
    PreferenceFactory.create(player=bob, quiet_from=22, quiet_until=7)
    office.at_rcpt = "450 later"
    with at("2027-01-01T21:59:30Z"):
        letter = LetterFactory.create(recipient=bob)
        assert not sent(letter)
        written = bytes(letter.mime)
    office.at_rcpt = ""
    with at("2027-01-01T22:01:00Z"):
        assert not sent(letter)
        assert (letter.state, letter.attempts, bytes(letter.mime)) == ("waiting", 1, written)
    with at("2027-01-02T07:00:00Z"):
        assert sent(letter)


@pytest.mark.parametrize(("deadline", "goes"), [("06:00", True), ("08:00", True), ("08:01", False)])
def test_a_warning_that_would_come_too_late_does_not_wait_for_the_morning(
    bob: Player, reading: Reading, office: PostOffice, deadline: str, goes: bool
) -> None:
    PreferenceFactory.create(player=bob, quiet_from=22, quiet_until=7)
    reading.useful_until = datetime.fromisoformat(f"2027-01-02T{deadline}+00:00")
    with at("2027-01-02T02:00:00Z"):
        assert sent(LetterFactory.create(recipient=bob)) == goes


def test_a_hold_of_the_house_keeps_every_letter(bob: Player, source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create(recipient=bob)
    holds.register("test", lambda: True)
    assert not sent(letter)
    assert delivery.deliver_waiting() == 0
    holds.unregister("test")
    assert delivery.deliver_waiting() == 1


# -- the hour of the daily letter ----------------------------------------------------------------------------------------


def test_the_hour_of_the_daily_letter_is_set_while_something_is_gathered(bob: Player) -> None:
    with at("2027-01-01T12:00:00Z"):
        assert PreferenceFactory.create(player=bob, ends=Pace.DAILY, digest_hour=9).digest_at == _utc("2027-01-02T09:00")
        assert PreferenceFactory.create(player=bob, digest_hour=9).digest_at is None


def test_a_player_who_moves_gets_the_daily_letter_by_the_new_clock(bob: Player) -> None:
    with at("2027-01-01T12:00:00Z"):
        row = PreferenceFactory.create(player=bob, turns=Pace.DAILY)
        bob.time_zone = "America/New_York"
        bob.save()
        preferences.move_to(player_id=bob.pk, zone=bob.zone)
        row.refresh_from_db()
    assert row.digest_at == _utc("2027-01-01T13:00")


def test_a_day_is_taken_once(bob: Player) -> None:
    with at("2027-01-01T12:00:00Z"):
        PreferenceFactory.create(player=bob, turns=Pace.DAILY)
    now = _utc("2027-01-02T08:00")
    assert preferences.due_daily(now - timedelta(seconds=1)) == []
    assert preferences.due_daily(now) == [bob.pk]
    assert preferences.take_daily(bob.pk, now) == "2027-01-02"
    assert preferences.take_daily(bob.pk, now) is None
    assert preferences.due_daily(now) == []


@pytest.mark.parametrize(
    ("back", "day", "then"),
    [
        ("2027-01-02T19:59", "2027-01-02", "2027-01-03"),
        ("2027-01-02T20:01", None, "2027-01-03"),
        ("2027-01-09T09:00", "2027-01-09", "2027-01-10"),
        ("2027-01-09T07:59", None, "2027-01-09"),
    ],
)
def test_a_daily_letter_that_was_missed_comes_when_it_can_unless_the_next_is_nearer(
    bob: Player, back: str, day: str | None, then: str
) -> None:
    with at("2027-01-01T12:00:00Z"):
        PreferenceFactory.create(player=bob, turns=Pace.DAILY)
    assert preferences.take_daily(bob.pk, _utc(back)) == day
    assert Preference.objects.get(player=bob).digest_at == _utc(f"{then}T08:00")


def _utc(moment: str) -> datetime:
    return datetime.fromisoformat(f"{moment}+00:00")


def test_nobody_chooses_what_a_topic_does_not_have(bob: Player) -> None:
    with pytest.raises(IntegrityError):
        PreferenceFactory.create(player=bob, warnings=Pace.DAILY)


def test_what_somebody_who_left_chose_is_forgotten(bob: Player) -> None:
    PreferenceFactory.create(player=bob, turns=Pace.NONE)
    preferences.forget(bob.pk)
    assert preferences.wishes_of(bob.pk) == preferences.Wishes()
