"""Mangala clause by clause, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.rules.position import (
    DRAW,
    LOSS,
    WIN,
    BadOptions,
    BadPosition,
    Forfeit,
    IllegalMove,
    InvalidNotation,
    Outcome,
)
from tests.rules.boards import MANGALA, board


def test_the_first_stone_goes_back_into_its_pit_and_a_lone_stone_leaves_it() -> None:
    before = board(
        """
        9  4 4 4 4 4 4
        3 1 4 0 4 0  3
        """
    )
    assert MANGALA.play(before, "1") == board(
        """
        9  4 4 4 4 4 4
        1 2 5 0 4 0  3
        """,
        "N",
        turn_number=2,
    )
    assert MANGALA.play(before, "2") == board(
        """
        9  4 4 4 4 4 4
        3 0 5 0 4 0  3
        """,
        "N",
        turn_number=2,
    )


def test_the_last_stone_in_the_own_store_is_an_extra_move_of_the_same_turn() -> None:
    again = MANGALA.play(MANGALA.start({}, 2), "4")
    assert (MANGALA.to_move(again), MANGALA.turn(again)) == (0, 1)
    after = MANGALA.play(again, "6")
    assert (MANGALA.to_move(after), MANGALA.turn(after)) == (1, 2)


def test_a_sowing_goes_round_over_the_own_store_only() -> None:
    before = board(
        """
        7  9 1 1 1 1 1
        4 4 4 4 4 4  3
        """,
        "N",
    )
    assert MANGALA.play(before, "6") == board(
        """
        8  1 1 1 1 1 2
        5 5 5 5 5 5  3
        """,
        "S",
        turn_number=2,
    )


def test_an_even_pit_of_the_opponent_is_captured_and_that_pit_alone() -> None:
    before = board(
        """
        0  4 4 4 4 3 1
        4 4 4 4 4 4  4
        """
    )
    assert MANGALA.play(before, "6") == board(
        """
        0  4 4 4 4 0 2
        4 4 4 4 4 1  9
        """,
        "N",
        turn_number=2,
    )


def test_an_own_pit_that_becomes_even_is_not_captured() -> None:
    before = board(
        """
        0  4 4 4 4 4 4
        2 3 4 4 4 4  3
        """
    )
    assert MANGALA.play(before, "1").holes[:7] == (1, 4, 4, 4, 4, 4, 3)


def test_an_own_empty_pit_captures_with_the_facing_one_and_only_if_that_holds_stones() -> None:
    before = board(
        """
        5  4 4 4 4 0 4
        1 0 4 4 1 0  9
        """
    )
    assert MANGALA.play(before, "1") == board(
        """
        5  4 0 4 4 0 4
        0 0 4 4 1 0  14
        """,
        "N",
        turn_number=2,
    )
    assert MANGALA.play(before, "5").holes[5:7] == (0, 14)


def test_facing_an_empty_pit_the_stone_stays() -> None:
    before = board(
        """
        5  4 0 4 4 4 4
        1 0 4 4 1 0  9
        """
    )
    assert MANGALA.play(before, "1") == board(
        """
        5  4 0 4 4 4 4
        0 1 4 4 1 0  9
        """,
        "N",
        turn_number=2,
    )


def test_thirteen_stones_from_pit_1_end_in_the_opponents_pit_6_where_the_even_rule_applies() -> None:
    before = board(
        """
        0  1 1 1 1 1 1
        13 0 0 0 0 0  0
        """
    )
    assert MANGALA.play(before, "1") == board(
        """
        0  0 2 2 2 2 2
        1 1 1 1 1 1  3
        """,
        "N",
        turn_number=2,
    )


def test_thirteen_stones_from_another_pit_may_capture_in_the_empty_pit_before_it() -> None:
    before = board(
        """
        0  1 1 1 1 1 1
        0 13 0 0 0 2  0
        """
    )
    assert MANGALA.play(before, "2") == board(
        """
        0  0 2 2 2 2 2
        0 1 1 1 1 3  4
        """,
        "N",
        turn_number=2,
    )


def test_fourteen_stones_end_in_the_pit_they_came_from_and_win_nothing_there() -> None:
    before = board(
        """
        0  1 1 1 1 1 1
        0 0 14 0 0 0  0
        """
    )
    assert MANGALA.play(before, "3") == board(
        """
        0  2 2 2 2 2 2
        1 1 2 1 1 1  1
        """,
        "N",
        turn_number=2,
    )


def test_from_fifteen_stones_on_no_own_pit_is_empty_when_the_last_one_falls() -> None:
    before = board(
        """
        0  3 3 3 3 3 3
        0 0 15 0 0 0  0
        """
    )
    assert MANGALA.play(before, "3").holes[:7] == (1, 1, 2, 2, 1, 1, 1)


def test_whose_capture_empties_his_own_side_takes_the_rest() -> None:
    before = board(
        """
        21  0 0 1 5 0 2
        0 0 1 0 0 0  18
        """,
        end="playout",
    )
    after = MANGALA.play(before, "3")
    assert after == board(
        """
        21  0 0 0 0 0 0
        0 0 0 0 0 0  27
        """,
        turn_number=1,
        end="playout",
    )
    assert MANGALA.outcome(after) == Outcome("side_empty", (WIN, LOSS), (Fraction(27), Fraction(21)))


def test_whose_last_stones_are_captured_takes_the_rest_of_the_captor() -> None:
    before = board(
        """
        19  0 0 0 0 0 1
        0 5 0 0 0 3  20
        """
    )
    after = MANGALA.play(before, "6")
    assert after.holes[6::7] == (23, 25)
    assert [event.kind for event in MANGALA.events(before, "6")] == ["sown", "captured_even", "swept", "over"]
    assert MANGALA.outcome(after) == Outcome("side_empty", (LOSS, WIN), (Fraction(23), Fraction(25)))


def test_an_empty_side_goes_before_25_stones_when_both_happen_in_one_ply() -> None:
    before = board(
        """
        20  0 0 0 0 1 2
        0 0 0 0 0 1  24
        """
    )
    after = MANGALA.play(before, "6")
    assert MANGALA.outcome(after) == Outcome("side_empty", (WIN, LOSS), (Fraction(28), Fraction(20)))


@pytest.mark.parametrize(("end", "decides"), [("first25", None), ("playout", 0)])
def test_an_extra_move_is_dropped_when_25_stones_end_the_game(end: str, decides: int | None) -> None:
    before = board(
        """
        14  0 1 2 0 1 3
        2 0 0 0 0 1  24
        """,
        end=end,
    )
    assert MANGALA.to_move(MANGALA.play(before, "6")) == decides


def test_24_stones_each_are_a_draw() -> None:
    before = board(
        """
        24  0 0 0 0 0 1
        0 0 0 0 0 1  22
        """
    )
    outcome = MANGALA.outcome(MANGALA.play(before, "6"))
    assert outcome == Outcome("side_empty", (DRAW, DRAW), (Fraction(24), Fraction(24)))


def test_a_draw_may_be_agreed_while_the_game_goes_on() -> None:
    position = MANGALA.start({}, 2)
    assert MANGALA.proposals(position) == ("draw",)
    assert MANGALA.settle(position, "draw") == Outcome("agreement", (DRAW, DRAW), (Fraction(0), Fraction(0)))
    with pytest.raises(ValueError, match="no agreement called divide"):
        MANGALA.settle(position, "divide")


@pytest.mark.parametrize("text", ["", "0", "7", "-1", "٣", "１", "4\u202e", "1e0", "9" * 5000, "💥", "four"])
def test_what_is_no_pit_is_refused_as_no_notation(text: str) -> None:
    with pytest.raises(InvalidNotation):
        MANGALA.play(MANGALA.start({}, 2), text)


def test_an_empty_pit_is_refused_with_its_number() -> None:
    with pytest.raises(IllegalMove, match="Pit 2 is empty"):
        MANGALA.play(board("0  4 4 4 4 4 4\n1 0 4 4 4 4  0"), " 2 ")


def test_after_the_end_nothing_can_be_played() -> None:
    over = board("14  1 1 1 1 1 1\n1 1 1 0 0 0  25")
    assert list(MANGALA.legal_moves(over)) == []
    with pytest.raises(IllegalMove, match="The game is over"):
        MANGALA.play(over, "1")


def test_a_pit_is_written_as_its_number_and_touched_at_its_place() -> None:
    position = MANGALA.play(MANGALA.start({}, 2), "1")
    assert MANGALA.canonical(position, " 3 ") == "3"
    assert MANGALA.place_of(MANGALA.view(position, 0), "3") == "N3"


def test_options_and_seats_that_do_not_exist_are_refused() -> None:
    refused: list[tuple[dict[str, str | int], int]] = [({"end": "never"}, 2), ({"stones": 4}, 2), ({}, 3)]
    for options, seats in refused:
        with pytest.raises(BadOptions):
            MANGALA.start(options, seats)


@pytest.mark.parametrize(
    "broken",
    [
        [],
        {},
        {"south_pits": [4] * 5},
        {"south_pits": [True] * 6},
        {"south_pits": [-1] * 6},
        {"south_store": 49},
        {"turn": "W"},
        {"end": "never"},
        {"turn": ["S"]},
        {"termination": "over24"},
        {"termination": None},
        {"south_pits": [0] * 6},
        {"north_pits": None},
        {"north_store": 1.5},
        {"turn_number": "1"},
        {"turn_number": 0},
    ],
)
def test_json_that_is_no_position_is_refused(broken: Any) -> None:
    whole = MANGALA.dump(MANGALA.start({}, 2))
    with pytest.raises(BadPosition):
        MANGALA.load({**whole, **broken} if broken else broken)


def test_a_position_that_is_over_is_known_by_its_stones() -> None:
    over = {"south_pits": [0, 0, 0, 1, 0, 0], "north_pits": [0, 3, 1, 1, 1, 1], "south_store": 27, "north_store": 13, "turn": "S"}
    assert MANGALA.to_move(MANGALA.load(over)) is None
    assert MANGALA.to_move(MANGALA.load({**over, "end": "playout"})) == 0


def test_time_and_leaving_cost_the_game() -> None:
    position = MANGALA.start({}, 2)
    assert MANGALA.time_out(position) == Forfeit(0)
    assert MANGALA.leave(position, 1) == Forfeit(1)
