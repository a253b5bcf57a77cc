"""Moves: one submission, one entry, and a clear answer to everything else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from pytest_django import DjangoAssertNumQueries

from accounts.models import Player
from games.models import Game, LogEntry
from games.rules.position import IllegalMove, InvalidNotation
from games.rules.ruleset import AnyRuleset
from games.services import moves, proposals
from games.services.check import differences
from games.services.errors import GameIsOver, Gone, KeyReused, NotAllowed, NotYourTurn, StalePosition, TimeIsOver
from games.services.log import Answer
from tests.factories import GameFactory, PlayerFactory, play

pytestmark = pytest.mark.django_db


def moved(game: Game) -> list[str]:
    return list(game.entries.filter(kind="move").values_list("text", flat=True))


def send(game: Game, text: str, *, seat: int = 0, position: int = 2, key: str = "", via: str = "web") -> Answer:
    return moves.play_move(game=game.pk, seat=seat, text=text, position_number=position, via=via, key=key or uuid4().hex)


def test_a_ply_is_one_entry_and_the_other_seat_is_to_move(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    answer = send(game, " 1 ")
    game.refresh_from_db()
    assert answer == Answer(position_number=3, head=3, moved=("1",), to_move=1)
    assert (game.to_move, game.position_number, game.plies, game.turn) == (1, 3, 1, 2)
    assert moved(game) == ["1"]


def test_an_extra_ply_brings_no_new_deadline(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    before = game.deadline
    send(game, "4")
    game.refresh_from_db()
    assert (game.to_move, game.deadline) == (0, before)


def test_several_plies_of_a_turn_are_one_submission_all_or_none() -> None:
    game = GameFactory.create()
    with pytest.raises(IllegalMove, match="After 4-6 your turn is over"):
        send(game, "4-6-1")
    with pytest.raises(InvalidNotation):
        send(game, "4-x")
    assert moved(game) == []
    assert send(game, "4-6").moved == ("4", "6")


def test_C1_the_same_move_from_two_tabs_is_one_entry_and_two_successes() -> None:
    game = GameFactory.create()
    assert send(game, "1").moved == send(game, "1").moved == ("1",)
    assert moved(game) == ["1"]


def test_C1_a_move_whose_plies_the_log_holds_is_a_success_and_a_prefix_is_not() -> None:
    game = GameFactory.create()
    send(game, "4-6")
    assert send(game, "4-6").moved == ("4", "6")
    assert send(game, "4").moved == ("4",)
    other = GameFactory.create()
    send(other, "4")
    with pytest.raises(StalePosition):
        send(other, "4-6")


def test_C2_another_move_from_a_second_tab_is_stale() -> None:
    game = GameFactory.create()
    send(game, "1")
    with pytest.raises(StalePosition):
        send(game, "2")
    assert moved(game) == ["1"]


def test_M37_a_move_meant_for_an_older_position_is_refused_though_it_is_legal_now() -> None:
    game = GameFactory.create(plies="1 1")
    with pytest.raises(StalePosition):
        send(game, "2")
    with pytest.raises(StalePosition):
        send(game, "2", position=99)


@pytest.mark.parametrize(("first", "second"), [("web", "link"), ("link", "web")])
def test_C3_what_was_played_on_the_page_or_by_a_letter_is_a_success_on_the_other(first: str, second: str) -> None:
    game = GameFactory.create()
    send(game, "4-6", via=first)
    assert send(game, "4-6", via=second).same
    assert {entry.via for entry in game.entries.filter(kind="move")} == {first}
    with pytest.raises(StalePosition):
        send(game, "4", via=second, position=2, seat=1)


def test_C16_one_key_with_another_payload_is_refused() -> None:
    game = GameFactory.create()
    send(game, "4", key="k")
    with pytest.raises(KeyReused):
        send(game, "6", position=3, key="k")
    with pytest.raises(KeyReused):
        moves.resign(game=game.pk, seat=0, via="web", key="k")
    assert moved(game) == ["4"]


def test_C17_the_same_key_again_gets_the_stored_answer() -> None:
    game = GameFactory.create()
    first = send(game, "1", key="k")
    play(game, "1")
    again = send(game, "1", key="k")
    assert again.same
    assert (again.moved, again.position_number) == (first.moved, first.position_number)


def test_who_is_not_to_move_is_told_so() -> None:
    game = GameFactory.create()
    with pytest.raises(NotYourTurn):
        send(game, "1", seat=1)


def test_a_refusal_by_the_rules_writes_nothing() -> None:
    game = GameFactory.create()
    with pytest.raises(InvalidNotation):
        send(game, "9")
    game.refresh_from_db()
    assert (game.head, LogEntry.objects.filter(game=game).count()) == (2, 2)


def test_no_game_is_gone() -> None:
    with pytest.raises(Gone):
        moves.play_move(game=12345, seat=0, text="1", position_number=2, via="web", key="k")


def test_C7_when_both_resign_the_first_loses_and_the_second_is_told() -> None:
    game = GameFactory.create(plies="1 1")
    moves.resign(game=game.pk, seat=1, via="web", key="a")
    with pytest.raises(GameIsOver):
        moves.resign(game=game.pk, seat=0, via="web", key="b")
    game.refresh_from_db()
    assert (game.termination, game.result) == ("resignation", "1-0")
    assert [seat.points for seat in game.seat_set.all()] == [2, 0]


def test_a_game_may_be_called_off_until_everybody_has_completed_a_turn() -> None:
    game = GameFactory.create(plies="4-6")
    moves.abort_game(game=game.pk, seat=1, key="a")
    game.refresh_from_db()
    assert (game.termination, game.result) == ("aborted", "*")
    other = GameFactory.create(plies="4-6 1")
    with pytest.raises(NotAllowed):
        moves.abort_game(game=other.pk, seat=1, key="a")


def test_D19_an_ended_game_has_no_deadline_and_takes_no_move() -> None:
    game = GameFactory.create(plies="1 1")
    moves.resign(game=game.pk, seat=1, via="web", key="a")
    game.refresh_from_db()
    assert (game.deadline, game.to_move) == (None, None)
    with pytest.raises(GameIsOver):
        send(game, "1", position=game.position_number)


def test_D9_between_the_deadline_and_the_sweep_nothing_counts_any_more() -> None:
    game = GameFactory.create(plies="1 1", reflection=timedelta(days=1))
    assert game.deadline is not None
    acts: list[Callable[[], object]] = [
        lambda: send(game, "2", position=4),
        lambda: moves.resign(game=game.pk, seat=1, via="web", key="r"),
        lambda: moves.abort_game(game=game.pk, seat=1, key="a"),
        lambda: proposals.propose(game=game.pk, seat=1, kind="draw", via="web", key="p"),
    ]
    with time_machine.travel(game.deadline, tick=False):
        for act in acts:
            with pytest.raises(TimeIsOver):
                act()
    assert game.entries.count() == 4
    with time_machine.travel(game.deadline - timedelta(seconds=1), tick=False):
        assert send(game, "2", position=4).moved == ("2",)


def test_D9_a_move_that_came_in_time_is_a_success_also_when_it_is_sent_again_too_late() -> None:
    game = GameFactory.create(reflection=timedelta(days=1))
    send(game, "1")
    game.refresh_from_db()
    assert game.deadline is not None
    with time_machine.travel(game.deadline + timedelta(hours=1), tick=False):
        assert send(game, "1").same


def test_resigning_or_calling_off_twice_is_one_entry_and_two_successes() -> None:
    game = GameFactory.create()
    assert [moves.abort_game(game=game.pk, seat=0, key=key).same for key in "ab"] == [False, True]
    other = GameFactory.create(plies="1 1")
    assert [moves.resign(game=other.pk, seat=0, via="web", key=key).same for key in "ab"] == [False, True]


def test_nobody_acts_from_a_seat_that_is_not_there_or_was_left(toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="toy")
    moves.resign(game=game.pk, seat=1, via="web", key="r")
    for seat in (1, 3, -1):
        with pytest.raises(NotAllowed):
            proposals.propose(game=game.pk, seat=seat, kind="stop", via="web", key=f"p{seat}")


def test_C1_a_move_is_known_again_though_somebody_spoke_meanwhile() -> None:
    game = GameFactory.create()
    send(game, "4")
    proposals.propose(game=game.pk, seat=1, kind="draw", via="web", key="p")
    send(game, "6", position=3)
    assert send(game, "4-6").moved == ("4", "6")
    with pytest.raises(StalePosition):
        send(game, "6", position=4)


def test_a_number_that_never_was_a_position_is_stale() -> None:
    game = GameFactory.create()
    for position in (-1, 0, 1, 3, 10**9):
        with pytest.raises(StalePosition):
            send(game, "1", position=position)


def test_somebody_who_leaves_a_larger_table_takes_nobodys_time(toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(4), ruleset="toy", reflection=timedelta(days=1))
    turn, deadline = game.turn_number, game.deadline
    moves.resign(game=game.pk, seat=3, via="web", key="r")
    game.refresh_from_db()
    assert (game.turn_number, game.deadline, game.to_move) == (turn, deadline, 0)
    assert game.position_number > turn


def test_a_whole_game_is_scored_in_half_units_and_agrees_with_its_log() -> None:
    plies = "2 6 1 6-5 2 1-3 6 4 6 6-5 6 3-5 5 2 5 6 1-6-6 4 3 6 5"
    game = GameFactory.create()
    for text in plies.split():
        game.refresh_from_db()
        if game.ended_at is None:
            for ply in text.split("-"):
                play(game, ply)
    game.refresh_from_db()
    assert (game.termination, game.result) == ("over24", "1-0")
    assert [seat.score for seat in game.seat_set.all()] == [54, 26]
    assert [found for _, found in differences()] == [[]]


def test_a_lost_cache_is_replayed_from_the_log() -> None:
    game = GameFactory.create(plies="4-6")
    Game.objects.filter(pk=game.pk).update(standing={}, position=None)
    assert send(game, "1", seat=1, position=4).head == 5
    assert [found for _, found in differences()] == [[]]


def test_a_move_costs_eight_statements(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    """Game, clock, form key, entry, projection, recipient, letter, stored answer; two more for the savepoint inside a test."""
    game = GameFactory.create()
    with django_assert_num_queries(8 + 2):
        send(game, "1")
