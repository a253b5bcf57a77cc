"""A rematch on the page of a game that is over: offered, seen by the other, accepted, found again."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from accounts.models import Player
from accounts.services import blocks
from games.models import Challenge, Game
from games.services import challenge as challenges
from games.services import moves
from notifications.models import Letter
from tests.factories import GameFactory
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    """A game of two that is over."""
    made = GameFactory.create(players=[alice, bob], plies="1 1")
    moves.resign(game=made.pk, seat=0, via="web", key="r")
    return made


def test_one_offers_it_and_the_other_sees_it_and_accepts(game: Game, alice: Player, bob: Player, charlie: Player) -> None:
    assert "Rematch</button>" in page(of(bob), "game", game.pk)
    assert "The rematch is offered." in press(of(alice), "rematch", game)
    assert "The rematch is offered." in page(of(alice), "game", game.pk)
    assert "Rematch</button>" not in page(of(alice), "game", game.pk)
    shown = page(of(bob), "game", game.pk)
    assert "Alice offers a rematch." in shown
    assert "Accept the rematch" in shown
    assert "offers a rematch" not in page(of(charlie), "game", game.pk)
    assert "The game begins." in press(of(bob), "rematch", game)
    started = Game.objects.get(challenge__rematch_of=game)
    for player in (alice, bob):
        shown = page(of(player), "game", game.pk)
        assert "The rematch has begun." in shown
        assert reverse("games:game", args=[started.pk]) in shown


def test_both_press_and_it_is_one_game(game: Game, alice: Player, bob: Player) -> None:
    for player in (alice, bob, alice, bob):
        press(of(player), "rematch", game)
    [started] = Game.objects.filter(challenge__rematch_of=game)
    assert [seat.player for seat in started.seat_set.order_by("number")] == [bob, alice]


def test_a_page_that_was_seen_before_the_offer_is_another_one_after_it(game: Game, alice: Player, bob: Player) -> None:
    path, browser = reverse("games:game", args=[game.pk]), of(bob)
    seen = browser.get(path)["ETag"]
    assert browser.get(path, headers={"If-None-Match": seen}).status_code == 304
    offered = challenges.offer_rematch(game_id=game.pk, player=alice)
    after = browser.get(path, headers={"If-None-Match": seen})
    assert after.status_code == 200
    assert browser.get(path, headers={"If-None-Match": after["ETag"]}).status_code == 304
    challenges.accept_challenge(challenge_id=offered.pk, player=bob)
    assert browser.get(path, headers={"If-None-Match": after["ETag"]}).status_code == 200


def test_a_declined_rematch_may_be_offered_by_the_other(game: Game, alice: Player, bob: Player) -> None:
    offered = challenges.offer_rematch(game_id=game.pk, player=alice)
    challenges.decline_challenge(challenge_id=offered.pk, player=bob)
    assert "Rematch</button>" in page(of(alice), "game", game.pk)
    press(of(bob), "rematch", game)
    assert Challenge.objects.get(state="open").challenger == bob


def test_offers_are_counted_like_challenges_and_accepting_is_not(game: Game, alice: Player, bob: Player, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "challenge": "1/h/user"}
    other = GameFactory.create(players=[alice, bob], plies="1 1")
    moves.resign(game=other.pk, seat=0, via="web", key="r")
    press(of(alice), "rematch", game)
    assert "You have sent many challenges." in press(of(alice), "rematch", other, status=429)
    assert Challenge.objects.filter(rematch_of=other).count() == 0
    challenges.offer_rematch(game_id=other.pk, player=bob)
    assert "The game begins." in press(of(alice), "rematch", other)


def test_no_rematch_across_a_block_and_no_letter(game: Game, alice: Player, bob: Player) -> None:
    blocks.block(player=bob, other=alice)
    Letter.objects.all().delete()
    assert "This player cannot be challenged." in press(of(alice), "rematch", game, status=403)
    assert not Letter.objects.exists()
