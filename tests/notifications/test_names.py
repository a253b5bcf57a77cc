"""Names in letters are harmless, whatever players call themselves; every letter says who it is from, when, and of which game.

Such names are refused on the site; letters do not rely on that.
"""

from __future__ import annotations

import unicodedata
from datetime import UTC, timedelta
from email.message import EmailMessage
from email.utils import parsedate_to_datetime

import pytest
from django.utils import timezone

from accounts.models import Player
from games.services import moves, proposals
from notifications import delivery
from notifications.models import Letter
from tests.factories import ChallengeFactory, GameFactory, MessageFactory, PlayerFactory, play
from tests.notifications.postoffice import PostOffice

pytestmark = pytest.mark.django_db

NAMES = {
    "comma and quotes": 'Smith, "John" <boss@example.org>; (c)',
    "an encoded word": "=?utf-8?q?=0D=0ABcc:_all=40example.org?=",
    "half an encoded word": "=?broken ?= =?",
    "line ends": "Eve\r\nBcc: all@example.org\r\n\r\nBuy!",
    "lines of Unicode": "Eve\u2028Bcc: a\u2029b\x85c\x0bd",
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈🎲",
    "from right to left": "\u202eevil\u2066 אבג \u200f",
    "very long": "Ж" * 40,
    "one long word": "x" * 40,
    "HTML": "<script>alert(1)</script><img src=x>",
    "a template": "{{ user }} {% now %} %(who)s %s",
    "a dot": ".",
    "zero": "a\x01b\x7fc",
}
ALLOWED = {
    *("content-type", "mime-version", "content-transfer-encoding", "subject", "from", "to", "date", "message-id"),
    *("auto-submitted", "references", "in-reply-to", "list-id", "list-unsubscribe", "list-unsubscribe-post"),
}


@pytest.fixture(params=NAMES.values(), ids=list(NAMES))
def named(request: pytest.FixtureRequest) -> Player:
    """A player of this name."""
    player = PlayerFactory.create()
    Player.objects.filter(pk=player.pk).update(display_name=request.param)
    player.refresh_from_db()
    return player


def everything_that_names(named: Player, alice: Player) -> int:
    """Letters of many kinds that hold the name; the number of a game."""
    ChallengeFactory.create(challenger=named, opponent=alice)
    ChallengeFactory.create(challenger=named, address="dan@example.org")
    game = GameFactory.create(players=[named, alice])
    MessageFactory.create(game=game, seat=0, text="Hello,\u2028alice!\n.\nFrom me")
    play(game, "1")
    proposals.propose(game=game.pk, seat=0, kind="draw", via="web", key="p")
    delivery.deliver_waiting()
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    delivery.deliver_waiting()
    return game.pk


def test_mail_goes_out_and_the_name_stays_a_name(named: Player, alice: Player, office: PostOffice) -> None:
    everything_that_names(named, alice)
    assert {one.state for one in Letter.objects.all()} <= {"sent", "dropped"}
    assert {one.kind for one in Letter.objects.filter(state="sent")} >= {"challenge", "invitation", "turn", "over"}
    for raw, letter in zip(office.accepted, office.letters, strict=True):
        assert {name.lower() for name in letter} <= ALLOWED
        assert len(letter.keys()) == len({*letter.keys()}), "no header twice"
        assert all(len(line) <= 998 for line in raw.split(b"\r\n"))
        head = raw.partition(b"\r\n\r\n")[0]
        assert head.isascii()
        assert b"\r\n\r\n" in raw
        assert letter["To"] in {alice.email, "dan@example.org", named.email}
        assert letter["From"] == "Perepiska <games@localhost>"
        subject = str(letter["Subject"])
        assert all(unicodedata.category(sign) not in ("Cc", "Cf", "Zl", "Zp") for sign in subject)
        assert "all@example.org" not in str(letter["To"])
        html = letter.get_body(("html",))
        assert html is not None
        assert "<script" not in html.get_content()
        assert "<img src=x" not in html.get_content()


def test_every_letter_is_ours_dated_automatic_and_of_its_game(alice: Player, bob: Player, office: PostOffice) -> None:
    before = timezone.now() - timedelta(seconds=2)
    number = everything_that_names(bob, alice)
    letters = office.letters
    assert len({letter["Message-ID"] for letter in letters}) == len(letters)
    for letter in letters:
        assert str(letter["Message-ID"]).endswith("@localhost>")
        assert before <= parsedate_to_datetime(str(letter["Date"])).astimezone(UTC) <= timezone.now()
        assert letter["Auto-Submitted"] == "auto-generated"
    of_the_game = [letter for letter in letters if letter["List-Id"]]
    assert {str(letter["List-Id"]) for letter in of_the_game} == {f"<game-{number}.localhost>"}
    assert len(of_the_game) >= 4
    assert {unsubscribes(letter) for letter in letters} == {True}


def unsubscribes(letter: EmailMessage) -> bool:
    return bool(letter["List-Unsubscribe"]) and letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
