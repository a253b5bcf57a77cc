"""Letters that one can play from, sent by SMTP: whole, once written, readable in the mailbox of development."""

from __future__ import annotations

from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone, translation
from django.utils.translation import gettext

from accounts import letters as accounts
from accounts.models import Player
from games.models import Right
from games.services import moves
from notifications import delivery
from notifications.mailbox import kept
from notifications.models import Letter
from tests.factories import ChallengeFactory, GameFactory
from tests.games.postbag import DAN, invite, sent, text
from tests.notifications.postoffice import PostOffice

pytestmark = pytest.mark.django_db


def test_a_turn_arrives_with_text_html_and_the_board_that_it_shows(alice: Player, bob: Player, office: PostOffice) -> None:
    game = GameFactory.create(players=[alice, bob])
    assert delivery.deliver_waiting() == 1
    [letter] = office.letters
    assert [part.get_content_type() for part in letter.walk()] == [
        *("multipart/alternative", "text/plain"),
        *("multipart/related", "text/html", "image/png"),
    ]
    assert len(office.accepted[0]) < 60_000
    assert letter["Subject"] == f"Mangala no. {game.pk} against Bob"
    assert letter["In-Reply-To"] == letter["References"] == f"<game-{game.pk}@localhost>"
    [image] = [part for part in letter.walk() if part.get_content_type() == "image/png"]
    assert image.get_content().startswith(b"\x89PNG")
    html = letter.get_body(("html",))
    assert html is not None
    assert f'src="cid:{str(image["Content-ID"]).strip("<>")}"' in html.get_content()


def test_R10_a_letter_that_is_sent_again_is_the_same_with_the_same_right(alice: Player, bob: Player, office: PostOffice) -> None:
    GameFactory.create(players=[alice, bob])
    office.hang_up = "once accepted"
    assert delivery.deliver_waiting() == 0
    office.hang_up = None
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        assert delivery.deliver_waiting() == 1
    [first, second] = office.accepted
    assert first == second
    assert Right.objects.count() == 1
    assert bytes(Letter.objects.get().mime) == b"", "the token is kept by nobody but the reader"


def test_the_mailbox_shows_the_board_and_keeps_the_record(alice: Player, bob: Player, settings: Any, tmp_path: Path) -> None:
    settings.MAILBOX_DIR = tmp_path
    settings.EMAIL_BACKEND = "notifications.mailbox.backend.MailboxBackend"
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    delivery.deliver_waiting()
    letter = kept.newest("alice@")[0]
    client = Client()
    shown = client.get(f"/mailbox/{letter.name}/").content.decode()
    assert f"game-{game.pk}.game</a>" in shown
    html = client.get(f"/mailbox/{letter.name}/html/").content.decode()
    assert 'src="data:image/png;base64,' in html
    assert "cid:" not in html
    assert html.lower().startswith('<!doctype html><base target="_top">')
    record = client.get(f"/mailbox/{letter.name}/files/1/").content
    [attached] = message_from_bytes(letter.source.encode(), policy=policy.default).iter_attachments()
    assert record.decode() == attached.get_content()


def test_letters_to_players_say_why_they_come_and_where_to_choose_and_no_others_do(alice: Player, bob: Player) -> None:
    GameFactory.create(players=[alice, bob])
    ChallengeFactory.create(challenger=alice, opponent=bob)
    invite(alice)
    accounts.send("account/email/login_code", alice.email, {"code": "123456"})
    told = [(letter, text(letter), text(letter, "html")) for letter in sent()]
    assert len(told) == 4
    for letter, plain, html in told:
        is_about_games = letter["List-Unsubscribe"] is not None and letter["To"] != DAN
        for said in (plain, html):
            assert ("You get this letter because you play at Perepiska." in said) == is_about_games
            assert ("http://localhost:8000/accounts/letters/" in said) == is_about_games
    assert {letter["To"] for letter, plain, _html in told if "accounts/letters" in plain} == {alice.email, bob.email}


def test_the_foot_of_a_letter_is_in_its_readers_language(alice: Player, bob: Player) -> None:
    bob.language = "ru"
    bob.save()
    ChallengeFactory.create(challenger=alice, opponent=bob)
    [letter] = sent()
    assert '<html lang="ru">' in text(letter, "html")
    with translation.override("ru"):
        foot = gettext("Choose which letters you get")
    assert all(foot in text(letter, kind) for kind in ("plain", "html"))
