"""Marked addresses: what is tried, what is dropped for that reason, and how an address comes right again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from accounts.models import Player
from notifications import bounces, delivery, tasks, topics
from notifications.models import Bounce, Letter
from notifications.topics import Manner, Topic
from tests.factories import BounceFactory, LetterFactory
from tests.notifications.conftest import Source
from tests.notifications.postoffice import PostOffice

pytestmark = pytest.mark.django_db


@pytest.fixture
def about_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters of the test are about turns; without this, nobody may choose about them."""
    monkeypatch.setitem(topics._manners, ("test", "test"), Manner(Topic.TURNS))


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel("2026-12-01T12:00:00Z", tick=False) as clock:
        yield clock


def state(letter: Letter) -> tuple[str, str]:
    letter.refresh_from_db()
    return letter.state, letter.reason


def owed(to: Player) -> Letter:
    return LetterFactory.create(recipient=to)


@pytest.mark.usefixtures("about_turns")
def test_R11_after_a_550_letters_about_games_are_dropped_and_the_reason_says_so(
    bob: Player, source: Source, office: PostOffice
) -> None:
    first, second = owed(bob), owed(bob)
    office.at_rcpt = "550 no such user"
    delivery.deliver_waiting()
    assert (state(first), state(second)) == (("failed", "550 no such user"), ("dropped", "the address bounces"))
    assert bounces.bouncing(["BOB@example.org", "alice@example.org"]) == {"bob@example.org"}
    trouble = bounces.trouble_of(bob.email)
    assert trouble is not None
    assert (trouble.address, trouble.missed) == ("bob@example.org", 2)


def test_letters_that_nobody_may_choose_about_are_always_tried(bob: Player, source: Source, office: PostOffice) -> None:
    BounceFactory.create(address=bob.email)
    letter = LetterFactory.create(recipient=None, address=bob.email)
    assert delivery.deliver(letter.key)
    assert not Bounce.objects.exists(), "it was accepted by the server that had refused"


@pytest.mark.usefixtures("about_turns")
def test_once_a_day_one_letter_is_tried_so_that_who_plays_by_letters_alone_is_not_lost(
    bob: Player, source: Source, office: PostOffice, clock: Any
) -> None:
    BounceFactory.create(address=bob.email)
    missed = owed(bob)
    delivery.deliver_waiting()
    clock.shift(timedelta(hours=23, minutes=59))
    early = owed(bob)
    delivery.deliver_waiting()
    assert (state(missed)[0], state(early)[0], office.accepted) == ("dropped", "dropped", [])
    clock.shift(timedelta(minutes=1))
    office.at_rcpt = "550 no such user"
    trial, after = owed(bob), owed(bob)
    delivery.deliver_waiting()
    assert (state(trial)[0], state(after)[0]) == ("failed", "dropped")
    clock.shift(timedelta(days=1))
    office.at_rcpt = ""
    assert delivery.deliver(owed(bob).key)
    assert not Bounce.objects.exists()


@pytest.mark.usefixtures("about_turns")
def test_when_the_mark_goes_what_was_missed_goes_out_as_far_as_it_is_of_use(
    bob: Player, source: Source, office: PostOffice
) -> None:
    office.at_rcpt = "550 no such user"
    failed, dropped = owed(bob), owed(bob)
    delivery.deliver_waiting()
    other = LetterFactory.create(recipient=bob, state="dropped", due_at=None, reason="it is no longer wanted")
    office.at_rcpt = ""
    assert bounces.works("Bob@Example.org")
    assert not bounces.works("bob@example.org")
    assert delivery.deliver_waiting() == 2
    assert [state(one)[0] for one in (failed, dropped, other)] == ["sent", "sent", "dropped"]
    assert [one["Message-ID"] for one in office.letters] == [failed.message_id, dropped.message_id]


