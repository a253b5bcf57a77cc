"""Queries: what a page costs the database, session and user included, does not grow with what it shows."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Player
from games.rules.ruleset import AnyRuleset
from games.services import moves
from tests.factories import ChallengeFactory, GameFactory, PlayerFactory, play
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db


def cost(client: Client, name: str, *args: int) -> int:
    with CaptureQueriesContext(connection) as captured:
        page(client, name, *args)
    return len(captured)


def test_my_games_cost_at_most_nine_queries_whatever_their_number(alice: Player) -> None:
    costs = []
    others = PlayerFactory.create_batch(5)
    made = 0
    for many in (1, 5, 20):
        for number in range(made, many):
            other = others[number % 5]
            GameFactory.create(players=[alice, other], plies="1")
            GameFactory.create(players=[other, alice], plies="1")
            ended = GameFactory.create(players=[alice, other])
            moves.abort_game(game=ended.pk, seat=0, key="a")
            ChallengeFactory.create(challenger=alice)
            ChallengeFactory.create(challenger=other, opponent=alice)
        made = many
        costs.append(cost(of(alice), "mine"))
    assert costs[0] == costs[1] == costs[2] <= 9, costs


def test_lists_of_challenges_cost_the_same_whatever_their_number(alice: Player) -> None:
    costs = []
    for _ in range(2):
        ChallengeFactory.create_batch(4)
        costs.append((cost(of(alice), "home"), cost(of(alice), "challenges")))
    assert costs[0] == costs[1]
    assert max(costs[0]) <= 8


@pytest.mark.parametrize("plies", ["", "1 1 2 2 3 3"])
def test_a_game_page_costs_at_most_eight_queries(alice: Player, bob: Player, plies: str) -> None:
    game = GameFactory.create(players=[alice, bob], plies=plies)
    assert cost(of(alice), "game", game.pk) <= 8
    assert cost(Client(), "game", game.pk) <= 8


def test_a_page_of_four_players_costs_no_more(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(4)
    game = GameFactory.create(players=players, ruleset="toy")
    play(game, "pass")
    assert cost(of(players[1]), "game", game.pk) <= 8


@pytest.mark.parametrize("move", ["4", "4-6"])
def test_a_move_costs_at_most_twelve_queries(alice: Player, bob: Player, move: str) -> None:
    game = GameFactory.create(players=[alice, bob])
    client = of(alice)
    with CaptureQueriesContext(connection) as captured:
        client.post(reverse("games:move", args=[game.pk]), {"key": "k", "position": game.position_number, "move": move})
    game.refresh_from_db()
    assert game.plies == move.count("-") + 1
    # Within a test the transaction is a savepoint; in life it is BEGIN and COMMIT.
    asked = [one["sql"] for one in captured if not one["sql"].startswith(("SAVEPOINT", "RELEASE"))]
    assert len(asked) <= 12, asked
