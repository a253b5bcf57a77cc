"""Reports that come to a return path: the letter is found, the address marked, and nothing is ever taken for an answer."""

from __future__ import annotations

import io
import logging
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from accounts.models import Player
from notifications import bounces, delivery, return_path, topics
from notifications.inbound import raw, reports
from notifications.inbound.receiving import receive
from notifications.inbound.reports import Fate, Kind
from notifications.management.commands.receive import Command
from notifications.models import Bounce, Letter
from notifications.topics import Manner, Topic
from tests.factories import LetterFactory
from tests.notifications.conftest import Source
from tests.notifications.faults import opened
from tests.notifications.reports import ALL, FROM_PIPE, WRAPPED, report

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _return_path(settings: Any) -> None:
    settings.RETURN_PATH = "bounces@games.example.org"


@pytest.fixture
def letter(bob: Player) -> Letter:
    return LetterFactory.create(recipient=bob, state="sent", due_at=None)


def marked() -> list[str]:
    return [one.address for one in Bounce.objects.filter(since__isnull=False)]


@pytest.mark.parametrize("like", ALL)
def test_M20_a_report_fails_the_letter_and_marks_the_address(
    letter: Letter, bob: Player, like: str, caplog: pytest.LogCaptureFixture
) -> None:
    outcome = receive(report(letter, bob.email, ALL[like]))
    letter.refresh_from_db()
    assert (outcome.code, outcome.words) == (0, f"letter {letter.key} failed, its address is marked")
    assert letter.state == "failed"
    assert letter.reason.startswith("came back: 5.1.1 550")
    mark = Bounce.objects.get()
    assert (mark.address, mark.returned, mark.reason) == (bob.email, True, letter.reason)
    assert [one.levelno for one in caplog.records] == [logging.ERROR]
    assert bob.email not in caplog.text


def test_M20_the_report_that_a_real_Postfix_hands_to_a_pipe_marks_the_address(letter: Letter, bob: Player) -> None:
    for line_ends in (b"\n", b"\r\n"):
        Letter.objects.update(state="sent")
        came = report(letter, bob.email, FROM_PIPE).replace(b"\r\n", line_ends)
        assert receive(came, [return_path.of(letter.pk, bob.email)]).words.endswith("its address is marked")
        assert receive(came).words.endswith("known already")
    mark = Bounce.objects.get()
    assert (mark.address, mark.reason) == (bob.email, "came back: 5.1.1 User unknown")


def test_M1_the_same_report_again_changes_nothing(letter: Letter, bob: Player) -> None:
    receive(report(letter, bob.email))
    bounces.works(bob.email)
    Letter.objects.update(state="failed", due_at=None)
    assert receive(report(letter, bob.email)).words == f"letter {letter.key}: known already"
    assert marked() == []


