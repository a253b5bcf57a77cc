"""Players who want no letters about turns: their opponents and they themselves read it on the page of the game."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from notifications.topics import Pace
from tests.factories import BounceFactory, GameFactory, PreferenceFactory
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db

OUTLINE = "Bob gets no letters about turns"
MINE = "You get no letters about your turns."


def test_who_wants_no_letters_about_turns_reads_it_and_the_opponent_in_outline(
    alice: Player, bob: Player, charlie: Player
) -> None:
    game = GameFactory.create(players=[alice, bob])
    assert OUTLINE not in page(of(alice), "game", game.pk)
    PreferenceFactory.create(player=bob, turns=Pace.NONE)
    hers, his = page(of(alice), "game", game.pk), page(of(bob), "game", game.pk)
    assert OUTLINE in hers
    assert MINE not in hers
    assert MINE in his
    assert reverse("accounts:letters") in his
    assert OUTLINE not in his
    for other in (of(charlie), Client()):
        assert "letters about" not in page(other, "game", game.pk)


@pytest.mark.parametrize("pace", [Pace.ALWAYS, Pace.ONCE, Pace.DAILY])
def test_who_wants_them_seldom_is_written_to(pace: Pace, alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    PreferenceFactory.create(player=bob, turns=pace)
    assert OUTLINE not in page(of(alice), "game", game.pk)
    assert MINE not in page(of(bob), "game", game.pk)


def test_one_line_is_enough_where_letters_bounce_too(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    PreferenceFactory.create(player=bob, turns=Pace.NONE)
    BounceFactory.create(address=bob.email)
    hers = page(of(alice), "game", game.pk)
    assert "Letters to Bob bounce" in hers
    assert OUTLINE not in hers


def test_a_game_that_is_over_says_nothing_of_it(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    PreferenceFactory.create(player=bob, turns=Pace.NONE)
    of(alice).post(reverse("games:resign", args=[game.pk]), {"key": "k", "sure": "1"})
    assert OUTLINE not in page(of(alice), "game", game.pk)
    assert MINE not in page(of(bob), "game", game.pk)
