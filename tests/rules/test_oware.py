"""Oware clause by clause, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.rules.phrase import in_english
from games.rules.position import DRAW, LOSS, WIN, BadOptions, BadPosition, Forfeit, IllegalMove, InvalidNotation, Outcome
from games.rules.ruleset import Marks
from tests.rules.boards import OWARE, oware

SLAM = """
    12  0 0 0 0 1 1
    4 4 4 4 4 2  12
    """
"""Pits 4 and 6 of South would take all that North has."""

ONLY_SLAMS = """
    20  0 0 0 0 1 1
    0 0 0 0 0 2  24
    """

CHASE = """
    23  0 0 1 0 0 0
    0 0 0 1 0 0  23
    """
"""Two stones six pits apart, which nobody can ever catch."""


def played(position: Any, *moves: str) -> Any:
    for move in moves:
        position = OWARE.play(position, move)
    return position


def told(position: Any, move: str) -> list[str]:
    return [in_english(event.said) for event in OWARE.events(position, move)]


def test_stones_go_round_over_both_sides_and_into_no_store() -> None:
    before = oware("3  3 3 3 3 3 3\n3 3 3 3 3 10  2", grand_slam="forbidden")
    after = OWARE.play(before, "6")
    assert after.holes == (4, 4, 4, 4, 3, 0, 2, 4, 4, 4, 4, 4, 4, 3)
    assert (OWARE.to_move(after), OWARE.turn(after)) == (1, 2)


def test_the_origin_is_passed_over_on_every_lap() -> None:
    before = oware("0  0 0 0 0 0 1\n0 36 0 0 0 0  11")
    assert OWARE.play(before, "2").holes == (3, 0, 4, 4, 4, 3, 11, 4, 3, 3, 3, 3, 3, 0)


def test_a_capture_goes_backwards_while_pits_hold_two_or_three() -> None:
    before = oware("4  4 4 4 2 1 3\n4 4 4 4 4 3  3")
    assert OWARE.play(before, "6").holes == (4, 4, 4, 4, 4, 0, 8, 4, 0, 0, 4, 4, 4, 4)
    assert told(before, "6") == [
        "South sows 3 stones from pit 6; the last one falls in pit 3 on the other side.",
        "South captures 5 stones.",
    ]


def test_a_capture_ends_where_the_other_side_begins() -> None:
    before = oware("4  4 4 4 4 1 1\n4 4 4 4 1 2  3")
    assert OWARE.play(before, "6").holes[:8] == (4, 4, 4, 4, 1, 0, 7, 0)


def test_north_captures_in_the_same_way() -> None:
    before = oware("3  3 4 4 4 4 4\n3 1 2 4 4 4  4", "N")
    after = OWARE.play(before, "6")
    assert after.holes == (4, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0, 8)


def test_who_has_no_stones_must_be_given_some_and_the_refusal_says_so() -> None:
    hungry = oware("21  0 0 0 0 0 0\n0 0 3 1 1 1  21")
    assert list(OWARE.legal_moves(hungry)) == ["6"]
    with pytest.raises(IllegalMove, match="North has no stones: choose a pit whose stones reach the side of North"):
        OWARE.play(hungry, "3")


def test_who_cannot_give_any_takes_all_that_is_left() -> None:
    before = oware("23  0 0 0 0 1 0\n0 0 0 0 0 1  23")
    after = OWARE.play(before, "6")
    assert OWARE.outcome(after) == Outcome("cannot_feed", (LOSS, WIN), (Fraction(23), Fraction(25)))
    assert told(before, "6")[1:] == [
        "South has no stones and North cannot give any: North takes the last 2 stones.",
        "The game is over, 23 to 25.",
    ]


def test_a_grand_slam_captures_nothing_by_the_usual_rule() -> None:
    after = OWARE.play(oware(SLAM), "6")
    assert after.holes == (4, 4, 4, 4, 4, 0, 12, 2, 2, 0, 0, 0, 0, 12)
    assert told(oware(SLAM), "6")[1:] == ["It is a Grand Slam: nothing is captured."]


def test_a_forbidden_grand_slam_says_that_it_is_one() -> None:
    before = oware(SLAM, grand_slam="forbidden")
    assert list(OWARE.legal_moves(before)) == ["1", "2", "3", "5"]
    for move in ("4", "6"):
        with pytest.raises(IllegalMove, match=r"capture all stones of North\. Such a Grand Slam is forbidden"):
            OWARE.play(before, move)


def test_a_grand_slam_may_take_all_and_end_the_game() -> None:
    before = oware(SLAM, grand_slam="takes_all")
    outcome = OWARE.outcome(OWARE.play(before, "6"))
    assert outcome == Outcome("grand_slam", (WIN, LOSS), (Fraction(36), Fraction(12)))
    assert told(before, "6")[1:] == [
        "South captures 4 stones.",
        "It is a Grand Slam: South takes the last 20 stones, too.",
        "The game is over, 36 to 12.",
    ]
    assert told(oware(ONLY_SLAMS, grand_slam="takes_all"), "6")[2] == "It is a Grand Slam."


def test_a_grand_slam_goes_before_25_stones() -> None:
    before = oware("4  0 0 0 0 1 1\n4 4 4 4 4 2  20", grand_slam="takes_all")
    outcome = OWARE.outcome(OWARE.play(before, "6"))
    assert outcome is not None
    assert outcome.termination == "grand_slam"


def test_when_every_move_is_a_forbidden_grand_slam_the_mover_takes_all() -> None:
    before = oware("23  1 0 0 0 0 1\n1 0 0 0 0 1  21", grand_slam="forbidden")
    after = OWARE.play(before, "6")
    assert OWARE.outcome(after) == Outcome("all_slams", (LOSS, WIN), (Fraction(23), Fraction(25)))
    assert told(before, "6")[1:] == [
        "South captures 2 stones.",
        "Every move of North would be a Grand Slam: North takes the last 2 stones.",
        "The game is over, 23 to 25.",
    ]


def test_25_stones_end_the_game_and_the_rest_stays_on_the_board() -> None:
    before = oware("14  1 0 0 0 4 1\n4 0 0 0 0 1  23")
    after = OWARE.play(before, "6")
    assert OWARE.outcome(after) == Outcome("over24", (WIN, LOSS), (Fraction(25), Fraction(14)))
    assert after.holes == (4, 0, 0, 0, 0, 0, 25, 0, 4, 0, 0, 0, 1, 14)
    assert told(before, "6")[1:] == ["South captures 2 stones.", "The game is over, 25 to 14."]


def test_the_same_pits_with_the_same_seat_to_move_for_the_third_time_end_the_game() -> None:
    position, moves = oware(CHASE), [*"445566112233"] * 2
    for move in moves:
        assert OWARE.outcome(position) is None
        last, position = position, OWARE.play(position, move)
    assert OWARE.outcome(position) == Outcome("repetition", (DRAW, DRAW), (Fraction(24), Fraction(24)))
    assert told(last, "3")[1:] == [
        "The same position comes for the third time: the last 2 stones are divided equally.",
        "The game is over, 24 to 24.",
    ]


def test_the_same_pits_with_the_other_seat_to_move_are_another_position() -> None:
    now = bytes(oware(CHASE).holes).hex()
    elsewhere = bytes((0, 0, 0, 0, 1, 0, 23, 0, 0, 0, 1, 0, 0, 23)).hex()
    dumped = OWARE.dump(oware(CHASE))
    assert OWARE.load({**dumped, "seen": [now, now, elsewhere, now, now]}).seen.count(bytes.fromhex(now)) == 4
    with pytest.raises(BadPosition):
        OWARE.load({**dumped, "seen": [now, elsewhere, now, elsewhere, now]})


def test_a_capture_makes_all_earlier_positions_impossible() -> None:
    before = oware("20  4 0 0 0 0 1\n0 0 0 0 0 1  22")
    assert len(OWARE.play(before, "6").seen) == 1
    assert len(played(OWARE.start({}, 2), "6", "6", "1").seen) == 4


def test_an_odd_stone_is_half_each() -> None:
    over = OWARE.load(
        {
            **OWARE.dump(OWARE.start({}, 2)),
            "south_pits": [0] * 6,
            "north_pits": [0] * 6,
            "south_store": 23.5,
            "north_store": 24.5,
            "seen": [],
            "termination": "repetition",
        }
    )
    assert OWARE.outcome(over) == Outcome("repetition", (LOSS, WIN), (Fraction(47, 2), Fraction(49, 2)))
    assert OWARE.dump(over)["south_store"] == 23.5
    view = OWARE.view(over, 0)
    assert "Your store holds 23½ stones. North: pits 1 to 6 hold 0, 0, 0, 0, 0 and 0. North: the store holds 24½ stones." in (
        OWARE.describe(view, in_english)
    )
    assert OWARE.diagram(view).splitlines()[3] == "N 24½ |                         |  S 23½"
    assert ">23½</text>" in OWARE.miniature(view, in_english)
    assert "South 23½, North 24½" in OWARE.miniature(view, in_english)


def test_a_draw_or_a_division_of_what_is_left_may_be_agreed() -> None:
    position = oware("20  0 0 0 1 0 0\n0 0 2 1 0 0  24")
    assert OWARE.proposals(position) == ("draw", "divide")
    assert OWARE.settle(position, "draw") == Outcome("agreement", (DRAW, DRAW), (Fraction(24), Fraction(20)))
    assert OWARE.settle(position, "divide") == Outcome("agreement", (WIN, LOSS), (Fraction(26), Fraction(22)))
    odd = oware("20  0 0 0 1 0 0\n0 0 1 1 0 0  24")
    assert OWARE.settle(odd, "divide").scores == (Fraction(51, 2), Fraction(43, 2))


@pytest.mark.parametrize("text", ["", "0", "7", "-1", "4-6", "٣", "１", "9" * 5000, "four"])
def test_what_is_no_pit_is_refused_as_no_notation(text: str) -> None:
    with pytest.raises(InvalidNotation):
        OWARE.play(OWARE.start({}, 2), text)


def test_an_empty_pit_and_a_move_after_the_end_are_refused() -> None:
    with pytest.raises(IllegalMove, match="Pit 2 is empty"):
        OWARE.play(oware("0  4 4 4 4 4 4\n4 0 4 4 4 4  0"), " 2 ")
    over = oware("14  1 1 1 1 1 1\n1 1 1 0 0 0  25")
    assert list(OWARE.legal_moves(over)) == []
    with pytest.raises(IllegalMove, match="The game is over"):
        OWARE.play(over, "1")


def test_a_turn_is_one_ply() -> None:
    assert OWARE.split(" 4-6 ") == ("4-6",)
    with pytest.raises(ValueError, match="one ply"):
        OWARE.join(["4", "6"])


@pytest.mark.parametrize("value", ["never", "", "A", 2, True])
def test_an_option_that_does_not_exist_is_refused(value: Any) -> None:
    with pytest.raises(BadOptions, match="The option “grand_slam” cannot be"):
        OWARE.start({"grand_slam": value}, 2)


@pytest.mark.parametrize(
    "broken",
    [
        {"grand_slam": "A"},
        {"termination": "over24"},
        {"termination": None},
        {"south_pits": [0] * 6, "north_pits": [0, 0, 1, 0, 0, 0]},
        {"north_pits": [0] * 6, "south_pits": [1, 0, 0, 0, 0, 0]},
        {"north_store": 0.5},
        {"north_store": 0.5, "south_store": 0.5, "south_pits": [3, 4, 4, 4, 4, 4]},
        {"north_store": 0.25, "south_store": 0.25},
        {"north_store": float("nan")},
        {"seen": []},
        {"seen": "04"},
        {"seen": 4},
        {"seen": ["zz"]},
        {"seen": [bytes(14).hex()]},
        {"seen": ["0000", bytes([4, 4, 4, 4, 4, 4, 0] * 2).hex()]},
        {"seen": [bytes([4, 4, 4, 4, 4, 4, 0] * 2).hex()] * 5},
    ],
)
def test_json_that_is_no_position_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(BadPosition):
        OWARE.load({**OWARE.dump(OWARE.start({}, 2)), **broken})


@pytest.mark.parametrize(
    ("grand_slam", "termination", "stands"),
    [
        ("forbidden", "all_slams", True),
        ("no_capture", "all_slams", False),
        ("takes_all", "grand_slam", True),
        ("forbidden", "grand_slam", False),
    ],
)
def test_a_game_ends_only_as_its_option_allows(grand_slam: str, termination: str, stands: bool) -> None:
    data = {
        "south_pits": [0] * 6,
        "north_pits": [0] * 6,
        "south_store": 20,
        "north_store": 28,
        "turn": "S",
        "grand_slam": grand_slam,
        "termination": termination,
    }
    if stands:
        assert OWARE.load(data).termination == termination
    else:
        with pytest.raises(BadPosition, match="the termination of this position is 'cannot_feed'"):
            OWARE.load(data)


def test_time_and_leaving_cost_the_game() -> None:
    position = OWARE.start({}, 2)
    assert OWARE.time_out(position) == Forfeit(0)
    assert OWARE.leave(position, 1) == Forfeit(1)


def test_the_picture_bears_the_name_of_the_game() -> None:
    view = OWARE.view(OWARE.start({}, 2), 0)
    drawn = OWARE.picture(view, Marks(), in_english)
    assert '<title id="oware-title">Oware: South is to move.</title>' in drawn
    assert "mangala" not in drawn
    assert OWARE.place_of(view, "3") == "S3"