def test_who_wants_one_letter_until_the_next_visit_has_not_had_one_that_came_back(
    letter: Letter, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(topics._manners, ("test", "test"), Manner(Topic.TURNS))
    Player.objects.update(told_at=letter.created_at)
    receive(report(letter, bob.email))
    bob.refresh_from_db()
    assert bob.told_at is None


def test_a_delay_is_only_counted(letter: Letter, bob: Player) -> None:
    for _ in range(2):
        assert receive(report(letter, bob.email, action="delayed", status="4.4.1", code="451")).code == 0
    letter.refresh_from_db()
    assert (letter.state, marked()) == ("sent", [])
    assert Bounce.objects.get().delays == 2


def test_a_server_that_gave_up_on_a_slow_one_fails_the_letter_and_marks_nothing(letter: Letter, bob: Player) -> None:
    receive(report(letter, bob.email, status="4.4.7", code="451"))
    letter.refresh_from_db()
    assert (letter.state, marked()) == ("failed", [])


def test_R11_a_report_that_blames_us_alarms_and_marks_nothing(
    letter: Letter, bob: Player, caplog: pytest.LogCaptureFixture
) -> None:
    receive(report(letter, bob.email, status="5.7.1", code="554"))
    letter.refresh_from_db()
    assert (letter.state, marked()) == ("failed", [])
    assert [one.name for one in caplog.records] == ["notifications.alarm"]


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded"])
def test_good_news_changes_nothing(letter: Letter, bob: Player, action: str) -> None:
    assert receive(report(letter, bob.email, action=action, status="2.0.0")).words == f"letter {letter.key} arrived"
    assert not Bounce.objects.exists()


def test_M21_the_token_finds_the_letter_when_the_message_id_was_rewritten(letter: Letter, bob: Player) -> None:
    receive(report(letter, bob.email, message_id="<0102017@eu-west-1.amazonses.com>"))
    assert marked() == [bob.email]


def test_the_message_id_finds_it_when_the_return_path_says_nothing(letter: Letter, bob: Player) -> None:
    receive(report(letter, bob.email, path="games@games.example.org"))
    assert marked() == [bob.email]


@pytest.mark.parametrize("like", ["{}", "<{}>", "prvs=0123ab={}", "SRS0=aB1c=XY=games.example.org={}"])
def test_M36_the_token_is_found_in_any_case_and_whatever_is_put_around_it(letter: Letter, bob: Player, like: str) -> None:
    path = like.format(return_path.of(letter.pk, bob.email).upper().replace("@", "+TAG@"))
    receive(report(letter, bob.email, path="other@games.example.org", message_id="<else@where>"), [path])
    assert marked() == [bob.email]


def test_M36_the_token_is_lower_case_hexadecimal_and_fits_into_a_local_part(letter: Letter, settings: Any) -> None:
    settings.RETURN_PATH = f"{'b' * 31}@games.example.org"
    local, _at, domain = return_path.of(2**47, "x@example.org").partition("@")
    assert len(local) == 64
    assert local == local.lower()
    assert domain == "games.example.org"


def test_an_address_that_was_changed_since_is_not_blamed(letter: Letter, bob: Player) -> None:
    told = report(letter, bob.email)
    bob.email = "new@example.org"
    bob.save()
    assert receive(told).words.endswith("its reader's no more")
    letter.refresh_from_db()
    assert (letter.state, marked()) == ("failed", [])


def test_a_token_holds_while_its_secret_is_a_fallback(letter: Letter, bob: Player, settings: Any) -> None:
    [token] = return_path.find(return_path.of(letter.pk, bob.email))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert token.is_of(bob.email)
    settings.SECRET_KEY_FALLBACKS = []
    assert not token.is_of(bob.email)


def test_nobody_marks_an_address_by_guessing(letter: Letter, bob: Player) -> None:
    path = f"bounces+{letter.pk:012x}{'0' * 20}@games.example.org"
    forged = report(letter, bob.email, path=path, message_id="<guess@localhost>")
    assert receive(forged).words == "a report on no letter of ours: ignored"
    assert not Bounce.objects.exists()


def test_a_letter_that_is_tried_again_after_a_broken_line_is_left_to_that(letter: Letter, bob: Player) -> None:
    Letter.objects.update(state="waiting", due_at=letter.created_at)
    receive(report(letter, bob.email))
    letter.refresh_from_db()
    assert (letter.state, marked()) == ("waiting", [bob.email])


def test_of_several_readers_behind_an_address_one_who_got_it_is_enough(letter: Letter, bob: Player) -> None:
    other = "\r\n\r\nFinal-Recipient: rfc822; carla@example.org\r\nAction: delivered\r\nStatus: 2.0.0\r\n\r\n--4F1E3"
    told = report(letter, bob.email).replace(b"\r\n\r\n--4F1E3", other.encode(), 3)
    assert receive(told).words == f"letter {letter.key} arrived"


def test_a_report_that_a_filter_wrapped_is_one(letter: Letter, bob: Player) -> None:
    told = WRAPPED.format(path=return_path.of(letter.pk, bob.email)).encode()
    assert receive(told).code == 0
    assert marked() == [bob.email]


# -- what is no report ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        *("Auto-Submitted: auto-replied", "Precedence: bulk", "X-Autoreply: yes", "X-Autorespond: away", "List-Id: <a.b>"),
        *("Return-Path: <>", 'Content-Type: multipart/report; report-type=disposition-notification; boundary="a"'),
    ],
)
def test_M19_an_automatic_message_is_ignored_in_silence(letter: Letter, bob: Player, header: str) -> None:
    told = f"{header}\nTo: {return_path.of(letter.pk, bob.email)}\nSubject: I am away\n\n4\nAction: failed\nStatus: 5.1.1\n"
    outcome = receive(told.encode())
    assert (outcome.code, outcome.words) == (0, "an automatic message: ignored")
    assert not Bounce.objects.exists()


def test_who_writes_to_the_return_path_of_a_letter_is_told_that_nobody_reads_it(letter: Letter, bob: Player) -> None:
    outcome = receive(b"From: bob@example.org\nSubject: Re: Mangala\n\n4\n", [return_path.of(letter.pk, bob.email)])
    assert (outcome.code, "Nobody reads" in outcome.words) == (69, True)


def test_what_strangers_send_there_gets_no_answer(letter: Letter) -> None:
    assert receive(b"From: spam@example.org\n\nBuy!\n", ["bounces@games.example.org"]).code == 0


def test_words_that_only_look_like_a_report_are_none(letter: Letter, bob: Player) -> None:
    told = f"From: eve@example.org\nContent-Type: text/plain\nTo: {return_path.of(letter.pk, bob.email)}\n\nAction: failed\n"
    receive(f"{told}Status: 5.1.1\nMessage-ID: {letter.message_id}\n".encode())
    assert not Bounce.objects.exists()


# -- M8: whatever comes --------------------------------------------------------------------------------------------------

