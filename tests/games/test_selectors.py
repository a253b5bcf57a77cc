"""Selectors: what pages and letters are told of games, for one viewer."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Player
from games import selectors
from games.models import Game
from games.rules.ruleset import AnyRuleset
from games.selectors import GamePage
from games.selectors.words import end_in_words, remaining
from games.services import challenge, moves, proposals
from tests.factories import ChallengeFactory, GameFactory, PlayerFactory, deserted, play

pytestmark = pytest.mark.django_db


def seen(game: Game, viewer: Player | None, chosen: str = "") -> GamePage:
    page = selectors.game_page(game.pk, viewer, chosen=chosen)
    assert page is not None
    return page


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(days=3), "3 days"),
        (timedelta(days=1), "1 day"),
        (timedelta(days=1, hours=5, minutes=9), "1 day 5 hours"),
        (timedelta(hours=12), "12 hours"),
        (timedelta(hours=1, minutes=1), "1 hour 1 minute"),
        (timedelta(minutes=2), "2 minutes"),
        (timedelta(seconds=1), "1 minute"),
        (timedelta(0), "less than a minute"),
    ],
)
def test_spans_are_told_in_their_two_largest_units(span: timedelta, words: str) -> None:
    assert selectors.duration(span) == words


def test_the_last_hour_is_told_to_the_second() -> None:
    spans = (timedelta(hours=1), timedelta(seconds=119.9), timedelta(seconds=60), timedelta(0), -timedelta(seconds=3))
    told = ["1 hour", "1 minute 59 seconds", "1 minute", "0 seconds", "0 seconds"]
    assert [remaining(span) for span in spans] == told


def test_games_that_wait_for_me_come_soonest_deadline_first(alice: Player, bob: Player) -> None:
    days = [GameFactory.create(players=[alice, bob], reflection=timedelta(days=many)).pk for many in (5, 1, 3)]
    waits_for_bob = GameFactory.create(players=[bob, alice])
    mine = selectors.my_games(alice)
    assert [line.pk for line in mine.waiting] == [days[1], days[2], days[0]]
    assert [line.pk for line in mine.running] == [waits_for_bob.pk]
    assert [one.name for one in mine.waiting[0].opponents] == ["Bob"]


def test_finished_games_come_last_ended_first_with_their_result(alice: Player, bob: Player) -> None:
    won, drawn, aborted = (GameFactory.create(players=[alice, bob], plies=plies) for plies in ("1 1", "1 1", ""))
    moves.resign(game=won.pk, seat=1, via="web", key="r")
    proposals.propose(game=drawn.pk, seat=0, kind="draw", via="web", key="p")
    proposals.agree(game=drawn.pk, seat=1, number=5, via="web", key="a")
    moves.abort_game(game=aborted.pk, seat=0, key="o")
    assert [(line.pk, line.ending) for line in selectors.my_games(alice).finished] == [
        (aborted.pk, "No result (called off)."),
        (drawn.pk, "A draw (by agreement)."),
        (won.pk, "Alice won (resignation)."),
    ]


def test_challenges_to_me_and_my_own_are_told_apart(alice: Player, bob: Player) -> None:
    mine = ChallengeFactory.create(challenger=alice, opponent=bob)
    received = ChallengeFactory.create(challenger=bob, opponent=alice)
    ChallengeFactory.create(challenger=bob)
    assert [one.pk for one in selectors.my_games(alice).received] == [received.pk]
    assert [one.pk for one in selectors.my_games(alice).made] == [mine.pk]


def test_a_rematch_at_a_table_of_four_waits_for_its_players_and_for_nobody_else(toy: AnyRuleset, alice: Player) -> None:
    players = PlayerFactory.create_batch(4)
    game = deserted(*players)
    offered = challenge.offer_rematch(game_id=game.pk, player=players[0])
    assert [one.pk for one in selectors.my_games(players[3]).received] == [offered.pk]
    assert selectors.challenge(offered.pk, alice) is None
    assert selectors.challenge(offered.pk, None) is None
    challenge.accept_challenge(challenge_id=offered.pk, player=players[3])
    line = selectors.challenge(offered.pk, players[3])
    assert line is not None
    assert line.may == {"leave"}
    assert offered.pk not in [one.pk for one in selectors.open_challenges()]


@pytest.mark.parametrize(
    ("viewer", "may"), [("alice", {"withdraw"}), ("bob", {"accept", "decline"}), ("charlie", None), (None, None)]
)
def test_who_may_do_what_with_a_challenge_to_bob(
    alice: Player, bob: Player, charlie: Player, viewer: str | None, may: set[str] | None
) -> None:
    to_bob = ChallengeFactory.create(challenger=alice, opponent=bob)
    people = {"alice": alice, "bob": bob, "charlie": charlie, None: None}
    line = selectors.challenge(to_bob.pk, people[viewer])
    assert (None if line is None else set(line.may)) == may


@pytest.mark.parametrize(("viewer", "may"), [("alice", {"withdraw"}), ("bob", {"accept"}), (None, set())])
def test_who_may_do_what_with_an_open_challenge(alice: Player, bob: Player, viewer: str | None, may: set[str]) -> None:
    line = selectors.challenge(ChallengeFactory.create(challenger=alice).pk, {"alice": alice, "bob": bob, None: None}[viewer])
    assert line is not None
    assert line.may == may


def test_F42_every_board_is_seen_from_the_viewers_own_side(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4-6")
    sides = [seen(game, viewer).description.split(".")[0] for viewer in (alice, bob, charlie, None)]
    assert [side.removeprefix("The board from the side of ") for side in sides] == ["South", "North", "South", "South"]


def test_a_move_is_looked_ahead_at_with_its_effects_and_the_board_after_it(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    page = seen(game, alice, "4 - 6")
    assert page.preview is not None
    assert page.preview.text == "4-6"
    assert page.preview.told == (
        "4: last stone in your store, you move again.",
        "6: last stone in your opponent's pit 3.",
    )
    assert page.description.endswith("North is to move.")
    assert "Your store holds 2 stones." in page.description
    assert (page.players[0][2], page.position_number) == ("0", game.position_number), "nothing was played"


@pytest.mark.parametrize(
    ("chosen", "refused"),
    [("9", "“9” is not a pit"), ("1-2", "After 1 your turn is over."), ("4-4-4", "is empty"), ("-", "A pit is missing")],
)
def test_F43_a_turn_that_cannot_be_played_is_refused_in_words(alice: Player, bob: Player, chosen: str, refused: str) -> None:
    page = seen(GameFactory.create(players=[alice, bob], plies="4-4 1"), alice, chosen)
    assert refused in page.refused
    assert page.preview is None
    assert page.description.endswith("It is your turn.")


def test_only_the_one_to_move_looks_ahead(alice: Player, bob: Player) -> None:
    page = seen(GameFactory.create(players=[alice, bob]), bob, "4")
    assert (page.preview, page.refused, page.choices) == (None, "", ())


def test_choices_name_their_places_on_the_picture(alice: Player, bob: Player) -> None:
    page = seen(GameFactory.create(players=[alice, bob], plies="1"), bob)
    assert [(one.move, one.place) for one in page.choices] == [(str(pit), f"N{pit}") for pit in range(1, 7)]
    assert all(f'data-place="{one.place}"' in page.svg for one in page.choices)


def test_when_somebody_resigned_nobody_is_to_move_any_more(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    for viewer in (alice, bob, None):
        page = seen(game, viewer)
        assert page.description.endswith("The game is over.")
        assert not page.my_turn
        assert page.ending == "Bob won (resignation)."


def test_plies_of_one_turn_are_one_line_of_the_log(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4 6")
    proposals.propose(game=game.pk, seat=1, kind="draw", via="web", key="p")
    play(game, "1")
    assert [(line.number, line.who, line.text) for line in seen(game, bob).log] == [
        (1, "Alice", "4-6"),
        (None, "Bob", "proposed a draw"),
        (2, "Bob", "1"),
    ]


def test_a_private_game_is_nobody_elses(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob], public=False)
    assert selectors.game_page(game.pk, charlie) is None
    assert selectors.game_page(game.pk, None) is None
    assert selectors.record_of(game.pk, charlie) is None
    assert selectors.game_page(game.pk + 1, alice) is None
    assert seen(game, bob).seat == 1


def test_N25_a_game_of_hidden_hands_tells_each_only_his_own_until_the_end(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(4)
    game = GameFactory.create(players=players, ruleset="toy")
    position: dict[str, Any] = game.position or {}
    card = position["hands"][0][0]
    offering = seen(game, players[0], f"offer {card}")
    assert offering.preview is not None
    assert not offering.preview.shown, "a look ahead would tell what is hidden"
    assert all(one.told == "" for one in offering.choices)
    play(game, f"offer {card}")
    for viewer in (players[2], players[3], None):
        assert "offer" not in " ".join(line.text for line in seen(game, viewer).log)
        assert "On offer" not in seen(game, viewer).description
    assert f"On offer: {card}." in seen(game, players[1]).description
    for number in (0, 2, 3):
        moves.resign(game=game.pk, seat=number, via="web", key=f"r{number}")
    page = seen(game, None)
    assert page.over
    assert f"offer {card}" in [line.text for line in page.log]
    assert "holds" not in page.description, "every hand is open now"


def test_names_that_look_alike_find_the_same_player(alice: Player) -> None:
    assert selectors.player_named("аLICE") == alice
    assert selectors.player_named("Bob") is None


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("1-0-0", "Alice won (by agreement)."),
        ("1/2-1/2-1/2", "A draw (by agreement)."),
        ("1/2-0-1/2", "Alice, Charlie share the first place (by agreement)."),
    ],
)
def test_of_three_all_or_only_two_may_draw(result: str, told: str) -> None:
    assert end_in_words("mangala", "agreement", result, ["Alice", "Bob", "Charlie"]) == told
