"""Reads that are prepared, and what is remembered of a game: always what the database holds now."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games.models import Game, Seat
from notifications.prepared import LARGEST, prepared
from tests.factories import GameFactory, play
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db


@prepared
def seat_of_player(game: int, player: int) -> QuerySet[Seat, Any]:
    return Seat.objects.filter(player=player, game=game).values_list("number", "game__created_at", "game__options")


def test_rows_come_for_the_ids_that_are_asked_about_and_in_types_of_python(alice: Player, bob: Player) -> None:
    game, other = GameFactory.create(players=[alice, bob]), GameFactory.create(players=[bob, alice])
    assert [list(row) for row in seat_of_player(game.pk, alice.pk)] == [[0, game.created_at, game.options]]
    assert [list(row) for row in seat_of_player(other.pk, alice.pk)] == [[1, other.created_at, other.options]]
    assert seat_of_player(game.pk, bob.pk + 1000) == []


def test_an_id_that_no_database_takes_has_no_rows() -> None:
    assert seat_of_player(LARGEST + 1, 1) == []
    assert Client().get(f"/games/{LARGEST + 1}/").status_code == 404


def test_a_query_that_does_not_ask_about_an_id_is_refused() -> None:
    @prepared
    def forgetful(game: int, player: int) -> QuerySet[Game, Any]:
        return Game.objects.filter(pk=game).values_list("pk")

    with pytest.raises(TypeError):
        forgetful(1, 2)


def test_a_name_that_changes_changes_on_every_page_at_once(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1")
    assert "Bob" in page(of(alice), "game", game.pk)
    assert "Bob" in page(of(alice), "mine")
    Player.objects.filter(pk=bob.pk).update(display_name="Robert")
    assert not re.search(r"\bBob\b", page(of(alice), "game", game.pk) + page(of(alice), "mine"))


def test_a_move_is_seen_on_every_page_at_once(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1")
    before = page(of(alice), "game", game.pk), page(of(alice), "mine")
    play(game, "2")
    after = page(of(alice), "game", game.pk), page(of(alice), "mine")
    assert "It is your turn." in after[0]
    assert "It is your turn." not in before[0]
    assert before[1] != after[1]
    assert reverse("games:step", args=[game.pk, 4]) in after[0]
