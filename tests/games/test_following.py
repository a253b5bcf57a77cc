"""Following a game: the page that is there already is handed the table alone, and nothing when nothing is new."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Player
from games.models import Game
from games.services import moves, proposals
from tests.factories import GameFactory, play
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db


def asked(client: Client, game: Game, seen: str = "", *, name: str = "game", number: int | None = None, **query: str) -> Any:
    """What the script of a page gets that has seen this ETag."""
    headers = {"HX-Request": "true"} | ({"If-None-Match": seen} if seen else {})
    return client.get(reverse(f"games:{name}", args=[game.pk, *([number] if number else [])]), query, headers=headers)


def attribute(html: str, name: str) -> str:
    found = re.search(rf'{name}="([^"]*)"', html)
    assert found is not None, name
    return unescape(found[1])


def test_the_table_comes_alone_with_the_title_of_the_tab(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1")
    html = asked(of(alice), game).content.decode()
    assert html.startswith("<title>Bob is to move · Mangala ")
    assert html.count('id="table"') == 1
    assert "<body" not in html


def test_a_page_that_is_brought_back_from_history_comes_whole(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<body" in of(alice).get(reverse("games:game", args=[game.pk]), headers=headers).content.decode()


def test_the_tab_says_whose_turn_it_is(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    assert "<title>Your turn · Mangala" in page(of(alice), "game", game.pk)
    assert "<title>Alice is to move · Mangala" in page(of(bob), "game", game.pk)
    assert "<title>Alice is to move · Mangala" in page(Client(), "game", game.pk)
    moves.abort_game(game=game.pk, seat=0, key="a")
    assert "<title>No result (called off). · Mangala" in page(of(bob), "game", game.pk)


def test_nothing_new_costs_four_queries_and_no_page(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1 2")
    for client in (of(alice), of(bob), Client()):
        seen = asked(client, game).headers["ETag"]
        assert attribute(asked(client, game).content.decode(), "data-etag") == seen
        with CaptureQueriesContext(connection) as captured:
            again = asked(client, game, seen)
        assert (again.status_code, again.content) == (304, b"")
        assert len(captured) <= 4


@pytest.mark.parametrize("name", ["game", "step"])
def test_what_the_opponent_does_comes_with_the_next_question(alice: Player, bob: Player, name: str) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1")
    number = game.position_number if name == "step" else None
    client = of(alice)
    seen = asked(client, game, name=name, number=number).headers["ETag"]
    play(game, "2")
    news = asked(client, game, seen, name=name, number=number)
    assert news.status_code == 200
    assert "It is your turn." in news.content.decode()
    assert news.headers["ETag"] != seen
    proposals.propose(game=game.pk, seat=1, kind="draw", via="web", key="p")
    assert "Bob proposes a draw." in asked(client, game, news.headers["ETag"], name=name, number=number).content.decode()


def test_another_reader_or_another_language_has_another_version(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    turkish = Client(headers={"Accept-Language": "tr"})
    seen = {asked(client, game).headers["ETag"] for client in (of(alice), of(bob), of(charlie), turkish)}
    assert len(seen) == 4


def test_whoever_may_not_see_the_game_learns_nothing_from_its_version(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob], public=False)
    seen = asked(of(alice), game).headers["ETag"]
    for client in (of(charlie), Client()):
        assert asked(client, game, seen).status_code == 404
        assert asked(client, game, "*").status_code == 404


@pytest.mark.parametrize(("reflection", "every"), [(timedelta(minutes=59), "2"), (timedelta(hours=1), "10")])
def test_a_live_game_is_asked_about_more_often(alice: Player, bob: Player, reflection: timedelta, every: str) -> None:
    game = GameFactory.create(players=[alice, bob], reflection=reflection)
    assert attribute(page(of(bob), "game", game.pk), "data-every") == every
    moves.abort_game(game=game.pk, seat=0, key="a")
    assert attribute(page(of(bob), "game", game.pk), "data-every") == "60", "an end may be taken back"


def test_a_choice_that_was_meant_for_an_old_position_is_not_looked_at(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    old = str(game.position_number - 1)
    html = asked(of(alice), game, move="2", position=old).content.decode()
    assert "This was meant for another position." in html
    assert "Play 2?" not in html
    assert "Play 2?" in asked(of(alice), game, move="2", position=str(game.position_number)).content.decode()


@pytest.mark.parametrize("position", ["", "x", "-1", "9" * 30, "²"])
def test_a_position_that_is_no_number_is_none(alice: Player, bob: Player, position: str) -> None:
    game = GameFactory.create(players=[alice, bob])
    assert "Play 2?" in page(of(alice), "game", game.pk, move="2", position=position)


def test_a_refused_move_comes_as_the_present_table(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    sent = {"key": "k", "position": game.position_number - 1, "move": "3"}
    response = of(alice).post(reverse("games:move", args=[game.pk]), sent, headers={"HX-Request": "true"})
    assert response.status_code == 409
    html = response.content.decode()
    assert "<body" not in html
    assert attribute(html, "data-position") == str(game.position_number)
    assert "ETag" not in response.headers


def test_a_played_move_is_told_on_the_table_that_follows(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    sent = {"key": "k", "position": game.position_number, "move": "1"}
    told = of(alice).post(reverse("games:move", args=[game.pk]), sent, headers={"HX-Request": "true"}, follow=True)
    assert "You played 1." in told.content.decode()


def ways(html: str) -> list[Any]:
    found: list[Any] = json.loads(attribute(html, "data-ways"))
    return found


def test_the_picture_can_be_made_to_move_from_where_it_stood(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4 6")
    began = game.seats
    assert attribute(page(of(bob), "game", game.pk), "data-shown") == str(began + 2)
    assert ways(page(of(bob), "game", game.pk)) == [
        [began, [["sown", ["S4", "S5", "S6", "store S"]]]],
        [began + 1, [["sown", ["S6", "store S", "N1", "N2", "N3"]]]],
    ]
    preview = page(of(bob), "game", game.pk, move="2")
    assert attribute(preview, "data-shown") == ""
    assert ways(preview)[0][0] == began + 2


def test_the_next_game_that_waits_is_offered_when_nothing_is_to_do_here(alice: Player, bob: Player) -> None:
    here = GameFactory.create(players=[alice, bob])
    late, soon = (GameFactory.create(players=[alice, bob], reflection=timedelta(days=days)) for days in (5, 1))
    GameFactory.create(players=[bob, alice], reflection=timedelta(hours=1))
    link = '<a class="button" href="{}">Next game waiting</a>'
    assert "Next game waiting" not in page(of(alice), "game", here.pk)
    assert link.format(reverse("games:game", args=[soon.pk])) in press(of(alice), "move", here, move="1")
    play(soon, "1")
    assert link.format(reverse("games:game", args=[late.pk])) in page(of(alice), "game", soon.pk)
    assert "Next game waiting" not in page(Client(), "game", here.pk)
