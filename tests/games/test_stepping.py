"""Stepping through a game: each ply has an address where the game is shown as it stood then, to look at and not to play."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Player
from games.rules.ruleset import AnyRuleset
from games.services import moves, proposals
from tests.factories import GameFactory, PlayerFactory, play
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db


def test_a_ply_has_a_page_with_its_board_and_what_was_done_in_words(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4-6 2")
    for client in (of(alice), of(bob), Client()):
        html = page(client, "step", game.pk, 3)
        assert "After move 1 of 3" in html
        assert "<bdi>Alice</bdi>: <strong>4</strong>. South sows 4 stones from pit 4" in html
        assert "South moves again." in html
        assert "4, 4, 4, 1, 5 and 5" in html
        assert "Choose your move" not in html
        assert f'action="{reverse("games:move", args=[game.pk])}"' not in html
    assert "<title>Move 1 · Mangala" in html


def test_the_words_of_a_past_board_ask_nobody_to_move(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1 2")
    html = page(of(alice), "step", game.pk, 2)
    assert "South was to move.</p>" in html
    assert "South was to move.</desc>" in html
    assert ">Mangala: South was to move.</title>" in html
    assert page(of(alice), "step", game.pk, 5).count("North was to move.") == 3, "the last step is a step too"


def test_captures_are_told(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 5")
    assert "The pit is even: North captures 2 stones." in page(Client(), "step", game.pk, 4)


def test_the_buttons_lead_from_the_beginning_to_the_present(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1 2")
    step = {number: reverse("games:step", args=[game.pk, number]) for number in range(2, 6)}
    beginning = page(Client(), "step", game.pk, 2)
    assert "The beginning of the game" in beginning
    assert f'id="step-next" class="button quiet" rel="next" href="{step[3]}"' in beginning
    assert 'id="step-previous" class="button quiet" rel="prev" role="link" aria-disabled="true"' in beginning
    middle = page(Client(), "step", game.pk, 4)
    assert f'id="step-previous" class="button quiet" rel="prev" href="{step[3]}"' in middle
    assert f'id="step-first" class="button quiet" href="{step[2]}"' in middle
    present = page(Client(), "game", game.pk)
    assert f'rel="prev" href="{step[4]}"' in present
    assert 'rel="next" role="link" aria-disabled="true"' in present
    assert f'<a href="{step[5]}">2</a>' in present, "each ply of the log is a link"


def test_a_number_that_made_no_position_has_no_page(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    proposals.propose(game=game.pk, seat=0, kind="draw", via="web", key="p")
    for number in (0, 1, 5, 6, 10**17):
        page(Client(), "step", game.pk, number, status=404)
    page(Client(), "step", game.pk + 1, 2, status=404)


def test_a_private_game_is_looked_back_at_by_its_players_only(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1", public=False)
    page(of(alice), "step", game.pk, 3)
    for client in (of(charlie), Client()):
        page(client, "step", game.pk, 3, status=404)


def test_looking_back_while_it_is_ones_turn_offers_the_way_back(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    html = page(of(alice), "step", game.pk, 3)
    assert "It is your turn." in html
    assert "Back to the present position" in html


def test_looking_back_plays_nothing_even_with_a_move_in_the_address(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    assert "Play 2?" not in page(of(alice), "step", game.pk, 3, move="2")


def test_a_step_costs_no_more_than_the_page_of_the_game(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1 2 2 3 3")
    client = of(alice)
    with CaptureQueriesContext(connection) as captured:
        page(client, "step", game.pk, 4)
    assert len(captured) <= 8


def test_an_ended_game_is_walked_through_without_a_false_end(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    html = page(Client(), "step", game.pk, 3)
    assert "Bob won (resignation)." in html
    assert "North was to move." in html, "then it was not over"


def test_N25_looking_back_shows_of_hidden_hands_only_ones_own(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(4)
    game = GameFactory.create(players=players, ruleset="toy")
    position: dict[str, Any] = game.position or {}
    card = position["hands"][0][0]
    play(game, f"offer {card}")
    game.refresh_from_db()
    for player, hand in zip(players, position["hands"], strict=True):
        html = page(of(player), "step", game.pk, 4)
        assert f"Your cards: {', '.join(map(str, hand))}." in html
        assert html.count("holds 2 cards") % 3 == 0, "the others' hands are counted only"
    for client in (of(players[2]), of(players[3]), Client()):
        html = page(client, "step", game.pk, game.position_number)
        assert "a move" in html
        assert f"offer {card}" not in html
        assert "On offer" not in html
        assert 'data-ways="[[4, []]]"' in html.replace("&quot;", '"'), "nothing to animate where nothing may be known"


def test_N25_when_it_is_over_all_hands_of_the_past_are_open(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(2)
    game = GameFactory.create(players=players, ruleset="toy", options={"rounds": 1})
    play(game, "pass")
    play(game, "pass")
    html = page(Client(), "step", game.pk, 2)
    assert "holds 2 cards" not in html
