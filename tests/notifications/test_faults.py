"""What goes wrong between us and a mail server, each with real sockets: no letter is lost, none blocks those behind it, and at
worst an identical one comes twice (R10, R11)."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from notifications import delivery
from notifications.models import Bounce, Letter
from tests.factories import LetterFactory
from tests.notifications.conftest import Source
from tests.notifications.faults import DROP, HANG, Fault, Office, opened

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _impatient(smtp: int, settings: Any) -> None:
    settings.EMAIL_TIMEOUT = 0.4


def two_letters(now: Any) -> tuple[Letter, Letter]:
    first, second = (LetterFactory.create(due_at=now - timedelta(minutes=age)) for age in (2, 1))
    return first, second


def email_of(letter: Letter) -> str:
    assert letter.recipient is not None
    return letter.recipient.email


def copies(office: Office, letter: Letter) -> list[bytes]:
    return [one.content for one in office.taken if letter.message_id.encode() in one.content]


def deliver_later(wait: timedelta) -> None:
    with time_machine.travel(timezone.now() + wait, tick=False):
        delivery.deliver_waiting()


@pytest.mark.parametrize(
    ("fault", "said", "most"),
    [
        pytest.param(Fault("MAIL", "421 closing"), "421 closing", 1, id="421 at MAIL"),
        pytest.param(Fault("RCPT", "450 mailbox busy"), "450 mailbox busy", 1, id="450 at RCPT"),
        pytest.param(Fault("in DATA", DROP), "", 1, id="drop in DATA"),
        pytest.param(Fault("after DATA", "451 try later"), "451 try later", 1, id="451 after DATA"),
        pytest.param(Fault("after DATA", DROP, keeps=True), "SMTPServerDisconnected", 2, id="accept then drop"),
        pytest.param(Fault("after DATA", HANG, keeps=True), "SMTPServerDisconnected", 2, id="accept then hang"),
        pytest.param(Fault("MAIL", HANG), "SMTPServerDisconnected", 1, id="hang at MAIL"),
    ],
)
def test_R10_R11_a_letter_that_met_a_fault_waits_and_goes_as_it_was(
    fault: Fault, said: str, most: int, source: Source, smtp: int
) -> None:
    first, second = two_letters(timezone.now())
    with opened(smtp, fault) as office:
        delivery.deliver_waiting()
        for letter in (first, second):
            letter.refresh_from_db()
        assert (first.state, first.attempts, second.state) == ("waiting", 1, "sent")
        assert said in first.reason
        assert first.due_at is not None
        assert first.due_at - timezone.now() <= delivery.BACK_OFF[0]
        written = bytes(first.mime)
        deliver_later(timedelta())
        deliver_later(delivery.BACK_OFF[0])
    first.refresh_from_db()
    assert (first.state, first.attempts, bytes(first.mime)) == ("sent", 2, b"")
    assert len(copies(office, second)) == 1
    assert len(copies(office, first)) == most
    assert {one.replace(b"\r\n", b"\n").strip() for one in copies(office, first)} == {written.strip()}
    assert not Bounce.objects.exists()


@pytest.mark.parametrize("does", [DROP, HANG])
def test_R10_a_letter_that_was_accepted_before_the_line_broke_is_sent_once(does: str, source: Source, smtp: int) -> None:
    first, second = two_letters(timezone.now())
    with opened(smtp, Fault("after 250", does)) as office:
        delivery.deliver_waiting()
        deliver_later(delivery.BACK_OFF[0])
    for letter in (first, second):
        letter.refresh_from_db()
        assert letter.state == "sent"
        assert len(copies(office, letter)) == 1
    assert second.attempts == 2


def test_R11_550_at_RCPT_fails_the_letter_marks_the_address_and_the_next_one_goes(
    source: Source, smtp: int, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = two_letters(timezone.now())
    address = email_of(first)
    with opened(smtp, Fault("RCPT", f"550 5.1.1 <{address}>: no such user")) as office:
        assert delivery.deliver_waiting() == 1
    first.refresh_from_db()
    assert (first.state, first.due_at, bytes(first.mime)) == ("failed", None, b"")
    assert first.reason == f"550 5.1.1 <{address}>: no such user"
    assert [one.recipient for one in office.taken] == [email_of(second)]
    assert Bounce.objects.get().address == address
    assert address not in caplog.text


@pytest.mark.parametrize(
    "fault",
    [
        Fault("after DATA", "554 looks like spam"),
        Fault("after DATA", "552 5.2.3 too long"),
        Fault("RCPT", "554 relay access denied"),
        Fault("RCPT", "550 5.7.1 you are on a list"),
    ],
    ids=lambda fault: fault.does,
)
def test_R11_554_alarms_for_it_is_about_us_and_marks_nobody(
    fault: Fault, source: Source, smtp: int, caplog: pytest.LogCaptureFixture
) -> None:
    first, _second = two_letters(timezone.now())
    with opened(smtp, fault):
        assert delivery.deliver_waiting() == 1
    first.refresh_from_db()
    assert (first.state, first.reason) == ("failed", fault.does)
    assert [(one.name, one.levelno) for one in caplog.records] == [("notifications.alarm", logging.ERROR)]
    assert not Bounce.objects.exists()


@pytest.mark.parametrize(
    "fault",
    [
        Fault("RCPT", "550 gone"),
        Fault("RCPT", "552 5.2.2 mailbox full"),
        Fault("RCPT", "554 5.1.1 gone"),
        Fault("RCPT", "550 5.4.1 access denied"),
        Fault("after DATA", "550 5.1.1 gone"),
    ],
    ids=lambda fault: fault.does,
)
def test_R11_what_servers_say_of_a_mailbox_marks_its_address(fault: Fault, source: Source, smtp: int) -> None:
    first, _second = two_letters(timezone.now())
    with opened(smtp, fault):
        assert delivery.deliver_waiting() == 1
    mark = Bounce.objects.get()
    assert (mark.address, mark.reason, mark.returned) == (email_of(first), fault.does, False)
    assert mark.since == mark.at
