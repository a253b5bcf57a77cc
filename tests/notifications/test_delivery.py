"""Delivery against a real mail server: at least once, with one Message-ID, and never for what is no longer wanted."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from typing import Any

import pytest
import time_machine
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.utils import timezone

from notifications import delivery, sources
from notifications.models import Letter
from notifications.sources import Rendered, Waiting
from tests.factories import LetterFactory, PlayerFactory

pytestmark = pytest.mark.django_db


class Source:
    """A letter source whose letters say what the test wants."""

    def __init__(self) -> None:
        self.wanted, self.subject, self.rendered = True, "Привет, Ömer", 0

    def still_wanted(self, letter: Waiting) -> bool:
        return self.wanted

    def render(self, letter: Waiting) -> Rendered:
        self.rendered += 1
        return Rendered(self.subject, "Ход за вами.\nSıra sizde.", "<p>Ход за вами.</p>", {"List-Id": "<game-1.localhost>"})


class Server:
    """A mail server that keeps what it accepts and refuses what it is told to."""

    def __init__(self) -> None:
        self.accepted: list[bytes] = []
        self.at_rcpt = self.after_data = ""
        self.drop_after_data = False

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        envelope.rcpt_tos.append(address)
        return self.at_rcpt or "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if not self.after_data:
            assert isinstance(envelope.content, bytes)
            self.accepted.append(envelope.content)
        if self.drop_after_data:
            assert server.transport is not None
            server.transport.close()
        return self.after_data or "250 accepted"


@pytest.fixture
def source() -> Iterator[Source]:
    source = Source()
    sources.register("test", source)
    yield source
    sources._sources.pop("test", None)


@pytest.fixture
def server(settings: Any) -> Iterator[Server]:
    server = Server()
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    controller = Controller(server, hostname="127.0.0.1", port=port)
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    yield server
    controller.stop()


def state(letter: Letter) -> str:
    letter.refresh_from_db()
    return letter.state


def later() -> Any:
    return time_machine.travel(timezone.now() + timedelta(hours=13), tick=False)


def test_a_letter_is_sent_once_with_its_message_id_in_any_alphabet(source: Source, server: Server) -> None:
    letter = LetterFactory.create()
    assert delivery.deliver(letter.key)
    assert not delivery.deliver(letter.key)
    assert delivery.deliver_waiting() == 0
    [sent] = [message_from_bytes(one, policy=policy.default) for one in server.accepted]
    assert (sent["Message-ID"], sent["Subject"], sent["To"]) == (letter.message_id, "Привет, Ömer", letter.recipient.email)
    body = sent.get_body(("plain",))
    assert body is not None
    assert "Sıra sizde." in body.get_content()
    assert (state(letter), bytes(letter.mime)) == ("sent", b"")


def test_what_is_no_longer_wanted_is_dropped(source: Source, server: Server) -> None:
    letter = LetterFactory.create()
    source.wanted = False
    assert not delivery.deliver(letter.key)
    assert (state(letter), server.accepted) == ("dropped", [])


def test_R3_a_lost_nudge_is_found_by_the_sweep(source: Source, server: Server) -> None:
    letters = LetterFactory.create_batch(3)
    assert delivery.deliver_waiting() == 3
    assert {state(letter) for letter in letters} == {"sent"}


@pytest.mark.parametrize(("at_rcpt", "after_data"), [("450 later", ""), ("421 busy", ""), ("", "451 later")])
def test_R11_a_temporary_refusal_is_tried_again_with_the_same_mime(
    source: Source, server: Server, at_rcpt: str, after_data: str
) -> None:
    letter = LetterFactory.create()
    server.at_rcpt, server.after_data = at_rcpt, after_data
    assert not delivery.deliver(letter.key)
    assert state(letter) == "waiting"
    assert letter.reason
    assert not delivery.deliver(letter.key), "not before its time"
    server.at_rcpt = server.after_data = ""
    with later():
        assert delivery.deliver_waiting() == 1
    assert source.rendered == 1
    assert (state(letter), letter.attempts) == ("sent", 2)


@pytest.mark.parametrize(("at_rcpt", "after_data"), [("550 no such user", ""), ("", "554 spam")])
def test_R11_a_refusal_for_good_fails_with_its_reason(source: Source, server: Server, at_rcpt: str, after_data: str) -> None:
    letter = LetterFactory.create()
    server.at_rcpt, server.after_data = at_rcpt, after_data
    assert not delivery.deliver(letter.key)
    assert state(letter) == "failed"
    assert at_rcpt[4:] in letter.reason
    assert after_data[4:] in letter.reason


def test_R10_accepted_and_then_cut_off_is_at_worst_the_same_letter_again(source: Source, server: Server) -> None:
    letter = LetterFactory.create()
    server.drop_after_data = True
    delivery.deliver(letter.key)
    server.drop_after_data = False
    with later():
        delivery.deliver_waiting()
    assert state(letter) == "sent"
    assert {message_from_bytes(one)["Message-ID"] for one in server.accepted} == {letter.message_id}


def test_R2_a_letter_whose_worker_was_killed_in_flight_is_taken_up_again(source: Source, server: Server) -> None:
    letter = LetterFactory.create()
    assert delivery._claim(letter.pk) is not None
    assert delivery.deliver_waiting() == 0
    with later():
        assert delivery.deliver_waiting() == 1
    assert state(letter) == "sent"


def test_R27_a_source_that_only_another_version_knows_is_left_not_dropped(server: Server) -> None:
    letter = LetterFactory.create(source="tomorrow")
    assert not delivery.deliver(letter.key)
    assert state(letter) == "queued"


def test_a_poisoned_letter_waits_and_the_others_go(source: Source, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    poisoned, good = LetterFactory.create(), LetterFactory.create()
    render = source.render

    def fail_once(letter: Waiting) -> Rendered:
        if letter.key == poisoned.key:
            raise RuntimeError("broken template")
        return render(letter)

    monkeypatch.setattr(source, "render", fail_once)
    assert delivery.deliver_waiting() == 1
    assert (state(poisoned), state(good)) == ("waiting", "sent")
    assert "broken template" in poisoned.reason


@pytest.mark.parametrize(
    "subject", ["a\r\nBcc: all@example.org", "a\u2028b", "a\u202eb", '"quoted", <b>&', "x" * 2000, "=?utf-8?q?x?="]
)
def test_a_subject_can_be_anything_and_the_letter_goes_out(source: Source, server: Server, subject: str) -> None:
    source.subject = subject
    letter = LetterFactory.create()
    assert delivery.deliver(letter.key)
    sent = message_from_bytes(server.accepted[0])
    assert sent["Bcc"] is None
    assert sent["Message-ID"] == letter.message_id


def test_an_account_that_is_closed_gets_nothing(source: Source, server: Server) -> None:
    letter = LetterFactory.create(recipient=PlayerFactory.create(is_active=False))
    assert not delivery.deliver(letter.key)
    assert state(letter) == "dropped"
