"""What sowing games share: names of holes, ways round the board, reading a pit."""

from __future__ import annotations

import pytest

from games.rules import registry
from games.rules.phrase import in_english
from games.rules.position import InvalidNotation
from games.rules.sowing import PLACES, STONES, STORES, empty_pit, game_over, laps, pit_place, read_pit, store_place


def test_the_holes_are_named_in_the_order_of_a_position() -> None:
    assert PLACES == ("S1", "S2", "S3", "S4", "S5", "S6", "store S", "N1", "N2", "N3", "N4", "N5", "N6", "store N")
    assert [PLACES[store] for store in STORES] == [store_place(0), store_place(1)]
    assert [pit_place(1, pit) for pit in (1, 6)] == ["N1", "N6"]


def test_a_way_round_begins_with_its_origin_and_is_long_enough_for_all_stones() -> None:
    track = (0, 1, 2, 7, 8)
    way = laps(track, 2)
    assert way[:7] == (2, 7, 8, 0, 1, 2, 7)
    assert len(way) > STONES


@pytest.mark.parametrize("text", ["3", " 3", "3\n", "\u00a03 "])
def test_blanks_around_a_pit_do_not_matter(text: str) -> None:
    assert read_pit(text) == "3"


@pytest.mark.parametrize("text", ["0", "7", "03", "3.", "+3", "３", "٣", "three", "3" * 5000])
def test_what_is_no_pit_is_said_shortly(text: str) -> None:
    with pytest.raises(InvalidNotation, match="is not a pit: write a number from 1 to 6") as refused:
        read_pit(text)
    assert len(str(refused.value)) < 100


def test_a_pit_that_is_missing_is_asked_for() -> None:
    with pytest.raises(InvalidNotation, match="A pit is missing"):
        read_pit("")


@pytest.mark.parametrize("text", ["4-6", "4–6", "4 — 6", "4 6", "4,6", " 4; 6 "])
def test_plies_of_a_turn_may_be_typed_with_any_dash_comma_or_blank(text: str) -> None:
    assert registry.get("mangala").split(text) == ("4", "6")


def test_refusals_say_why() -> None:
    assert in_english(empty_pit(" 4 ").said) == "Pit 4 is empty."
    assert in_english(game_over().said) == "The game is over."
