"""Delivery against a real mail server: at least once, always the same letter, and never what is no longer wanted."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from datetime import timedelta
from threading import Barrier, Thread
from time import monotonic
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from accounts.models import Player
from notifications import delivery, tasks
from notifications.models import Letter
from notifications.sources import Rendered, Waiting
from tests.factories import LetterFactory, PlayerFactory
from tests.notifications.conftest import Source
from tests.notifications.postoffice import PostOffice, opened

pytestmark = pytest.mark.django_db


def state(letter: Letter) -> str:
    letter.refresh_from_db()
    return letter.state


def after(wait: timedelta) -> Any:
    return time_machine.travel(timezone.now() + wait, tick=False)


def test_a_letter_is_sent_once_whole_and_in_any_alphabet(bob: Player, source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create(recipient=bob)
    assert delivery.deliver(letter.key)
    assert not delivery.deliver(letter.key)
    assert delivery.deliver_waiting() == 0
    [sent] = office.letters
    assert (sent["Message-ID"], sent["Subject"], sent["To"]) == (letter.message_id, "Привет, Ömer", bob.email)
    assert sent["Auto-Submitted"] == "auto-generated"
    [plain, html] = [part.get_content() for part in sent.iter_parts()]
    assert plain.splitlines() == ["Ход за вами.", "Sıra sizde."]
    assert html.strip() == "<p>Ход.</p>"
    assert (state(letter), bytes(letter.mime), letter.due_at, letter.reason) == ("sent", b"", None, "")
    assert letter.sent_at is not None


def test_what_is_no_longer_wanted_is_dropped(source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create()
    source.wanted = False
    assert not delivery.deliver(letter.key)
    assert (state(letter), letter.due_at, office.accepted) == ("dropped", None, [])


def test_R12_a_letter_that_waited_is_dropped_when_its_turn_is_over(source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create()
    office.at_rcpt = "450 later"
    delivery.deliver(letter.key)
    office.at_rcpt, source.wanted = "", False
    with after(timedelta(days=2)):
        assert delivery.deliver_waiting() == 0
    assert (state(letter), bytes(letter.mime), office.accepted) == ("dropped", b"", [])


def test_R3_a_lost_nudge_is_found_by_the_sweep_which_uses_one_line_for_all(source: Source, office: PostOffice) -> None:
    letters = LetterFactory.create_batch(5)
    tasks.sweep()
    assert {state(letter) for letter in letters} == {"sent"}
    assert (len(office.accepted), office.lines) == (5, 1)


def test_the_longest_owed_goes_first_and_the_rest_next_time(source: Source, office: PostOffice) -> None:
    now = timezone.now()
    young, old = (LetterFactory.create(due_at=now - timedelta(minutes=age)) for age in (1, 2))
    assert delivery.deliver_waiting(limit=1) == 1
    assert (state(old), state(young)) == ("sent", "queued")


def test_a_nudge_that_comes_twice_sends_once(source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create()
    tasks.deliver(letter.key)
    tasks.deliver(letter.key)
    tasks.deliver("no such letter")
    assert len(office.accepted) == 1


def test_a_thread_that_finds_the_postman_busy_leaves_its_letter_to_the_sweep(source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create()
    with tasks.postman:
        tasks.deliver(letter.key)
        tasks.sweep()
        assert state(letter) == "queued"
    tasks.sweep()
    assert state(letter) == "sent"


@pytest.mark.parametrize(
    ("at_rcpt", "after_data", "hang_up"),
    [
        ("450 mailbox busy", "", None),
        ("421 closing", "", None),
        ("452 too many", "", None),
        ("", "451 local error", None),
        ("", "", "in DATA"),
    ],
)
def test_R11_what_is_refused_for_now_is_tried_again_as_it_was(
    source: Source, office: PostOffice, at_rcpt: str, after_data: str, hang_up: str | None
) -> None:
    letter, other = LetterFactory.create(), LetterFactory.create()
    office.at_rcpt, office.after_data, office.hang_up = at_rcpt, after_data, hang_up
    assert not delivery.deliver(letter.key)
    assert state(letter) == "waiting"
    assert (at_rcpt or after_data or "SMTPServerDisconnected") in letter.reason
    rendered = bytes(letter.mime)
    office.at_rcpt, office.after_data, office.hang_up = "", "", None
    assert delivery.deliver_waiting() == 1, "the other one goes, this one not before its time"
    with after(delivery.BACK_OFF[0]):
        assert delivery.deliver_waiting() == 1
    assert (state(letter), letter.attempts, state(other)) == ("sent", 2, "sent")
    assert source.rendered == 2
    assert office.accepted[-1].replace(b"\r\n", b"\n").strip() == rendered.strip()


@pytest.mark.parametrize(
    ("at_rcpt", "after_data"), [("550 no such user", ""), ("551 not here", ""), ("", "554 looks like spam"), ("", "552 too big")]
)
def test_R11_what_is_refused_for_good_fails_with_the_reason(
    bob: Player, source: Source, office: PostOffice, at_rcpt: str, after_data: str, caplog: pytest.LogCaptureFixture
) -> None:
    letter = LetterFactory.create(recipient=bob)
    office.at_rcpt, office.after_data = at_rcpt, after_data
    assert not delivery.deliver(letter.key)
    assert (state(letter), letter.due_at, letter.reason) == ("failed", None, at_rcpt or after_data)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert bob.email not in caplog.text


def test_L9_a_mail_server_that_names_a_link_of_the_letter_puts_no_token_into_the_outbox(
    source: Source, office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    letter, token = LetterFactory.create(), "0123456789abcdef" * 2
    office.after_data = f"554 5.7.1 blocked: http://games.example.org/rights/{token}/?at=17"
    assert not delivery.deliver(letter.key)
    assert (state(letter), letter.reason) == ("failed", "554 5.7.1 blocked: http://games.example.org/rights/…/?at=17")
    assert token not in caplog.text


def test_R10_accepted_and_then_cut_off_is_at_worst_the_same_letter_again(source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create()
    office.hang_up = "once accepted"
    assert not delivery.deliver(letter.key)
    office.hang_up = None
    with after(delivery.BACK_OFF[0]):
        assert delivery.deliver_waiting() == 1
    first, second = office.accepted
    assert first == second
    assert office.letters[0]["Message-ID"] == letter.message_id
    assert state(letter) == "sent"


def killed(_: Waiting) -> Rendered:
    raise SystemExit


def test_R2_a_letter_whose_worker_was_killed_in_flight_is_taken_up_again(source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create()
    source.says, says = killed, source.says
    with pytest.raises(SystemExit):
        delivery.deliver(letter.key)
    assert state(letter) == "in_flight"
    assert delivery.deliver_waiting() == 0, "it may still be on its way"
    source.says = says
    with after(delivery.LOST):
        assert delivery.deliver_waiting() == 1
    assert (state(letter), letter.attempts) == ("sent", 2)


def test_a_letter_that_kills_its_worker_each_time_fails_in_the_end(source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create()
    source.says = killed
    attempts = len(delivery.BACK_OFF) + 1
    for attempt in range(attempts):
        with after(attempt * delivery.LOST), pytest.raises(SystemExit):
            delivery.deliver(letter.key)
    with after(attempts * delivery.LOST):
        assert not delivery.deliver(letter.key)
    assert (state(letter), letter.reason) == ("failed", "it was lost with its worker each time")


def test_after_the_last_wait_of_the_table_the_letter_has_failed(source: Source, office: PostOffice) -> None:
    letter, now = LetterFactory.create(), timezone.now()
    office.at_rcpt = "450 greylisted"
    for wait in (timedelta(), *delivery.BACK_OFF):
        now += wait
        with time_machine.travel(now, tick=False):
            assert not delivery.deliver(letter.key)
    assert (state(letter), letter.attempts) == ("failed", 11)
    assert timedelta(days=3) < sum(delivery.BACK_OFF, timedelta()) < timedelta(days=5)


def test_a_worker_that_was_overtaken_changes_nothing_any_more(source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create()
    says = source.says

    def slowly(waiting: Waiting) -> Rendered:
        source.says = says
        with after(delivery.LOST):
            assert delivery.deliver(letter.key)
        return Rendered("another subject", "too late")

    source.says = slowly
    assert not delivery.deliver(letter.key)
    assert [one["Subject"] for one in office.letters] == ["Привет, Ömer"]
    assert state(letter) == "sent"


def test_a_mail_server_that_is_away_costs_no_letter_an_attempt_and_is_not_asked_for_each(
    source: Source, smtp: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters = LetterFactory.create_batch(3)
    assert delivery.deliver_waiting() == 0
    assert not delivery.deliver(letters[0].key)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert {(state(letter), letter.attempts) for letter in letters} == {("queued", 0)}
    later = monotonic() + delivery.PAUSE
    monkeypatch.setattr("notifications.delivery.monotonic", lambda: later)
    with opened(smtp) as office:
        assert delivery.deliver_waiting() == 3
    assert len(office.accepted) == 3


def test_a_mail_server_that_goes_away_in_the_middle_stops_the_rest(source: Source, smtp: int) -> None:
    first, second, third = LetterFactory.create_batch(3)
    says = source.says
    with ExitStack() as evening:
        office = evening.enter_context(opened(smtp))

        def closing(letter: Waiting) -> Rendered:
            if letter.key == second.key:
                evening.close()
            return says(letter)

        source.says = closing
        assert delivery.deliver_waiting() == 1
    assert [state(letter) for letter in (first, second, third)] == ["sent", "waiting", "queued"]
    assert len(office.accepted) == 1


def test_a_wrong_password_for_the_mail_server_is_no_letters_fault(source: Source, smtp: int, settings: Any) -> None:
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "games", "wrong"
    letter = LetterFactory.create()
    with opened(smtp):
        assert not delivery.deliver(letter.key)
    assert (state(letter), letter.attempts) == ("queued", 0)


@pytest.mark.parametrize("unknown", [{"source": "tomorrow"}, {"kind": "tomorrow"}])
def test_R27_what_only_another_version_can_write_is_left_alone(
    source: Source, office: PostOffice, unknown: dict[str, str]
) -> None:
    letter, other = LetterFactory.create(**unknown), LetterFactory.create()
    assert not delivery.deliver(letter.key)
    assert delivery.deliver_waiting() == 1
    assert (state(letter), letter.attempts, state(other)) == ("queued", 0, "sent")


def test_a_poisoned_letter_waits_and_the_others_go(source: Source, office: PostOffice) -> None:
    poisoned, good = LetterFactory.create(), LetterFactory.create()
    says = source.says

    def fails_once(letter: Waiting) -> Rendered:
        if letter.key == poisoned.key:
            raise RuntimeError("broken\x00template")
        return says(letter)

    source.says = fails_once
    assert delivery.deliver_waiting() == 1
    assert (state(poisoned), state(good)) == ("waiting", "sent")
    assert poisoned.reason == "RuntimeError: broken template"


def test_a_closed_account_gets_nothing(source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create(recipient=PlayerFactory.create(is_active=False))
    assert not delivery.deliver(letter.key)
    assert state(letter) == "dropped"


def test_a_letter_to_somebody_who_was_deleted_is_dropped(bob: Player, source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create(recipient=bob)
    bob.delete()
    assert not delivery.deliver(letter.key)
    assert state(letter) == "dropped"


def test_a_letter_goes_to_a_bare_address(source: Source, office: PostOffice) -> None:
    letter = LetterFactory.create(recipient=None, address="friend@example.org")
    assert delivery.deliver(letter.key)
    assert office.letters[0]["To"] == "friend@example.org"


@pytest.mark.locking
@pytest.mark.django_db(transaction=True)
def test_R1_of_four_workers_at_once_one_sends_each_letter(source: Source, office: PostOffice) -> None:
    letters = LetterFactory.create_batch(12)
    start, counts = Barrier(4), []

    def worker() -> None:
        start.wait()
        counts.append(delivery.deliver_waiting() + sum(delivery.deliver(letter.key) for letter in letters))
        connection.close()

    threads = [Thread(target=worker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == 12
    assert sorted(str(one["Message-ID"]) for one in office.letters) == sorted(letter.message_id for letter in letters)


@pytest.mark.locking
def test_what_is_due_is_found_by_its_index(source: Source) -> None:
    plan = Letter.objects.due(timezone.now()).order_by("due_at").explain()
    if connection.vendor == "sqlite":
        assert "letters_due" in plan
    else:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
        assert "letters_due" in Letter.objects.due(timezone.now()).order_by("due_at").explain()
