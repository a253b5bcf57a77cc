"""Mangala: hand-worked cases, reference positions, and what must hold in any game."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import registry
from games.rules.catalogue.mangala.play import MangalaPosition, MangalaView
from games.rules.position import BadOptions, BadPosition, Forfeit, IllegalMove, InvalidNotation
from games.rules.replay import result
from games.rules.ruleset import Ruleset

MANGALA: Ruleset[MangalaPosition, MangalaView] = registry.get("mangala")
REFERENCE = Path(__file__).parent / "reference"
CASES = [json.loads(line) for line in (REFERENCE / "hand_cases.jsonl").read_text().splitlines()]
PERFT = json.loads((REFERENCE / "perft.json").read_text())


def board(text: str, turn: str = "S", **more: Any) -> MangalaPosition:
    """A position drawn from South's side: North's pits 6..1 with its store, then South's pits 1..6 with its store."""
    north, south = (list(map(int, line.split())) for line in text.strip().splitlines())
    data = {"north_store": north[0], "north_pits": north[:0:-1], "south_pits": south[:6], "south_store": south[6], "turn": turn}
    return MANGALA.load({**data, **more})


def agrees(position: MangalaPosition, expected: dict[str, Any]) -> bool:
    dumped = MANGALA.dump(position)
    names = ["south_pits", "north_pits", "south_store", "north_store"] + ([] if expected.get("over") else ["turn"])
    over = MANGALA.to_move(position) is None
    return over == expected["over"] and all(dumped[name] == expected[name] for name in names)


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_a_case_worked_out_by_hand(case: dict[str, Any]) -> None:
    after = MANGALA.play(MANGALA.load({**case["before"], **case["options"]}), case["move"])

    assert agrees(after, case["after"])
    outcome = MANGALA.outcome(after)
    assert (outcome.termination if outcome else None) == case["end"]
    assert result(outcome, 2) == (case["result"] or "*")


@pytest.mark.parametrize("known", PERFT, ids=[f"{one['variant']} {one['name']}" for one in PERFT])
def test_legal_moves_and_children_of_reference_positions(known: dict[str, Any]) -> None:
    position = MANGALA.load({**known, "end": known["variant"]})

    assert list(MANGALA.legal_moves(position)) == known["legal"]
    for move, expected in known["after"].items():
        assert agrees(MANGALA.play(position, move), expected)


def test_thirteen_stones_from_pit_1_end_in_the_opponents_pit_6_where_the_even_rule_applies() -> None:
    before = board(
        """
        0  1 1 1 1 1 1
        13 0 0 0 0 0  0
        """
    )
    after = MANGALA.play(before, "1")
    assert after == board(
        """
        0  0 2 2 2 2 2
        1 1 1 1 1 1  3
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
    after = MANGALA.play(before, "3")
    assert after.holes[2] == 2
    assert after.holes[6] == 1


def test_whose_capture_empties_his_own_side_takes_the_rest() -> None:
    before = board(
        """
        20  0 0 0 1 0 3
        0 0 0 0 0 1  20
        """,
        "S",
        end="playout",
    )
    after = MANGALA.play(before, "6")
    assert MANGALA.to_move(after) is None
    assert after.holes[6] == 25


@pytest.mark.parametrize("text", ["", "0", "7", "-1", "٣", "１", "4\u202e", "1e0", "9" * 5000, "💥", "four"])
def test_what_is_no_pit_is_refused_as_no_notation(text: str) -> None:
    with pytest.raises(InvalidNotation):
        MANGALA.play(MANGALA.start({}, 2), text)


def test_an_empty_pit_is_refused_with_its_number() -> None:
    position = MANGALA.play(MANGALA.play(board("0  4 4 4 4 4 4\n1 0 4 4 4 4  0"), "1"), "1")
    with pytest.raises(IllegalMove, match="Pit 1 is empty"):
        MANGALA.play(position, "1")


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
        {"termination": 3},
        {"turn_number": "1"},
    ],
)
def test_json_that_is_no_position_is_refused(broken: Any) -> None:
    whole = MANGALA.dump(MANGALA.start({}, 2))
    with pytest.raises(BadPosition):
        MANGALA.load({**whole, **broken} if broken else broken)


def test_time_and_leaving_cost_the_game() -> None:
    position = MANGALA.start({}, 2)
    assert MANGALA.time_out(position) == Forfeit(0)
    assert MANGALA.leave(position, 1) == Forfeit(1)


def a_game(seed: int, end: str) -> list[tuple[MangalaPosition, str]]:
    random = Random(seed)
    position, played = MANGALA.start({"end": end}, 2), []
    while MANGALA.has_move(position):
        move = random.choice(list(MANGALA.legal_moves(position)))
        played.append((position, move))
        position = MANGALA.play(position, move)
    played.append((position, ""))
    return played


games = st.builds(a_game, st.integers(0, 10**9), st.sampled_from(["first25", "playout"]))


@given(games)
def test_no_stone_is_lost_and_no_position_comes_again(game: list[tuple[MangalaPosition, str]]) -> None:
    assert {sum(position.holes) for position, _ in game} == {48}
    boards = [(position.holes, position.mover) for position, _ in game[:-1]]
    assert len(set(boards)) == len(boards)


@given(st.integers(0, 10**9))
def test_both_ways_to_end_have_the_same_winner(seed: int) -> None:
    early, late, random = MANGALA.start({"end": "first25"}, 2), MANGALA.start({"end": "playout"}, 2), Random(seed)
    while MANGALA.has_move(late):
        move = random.choice(list(MANGALA.legal_moves(late)))
        if MANGALA.has_move(early):
            early = MANGALA.play(early, move)
        late = MANGALA.play(late, move)
    ends = [MANGALA.outcome(position) for position in (early, late)]
    assert ends[0] is not None
    assert ends[1] is not None
    assert ends[0].points == ends[1].points


@given(games)
def test_F42_each_side_sees_the_other_sides_view_turned_round(game: list[tuple[MangalaPosition, str]]) -> None:
    for position, _ in game:
        turned = position._replace(holes=(*position.holes[7:], *position.holes[:7]), mover=1 - position.mover)
        south = MANGALA.diagram(MangalaView(position, 0))
        north = MANGALA.diagram(MangalaView(turned, 1))
        assert south == north.translate(str.maketrans("NS", "SN"))


def test_F42_the_sweep_is_part_of_the_last_ply_and_of_its_words() -> None:
    before = board("20  0 0 0 0 0 2\n0 0 0 0 0 1  20", end="playout")
    kinds = [event.kind for event in MANGALA.events(before, "6")]
    assert kinds == ["sown", "swept", "over"]
    assert MANGALA.play(before, "6").holes[6] == 23
