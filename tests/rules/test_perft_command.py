"""`manage.py perft`: one line for each depth, a plain answer for what does not exist."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.rules.ruleset import AnyRuleset

NEARLY_WON = {
    "south_pits": [2, 0, 0, 0, 0, 1],
    "north_pits": [3, 1, 0, 2, 1, 0],
    "south_store": 24,
    "north_store": 14,
    "turn": "S",
}


def perft(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("perft", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_each_depth_is_a_line() -> None:
    assert perft("mangala", "3") == ["depth 1: 6 (ended 0)", "depth 2: 36 (ended 0)", "depth 3: 213 (ended 0)"]


@pytest.mark.parametrize(("option", "second"), [("end=first25", "depth 2: 0 (ended 0)"), ("end=playout", "depth 2: 4 (ended 0)")])
def test_counting_begins_at_a_position_with_an_option(option: str, second: str) -> None:
    assert perft("mangala", "2", "--option", option, "--position", json.dumps(NEARLY_WON))[1] == second


def test_an_option_of_the_command_goes_before_the_one_in_the_position() -> None:
    position = json.dumps({**NEARLY_WON, "end": "first25"})
    assert perft("mangala", "1", "--position", position) == ["depth 1: 2 (ended 2)"]
    assert perft("mangala", "1", "--option", "end=playout", "--position", position) == ["depth 1: 2 (ended 0)"]


@pytest.mark.parametrize(("grand_slam", "first"), [("forbidden", 4), ("no_capture", 6), ("takes_all", 6)])
def test_the_option_of_oware_decides_what_is_counted(grand_slam: str, first: int) -> None:
    slam = {"south_pits": [4, 4, 4, 4, 4, 2], "north_pits": [1, 1, 0, 0, 0, 0], "south_store": 12, "north_store": 12, "turn": "S"}
    ended = 2 if grand_slam == "takes_all" else 0
    counted = perft("oware", "1", "--option", f"grand_slam={grand_slam}", "--position", json.dumps(slam))
    assert counted == [f"depth 1: {first} (ended {ended})"]


def test_numbers_are_options_too_and_chance_is_counted(toy: AnyRuleset) -> None:
    assert perft("toy", "2", "--option", "rounds=1") == ["depth 1: 6 (ended 0)", "depth 2: 36 (ended 0)"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("chess", "1"), "there is no ruleset called 'chess'; there are .*mangala"),
        (("mangala", "x"), "invalid int value"),
        (("mangala", "0"), "a number from 1"),
        (("mangala", "1", "--option", "end=never"), "cannot be “never”"),
        (("mangala", "1", "--option", "end"), "'end' is not written as key=value"),
        (("mangala", "1", "--option", "stones=4"), "has no option “stones”"),
        (("mangala", "1", "--position", "{"), "not JSON"),
        (("mangala", "1", "--position", "[" * 100_000), "not JSON"),
        (("mangala", "1", "--position", "[]"), "not a JSON object"),
        (("mangala", "1", "--position", '{"turn": "S"}'), "south_pits"),
        (("mangala", "1", "--position", json.dumps({**NEARLY_WON, "south_store": 25})), "49 stones"),
        (("mangala", "1", "--position", json.dumps({**NEARLY_WON, "north_pits": [0] * 6})), "a side is empty"),
    ],
)
def test_what_cannot_be_counted_is_said_in_one_line(arguments: tuple[str, ...], why: str) -> None:
    with pytest.raises(CommandError, match=why) as refused:
        perft(*arguments)
    assert "\n" not in str(refused.value)