BROKEN = b"Content-Transfer-Encoding: base64\n\n!!!\n--a--"
STRANGE = [
    b"",
    b"\n",
    b"\r\n\r\n",
    b"\x00\xff\xfe",
    b'To: (c):\nSubject: "\nX*: 1\nContent-Type: multipart/report; boundary*0=a; boundary*1=b\n\n--a\n',
    b'Message-ID: <[bracketed]@x>\nContent-Type: multipart/report; boundary=""\n\n--\n--\n',
    b"Content-Type: text/plain; charset=no-such-one\nSubject: =?x?b?!!?=\n\n\xcd\xe0",
    b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\nContent-Type: multipart/mixed; boundary=a\n\n" * 5000,
    b"Content-Type: multipart/report; boundary=a\n\n--a\nContent-Type: message/delivery-status\n" + BROKEN,
    b"Content-Type: multipart/report; boundary=a\n\n--a\nContent-Type: message/delivery-status\n\nAction\n\n:\n\n--a--",
]


def test_a_report_that_names_thousands_of_letters_does_not_keep_the_database_busy(
    letter: Letter, bob: Player, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    forged = " ".join(f"bounces+{number:012x}{'0' * 20}@games.example.org" for number in range(5000))
    with django_assert_max_num_queries(30):
        receive(WRAPPED.format(path=forged).encode())
    assert marked() == []


@pytest.mark.parametrize("message", STRANGE)
def test_M8_no_message_is_too_strange(message: bytes) -> None:
    assert receive(message).code == 0


pieces = st.sampled_from(
    [
        *(
            b"\n",
            b"\r\n",
            b"--a",
            b"--a--",
            b": ",
            b"Content-Type: multipart/report; boundary=a",
            b"To: bounces+0123@x",
            b"Action:",
        ),
        *(
            b"Content-Type: message/delivery-status",
            b"failed",
            b"Status: 5.1.1",
            b"Content-Transfer-Encoding: base64",
            b" ",
            b"\xff",
        ),
        *(b"Content-Type: message/rfc822", b"Message-ID: <1@x>", b"Final-Recipient: rfc822; b@example.org", b"Auto-Submitted: x"),
    ]
)


@given(st.lists(pieces | st.binary(max_size=5)).map(b"".join))
@example(
    b"Content-Type: multipart/report; boundary=a\n\n--a\nContent-Type: message/delivery-status\n\nStatus: 5.1.1\nAction:\n--a"
)
def test_M8_whatever_is_in_a_message_it_is_read(message: bytes) -> None:
    read = raw.read(message)
    if reports.kind_of(read) is Kind.REPORT:
        assert reports.report_in(read).fate in Fate


# -- by SMTP and by the pipe ---------------------------------------------------------------------------------------------


def test_every_letter_goes_out_with_a_return_path_of_its_own(bob: Player, source: Source, smtp: int) -> None:
    letters = LetterFactory.create_batch(2, recipient=bob)
    with opened(smtp) as office:
        delivery.deliver_waiting()
    senders = [one.sender for one in office.taken]
    assert senders == [return_path.of(one.pk, bob.email) for one in letters]
    assert len(set(senders)) == 2
    assert b"From: Perepiska <games@localhost>" in office.taken[0].content
    assert b"bounces+" not in office.taken[0].content


def test_without_the_setting_the_sender_is_the_plain_one(bob: Player, source: Source, smtp: int, settings: Any) -> None:
    settings.RETURN_PATH = ""
    LetterFactory.create(recipient=bob)
    with opened(smtp) as office:
        delivery.deliver_waiting()
    assert office.taken[0].sender == "games@localhost"


def piped(monkeypatch: pytest.MonkeyPatch, message: bytes, *recipients: str) -> int:
    """The exit code."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(message)))
    monkeypatch.setattr("django.db.connections.close_all", lambda: None)
    try:
        Command().run_from_argv(["manage.py", "receive", *recipients])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_the_pipe_says_what_it_did(
    letter: Letter, bob: Player, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert piped(monkeypatch, report(letter, bob.email)) == 0
    assert capsys.readouterr().out == f"letter {letter.key} failed, its address is marked\n"
    assert piped(monkeypatch, b"From: b@example.org\n\n4\n", return_path.of(letter.pk, bob.email)) == 69
    assert "Nobody reads" in capsys.readouterr().err


def test_a_long_report_is_read_as_far_as_it_says_something(letter: Letter, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    assert piped(monkeypatch, report(letter, bob.email) + b"x" * (3 << 20)) == 0
    assert marked() == [bob.email]


def test_M6_with_the_database_away_the_mail_server_tries_again(
    letter: Letter, bob: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise RuntimeError("the database is away")

    monkeypatch.setattr("notifications.inbound.receiving.bounces.mark", away)
    assert piped(monkeypatch, report(letter, bob.email)) == 75
    letter.refresh_from_db()
    assert letter.state == "sent", "all or nothing"
    assert "could not be taken" in caplog.text
