"""What its reader has seen no letter tells (N15); one letter for all games (N18), sent for real."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.letters import AccountLetters
from accounts.models import Player
from games.letters.rulings import RulingLetters
from games.models import Game, Seat
from games.selectors import games_of
from games.services import leaving
from notifications import preferences, sources, topics
from notifications.models import Letter
from notifications.topics import Pace
from tests.factories import GameFactory, PreferenceFactory, play
from tests.games.postbag import sent, text
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    """Bob is to move, and the letter about it is owed."""
    return GameFactory.create(players=[alice, bob], plies="1")


def letters_to(player: Player) -> list[Any]:
    return [letter for letter in sent() if letter["To"] == player.email]


def looks(player: Player, game: Game, **headers: str) -> Any:
    return of(player).get(f"/games/{game.pk}/", headers=headers)


def test_N15_no_letter_about_a_position_that_I_have_seen(bob: Player, game: Game) -> None:
    looks(bob, game)
    assert letters_to(bob) == []
    assert set(Letter.objects.filter(recipient=bob).values_list("reason", flat=True)) == {preferences.SEEN}


def test_N15_who_wants_always_gets_it_nevertheless(bob: Player, game: Game) -> None:
    PreferenceFactory.create(player=bob, turns=Pace.ALWAYS)
    looks(bob, game)
    assert len(letters_to(bob)) == 1


def test_N15_the_next_position_is_another_one(alice: Player, bob: Player, game: Game) -> None:
    looks(bob, game)
    for move in ("1", "2"):
        play(game, move)
    assert len(letters_to(bob)) == 1


def test_N15_what_the_other_sees_or_I_saw_before_their_move_is_not_it(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    looks(bob, game)
    play(game, "1")
    for watcher in (alice, charlie):
        looks(watcher, game)
    Client().get(f"/games/{game.pk}/")
    assert len(letters_to(bob)) == 1


@pytest.mark.parametrize("headers", [{"sec-purpose": "prefetch"}, {"purpose": "prefetch"}])
def test_N15_what_a_browser_fetched_in_advance_I_have_not_seen(bob: Player, game: Game, headers: dict[str, str]) -> None:
    looks(bob, game, **headers)
    of(bob).head(f"/games/{game.pk}/")
    assert len(letters_to(bob)) == 1


def test_N15_a_look_at_the_past_is_none_at_the_present(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1 2")
    page(of(bob), "step", game.pk, 3)
    assert len(letters_to(bob)) == 1


def test_N15_an_open_page_that_shows_the_new_position_has_shown_it(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    browser = of(bob)
    before = browser.get(f"/games/{game.pk}/")["ETag"]
    play(game, "1")
    assert browser.get(f"/games/{game.pk}/", headers={"if-none-match": before, "hx-request": "true"}).status_code == 200
    assert letters_to(bob) == []


def test_a_position_is_noted_once_and_by_no_page_that_is_the_same(bob: Player, game: Game) -> None:
    browser = of(bob)
    etag = browser.get(f"/games/{game.pk}/")["ETag"]
    assert Seat.objects.get(game=game, player=bob).seen == game.position_number
    with CaptureQueriesContext(connection) as captured:
        browser.get(f"/games/{game.pk}/")
        assert browser.get(f"/games/{game.pk}/", headers={"if-none-match": etag}).status_code == 304
    assert not [one["sql"] for one in captured if one["sql"].startswith("UPDATE")]


def test_N18_one_letter_for_all_games_until_I_come(alice: Player, bob: Player) -> None:
    PreferenceFactory.create(player=bob, turns=Pace.ONCE)
    first, second, third = (GameFactory.create(players=[alice, bob]) for _ in range(3))
    play(first, "1")
    assert len(letters_to(bob)) == 1
    play(second, "1")
    assert letters_to(bob) == []
    of(bob).get("/my/")
    play(third, "1")
    assert len(letters_to(bob)) == 1


def test_N17_after_a_stalled_queue_who_wants_one_letter_gets_one(alice: Player, bob: Player) -> None:
    PreferenceFactory.create(player=bob, turns=Pace.ONCE)
    for _ in range(3):
        GameFactory.create(players=[alice, bob], plies="1")
    assert len(letters_to(bob)) == 1


def test_a_turn_that_is_over_before_quiet_hours_are_brings_no_letter(alice: Player, bob: Player) -> None:
    PreferenceFactory.create(player=bob, quiet_from=22, quiet_until=7)
    with time_machine.travel("2027-01-01T23:00:00Z", tick=False) as clock:
        game = GameFactory.create(players=[alice, bob], plies="1")
        assert letters_to(bob) == []
        clock.shift(timedelta(hours=1))
        play(game, "1")
        clock.move_to("2027-01-02T07:00:00Z")
        assert letters_to(bob) == []
        play(game, "2")
        assert len(letters_to(bob)) == 1


@pytest.mark.parametrize(("reflection", "goes"), [(6, True), (9, True), (24, False)])
def test_a_turn_whose_time_ends_with_quiet_hours_is_told_in_them(alice: Player, bob: Player, reflection: int, goes: bool) -> None:
    PreferenceFactory.create(player=bob, quiet_from=22, quiet_until=7)
    with time_machine.travel("2027-01-01T23:00:00Z", tick=False):
        GameFactory.create(players=[alice, bob], plies="1", reflection=timedelta(hours=reflection))
        assert bool(letters_to(bob)) == goes


def test_N18_a_press_on_the_page_behind_a_letter_is_a_visit(alice: Player, bob: Player) -> None:
    PreferenceFactory.create(player=bob, turns=Pace.ONCE)
    GameFactory.create(players=[alice, bob], plies="1")
    other = GameFactory.create(players=[alice, bob])
    [letter] = letters_to(bob)
    [path, *_rest] = re.findall(r"http://localhost:8000(/rights/\S+move=1)", text(letter))
    shown = Client().get(path).content.decode()
    play(other, "1")
    assert letters_to(bob) == [], "looking is none: robots look"
    form = dict(re.findall(r'name="(key|position|move)" value="([^"]*)"', shown))
    assert Client().post(path.partition("?")[0], form).status_code == 302
    play(GameFactory.create(players=[alice, bob]), "1")
    assert len(letters_to(bob)) == 1


def test_every_kind_of_letter_is_one_that_a_player_may_choose_about_or_always_goes() -> None:
    always = {"accounts": set(AccountLetters.kinds), "rulings": set(RulingLetters.kinds)}
    for name, source in sources._sources.items():
        filed = {kind for kind in source.kinds if topics.manner_of(name, kind)}
        assert filed == set(source.kinds) - always.get(name, set()), name


def test_what_I_have_seen_is_in_my_data_and_forgotten_with_me(bob: Player, game: Game) -> None:
    looks(bob, game)
    assert [one["seen"] for one in games_of(bob)] == [game.position_number]
    leaving.forget(player=bob, addresses=())
    assert [one["seen"] for one in games_of(bob)] == [0]
