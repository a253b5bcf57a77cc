"""Oware at the table: challenged with its option, played with reasons for what is refused, divided by agreement."""

from __future__ import annotations

import re
from importlib import resources

import pytest
from django.test import Client

from accounts.models import Player
from games.models import Challenge, Game
from games.rules import record as records
from games.rules import registry
from games.rules.replay import differences
from games.services.check import differences as differences_of_all
from tests.factories import GameFactory
from tests.games.postbag import sent, text
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db


def a_game(alice: Player, bob: Player, file: str, plies: int | None = None) -> Game:
    """A game of alice and bob that begins as a bundled record."""
    folder = resources.files(type(registry.get("oware")).__module__) / "records"
    [record] = records.read((folder / file).read_text(encoding="utf-8"), registry.get)
    moves = [one.text for one in record.entries if one.kind == "move"][:plies]
    return GameFactory.create(ruleset="oware", options=dict(record.options), players=[alice, bob], plies=" ".join(moves))


def test_a_challenge_chooses_the_rule_for_a_grand_slam(alice: Player) -> None:
    shown = page(of(alice), "challenge_new", game="oware")
    assert "A Grand Slam, a move that would capture all stones of the opponent" in shown
    assert len(re.findall(r'name="option_grand_slam"', shown)) == 3
    assert re.search(r'value="no_capture"[^>]* checked', shown)
    filled = {"option_grand_slam": "takes_all", "reflection": "120", "begins": "lot", "public": "on", "key": "k", "opponent": ""}
    of(alice).post("/challenges/new/?game=oware", filled)
    made = Challenge.objects.get()
    assert (made.ruleset, made.options) == ("oware", {"grand_slam": "takes_all"})


def test_choices_tell_what_each_move_would_do_and_a_refusal_says_why(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, "over24.game", 10)
    shown = page(of(alice), "game", game.pk)
    assert "<title>Your turn · Oware" in shown
    assert "you capture 3 stones" in shown
    assert game.position is not None
    empty = next(str(pit) for pit in range(1, 7) if not game.position["south_pits"][pit - 1])
    assert f"Pit {empty} is empty." in press(of(alice), "move", game, status=400, move=empty)


@pytest.mark.parametrize(
    ("slam", "plies", "typed", "told"),
    [
        ("no_capture", "5 2 4 5 6 4 3 5 1 1 2 3 6 2 5 1 6", "1", "South has no stones: choose a pit whose stones reach the side"),
        ("forbidden", "6 4 3 6 4 3 2 4 5 6 1 1 6", "6", "Such a Grand Slam is forbidden in this game."),
    ],
)
def test_a_move_that_must_feed_or_may_not_slam_is_refused_with_the_reason(
    alice: Player, bob: Player, slam: str, plies: str, typed: str, told: str
) -> None:
    game = GameFactory.create(ruleset="oware", options={"grand_slam": slam}, players=[alice, bob], plies=plies)
    looked = page(of(bob), "game", game.pk, move=typed)
    assert told in looked
    assert f'name="move" value="{typed}"' in looked
    assert told in press(of(bob), "move", game, status=400, move=typed)
    assert f'?move={typed}"' not in looked, "it is no choice"


def test_the_stones_that_are_left_may_be_divided_and_the_halves_are_shown(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, "agreement.game")
    assert "Propose to divide the stones that are left" in page(of(bob), "game", game.pk)
    press(of(bob), "propose", game, kind="divide")
    shown = page(of(alice), "game", game.pk)
    assert "Bob proposes to divide the stones that are left." in shown
    number = re.search(r'name="number" value="(\d+)"', shown)
    assert number is not None
    over = press(of(alice), "answer", game, number=number[1], answer="agree")
    assert "(24½)" in over
    assert "(23½)" in over
    told = [one["To"] for one in sent() if "Alice won (by agreement). Alice: 24½; Bob: 23½." in text(one)]
    assert sorted(told) == [alice.email, bob.email]
    game.refresh_from_db()
    assert (game.termination, game.result) == ("agreement", "1-0")
    assert list(game.seat_set.values_list("score", flat=True)) == [49, 47]
    [record] = records.read(page(Client(), "record", game.pk), registry.get)
    assert differences(registry.get("oware"), record) == []
    assert [found for _, found in differences_of_all()] == [[]]


def test_half_a_stone_is_shown_wherever_the_board_is(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, "repetition.game")
    assert (game.termination, game.result) == ("repetition", "0-1")
    shown = page(of(alice), "game", game.pk)
    for told in ("(23½)", ">23½</text>", "N 24½ |", "Your store holds 23½ stones."):
        assert told in shown
    assert "The game is over, 23½ to 24½." in page(of(alice), "step", game.pk, game.position_number)
    assert "South 23½, North 24½" in page(of(alice), "player", alice.pk)
    assert [found for _, found in differences_of_all()] == [[]]


@pytest.mark.parametrize("language", ["en", "ru", "tr"])
def test_the_rules_are_shown_with_their_boards(language: str) -> None:
    shown = Client().get("/rules/oware/", headers={"accept-language": language}).content.decode()
    assert shown.count("<svg") >= 11
    assert "board:" not in shown
