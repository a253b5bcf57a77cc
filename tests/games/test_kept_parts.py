"""Parts of pages that are kept: each page says what holds now, to each reader their own, with tokens of its own."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.services.blocks import unblock
from games.models import Game
from games.rules.ruleset import AnyRuleset
from tests.factories import BlockFactory, GameFactory, MessageFactory, NoteFactory, PlayerFactory
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
KEY = re.compile(r'name="key" value="([^"]+)"')
NONCE = re.compile(r'nonce="([^"]+)"')


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    """A game in which Bob is to move."""
    return GameFactory.create(players=[alice, bob], plies="1")


def test_S5_each_answer_has_its_own_token_nonce_and_keys(game: Game, alice: Player, bob: Player) -> None:
    client = of(bob)
    pages = [page(client, "game", game.pk) for _ in range(2)]
    for secret in (TOKEN, KEY, NONCE):
        first, second = (set(secret.findall(html)) for html in pages)
        assert first
        assert second
        assert not first & second
    assert len(set(NONCE.findall(pages[0]))) == 1
    assert len(set(KEY.findall(pages[0]))) == len(KEY.findall(pages[0])) > 1
    assert not set(TOKEN.findall(page(of(bob), "mine"))) & set(TOKEN.findall(pages[1]))


def test_S5_the_token_of_a_page_that_was_made_before_opens_its_forms(game: Game, alice: Player) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    page(of(alice), "game", game.pk)
    html = page(client, "game", game.pk)
    sent = {"csrfmiddlewaretoken": TOKEN.findall(html)[0], "key": KEY.findall(html)[0], "message": "Hello"}
    assert client.post(reverse("games:say", args=[game.pk]), sent).status_code == 302
    assert "Hello" in page(client, "game", game.pk)
    assert client.post(reverse("games:say", args=[game.pk]), {**sent, "csrfmiddlewaretoken": "0" * 64}).status_code == 403


def test_N25_each_seat_is_shown_its_own_hand_whoever_looked_before(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(4)
    game = GameFactory.create(players=players, ruleset="toy")
    hands = [f"Your cards: {', '.join(map(str, hand))}." for hand in (game.position or {})["hands"]]
    for _ in range(2):
        for seat, player in enumerate(players):
            html = page(of(player), "game", game.pk)
            assert html.count("Your cards") == html.count(hands[seat]) > 0
        assert "Your cards" not in page(Client(), "game", game.pk)


def test_time_goes_on_where_nothing_else_changes(game: Game, bob: Player) -> None:
    client = of(bob)
    for name, args in (("game", [game.pk]), ("mine", [])):
        before = page(client, name, *args)
        with time_machine.travel(timezone.now() + timedelta(hours=5), tick=False):
            after = page(client, name, *args)
        told = [set(re.findall(r"\d+ days? \d+ hours? left|\d+ days? left", html)) for html in (before, after)]
        assert all(told)
        assert not told[0] & told[1]


def test_what_is_written_beside_a_game_is_on_the_next_page_of_who_may_read_it(game: Game, alice: Player, bob: Player) -> None:
    for player in (alice, bob):
        page(of(player), "game", game.pk)
    MessageFactory.create(game=game, text="Cabbage!")
    NoteFactory.create(game=game, player=bob, text="Beware of pit 3.")
    assert "Cabbage!" in page(of(alice), "game", game.pk)
    assert "Beware of pit 3." not in page(of(alice), "game", game.pk)
    assert "Beware of pit 3." in page(of(bob), "game", game.pk)
    BlockFactory.create(player=bob, other=alice)
    assert "Cabbage!" not in page(of(bob), "game", game.pk)
    unblock(player=bob, other=alice)
    assert "Cabbage!" in page(of(bob), "game", game.pk)
    assert "Cabbage!" not in page(Client(), "game", game.pk)


def test_a_name_a_language_a_zone_and_a_suspension_hold_from_the_next_page_on(game: Game, bob: Player) -> None:
    client, found = of(bob), Player.objects.filter(pk=bob.pk)
    before = page(client, "game", game.pk)
    found.update(display_name="Robert")
    after = page(client, "game", game.pk)
    assert "Robert" in after
    assert not re.search(r"\bBob\b", after)
    assert "(UTC)" in before
    found.update(time_zone="Asia/Yekaterinburg")
    assert "(+05)" in page(client, "game", game.pk)
    found.update(language="ru")
    assert "Ваш ход" in page(client, "game", game.pk)
    found.update(language="en", suspended_at=timezone.now())
    assert "Your account is suspended" in page(client, "game", game.pk)
    assert reverse("games:say", args=[game.pk]) not in page(client, "game", game.pk)
    assert "Log out" not in page(Client(), "game", game.pk)


def test_what_was_said_once_and_what_was_not_sent_is_on_one_page_only(game: Game, bob: Player) -> None:
    client = of(bob)
    page(client, "game", game.pk)
    assert "You played 2." in press(client, "move", game, move="2")
    assert "You played 2." not in page(client, "game", game.pk)
    refused = press(client, "move", game, status=409, move="3", message="Not sent")
    assert "Not sent" in refused
    assert "Not sent" not in page(client, "game", game.pk)


def test_the_menu_marks_the_page_that_is_shown(bob: Player) -> None:
    client = of(bob)
    for name in ("mine", "challenges", "rules_index", "mine"):
        [marked] = re.findall(r'<a [^>]*href="([^"]+)"[^>]* aria-current="page"', page(client, name))
        assert marked == reverse(f"games:{name}")