@pytest.mark.usefixtures("about_turns")
def test_R12_what_is_not_wanted_any_more_stays_at_home(bob: Player, source: Source, office: PostOffice) -> None:
    BounceFactory.create(address=bob.email)
    letter = owed(bob)
    delivery.deliver_waiting()
    bounces.works(bob.email)
    source.wanted = False
    delivery.deliver_waiting()
    assert state(letter) == ("dropped", "it is no longer wanted")
    assert office.accepted == []


@pytest.mark.usefixtures("about_turns")
def test_an_address_whose_letters_came_back_is_not_cleared_by_a_server_that_takes_everything(
    bob: Player, source: Source, office: PostOffice, clock: Any
) -> None:
    BounceFactory.create(address=bob.email, returned=True)
    clock.shift(timedelta(days=1))
    trial = owed(bob)
    assert delivery.deliver(trial.key)
    assert Bounce.objects.get().tried_at == timezone.now()
    clock.shift(timedelta(hours=12))
    waits = owed(bob)
    delivery.deliver_waiting()
    assert state(waits) == ("dropped", "the address bounces")
    clock.shift(timedelta(hours=12))
    assert delivery.deliver(owed(bob).key), "a day later the trial has not come back"
    assert not Bounce.objects.exists()
    assert delivery.deliver(waits.key)


def test_who_changes_the_address_is_free_of_the_mark(bob: Player, source: Source, office: PostOffice) -> None:
    BounceFactory.create(address=bob.email)
    bob.email = "new@example.org"
    bob.save()
    assert bounces.trouble_of(bob.email) is None
    assert delivery.deliver(owed(bob).key)
    assert Bounce.objects.exists()


def test_letters_that_are_only_late_are_counted_and_mark_nothing(bob: Player) -> None:
    bounces.count_delay(bob.email)
    bounces.count_delay("BOB@example.org")
    assert Bounce.objects.get().delays == 2
    assert bounces.mark_of(bob.email) is None
    assert not bounces.works(bob.email)
    bounces.mark(bob.email, reason="550", returned=False)
    marked = bounces.mark_of(bob.email)
    assert marked is not None
    assert marked.delays == 2


def test_the_mark_remembers_since_when(bob: Player, clock: Any) -> None:
    bounces.mark(bob.email, reason="550", returned=False)
    clock.shift(timedelta(days=3))
    bounces.mark(bob.email, reason="551", returned=False)
    mark = bounces.mark_of(bob.email)
    assert mark is not None
    assert mark.at == timezone.now()
    assert mark.since == timezone.now() - timedelta(days=3)


def test_nothing_is_remembered_longer_than_of_use(bob: Player, clock: Any) -> None:
    BounceFactory.create(address=bob.email)
    BounceFactory.create(address="stranger@example.org")
    bounces.count_delay("slow@example.org")
    clock.shift(timedelta(days=29))
    tasks.forget_old()
    assert Bounce.objects.count() == 3
    clock.shift(timedelta(days=2))
    tasks.forget_old()
    assert [one.address for one in Bounce.objects.all()] == [bob.email]
    bounces.forget([bob.email.upper()])
    assert not Bounce.objects.exists()


@pytest.mark.locking
@pytest.mark.django_db(transaction=True)
def test_four_that_learn_of_it_at_once_make_one_mark_and_what_was_missed_is_owed_once() -> None:
    letter = LetterFactory.create(
        recipient=None, address="gone@example.org", state="dropped", due_at=None, reason=bounces.BOUNCES
    )
    cleared: list[bool] = []

    def all_at_once(work: Callable[[], object]) -> None:
        start = Barrier(4)

        def one() -> None:
            start.wait()
            work()
            connection.close()

        threads = [Thread(target=one) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    all_at_once(lambda: bounces.mark("gone@example.org", reason="550", returned=True))
    assert Bounce.objects.count() == 1
    all_at_once(lambda: bounces.count_delay("gone@example.org"))
    assert Bounce.objects.get().delays == 4
    all_at_once(lambda: cleared.append(bounces.works("gone@example.org")))
    assert sorted(cleared) == [False, False, False, True]
    assert state(letter) == ("queued", "")
