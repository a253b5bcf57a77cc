"""Who gets no letters about turns: told on the page of a game to the player, and in outline to the others at the table."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Player
from games.models import Game
from games.services import moves
from notifications import leaving
from notifications.topics import Pace, Topic
from tests.factories import GameFactory, PreferenceFactory
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db

MINE = "You get no letters when it is your turn."
ALICES = "Alice gets no letters when it is their turn."


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    return GameFactory.create(players=[alice, bob], plies="1")


def told(game: Game, viewer: Player | None) -> list[str]:
    shown = page(of(viewer) if viewer else Client(), "game", game.pk)
    return [one for one in (MINE, ALICES) if one in shown]


def test_who_left_letters_about_turns_is_reminded_and_the_opponent_sees_it_in_outline(
    alice: Player, bob: Player, charlie: Player, game: Game
) -> None:
    assert told(game, alice) == told(game, bob) == []
    leaving.act(leaving.Leave(Topic.TURNS, player_id=alice.pk))
    assert told(game, alice) == [MINE]
    assert 'href="/accounts/letters/">Choose which letters you get</a>' in page(of(alice), "game", game.pk)
    assert told(game, bob) == [ALICES]
    assert told(game, charlie) == told(game, None) == [], "it is nobody else's business"
    moves.resign(game=game.pk, seat=1, via="web", key=uuid4().hex)
    assert told(game, alice) == told(game, bob) == []


@pytest.mark.parametrize("pace", [Pace.EACH, Pace.ALWAYS, Pace.ONCE, Pace.DAILY])
def test_who_hears_of_turns_in_another_way_is_not_named(alice: Player, bob: Player, game: Game, pace: Pace) -> None:
    PreferenceFactory.create(player=alice, turns=pace, ends=Pace.NONE)
    assert told(game, alice) == told(game, bob) == []


def test_it_costs_no_query(alice: Player, bob: Player, game: Game) -> None:
    told(game, bob)
    costs = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            told(game, bob)
        costs.append(len(captured))
        PreferenceFactory.create(player=alice, turns=Pace.NONE)
    assert costs[0] == costs[1]
