"""Choosing a line of Sprouts step by step: every line can be reached, and none needs a list of all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.catalogue.sprouts import choosing, notation, play
from games.rules.catalogue.sprouts.play import Line, Plan
from games.rules.position import IllegalMove
from tests.rules.test_sprouts import after, random_plans, spots

seeds = st.integers(0, 10**9)


def first_spelling(plan: Plan, line: Line) -> str:
    return next(text for text, _ in notation.spellings(plan, line))


def ticked(plan: Plan, move: str, chosen: tuple[str, ...] = ()) -> dict[str, bool]:
    division = choosing.division(plan, move, chosen)
    return {piece.name: piece.here for piece in division.pieces} if division is not None else {}


def reached(plan: Plan, first: int, second: int) -> set[str]:
    """The moves between two spots that somebody reaches who ticks one box after another."""
    found: set[str] = set()
    waiting = [one.text for one in choosing.beginnings(plan, f"{first}-{second}")]
    while waiting:
        move = waiting.pop()
        if move not in found:
            found.add(move)
            here = {name for name, on in ticked(plan, move).items() if on}
            waiting += [choosing.divided(plan, move, here ^ {name}) for name in ticked(plan, move)]
    return found


def pairs(plan: Plan) -> Iterator[tuple[int, int]]:
    for first in choosing.beginnings(plan, ""):
        for second in choosing.beginnings(plan, first.text):
            yield int(first.text), int(second.text.partition("-")[2])


@settings(max_examples=8)
@given(seeds, st.integers(2, 4))
def test_every_line_is_reached_by_steps_and_ticks(seed: int, n: int) -> None:
    for plan in random_plans(n, seed)[::2]:
        listed = {first_spelling(plan, line) for line in play.lines(plan)}
        assert {move for one, other in pairs(plan) if one <= other for move in reached(plan, one, other)} == listed


@settings(max_examples=8)
@given(seeds, st.integers(2, 5))
def test_a_tick_changes_the_side_of_one_thing_and_of_nothing_else(seed: int, n: int) -> None:
    for plan in random_plans(n, seed)[::3]:
        for one, other in pairs(plan):
            for beginning in choosing.beginnings(plan, f"{one}-{other}"):
                here = {name for name, on in ticked(plan, beginning.text).items() if on}
                assert choosing.divided(plan, beginning.text, here) == beginning.text
                for name in ticked(plan, beginning.text):
                    wanted = here ^ {name}
                    move = choosing.divided(plan, beginning.text, wanted)
                    assert {name for name, on in ticked(plan, move, tuple(wanted)).items() if on} == wanted


@settings(max_examples=3)
@given(seeds)
def test_steps_are_few_and_short_in_the_largest_game(seed: int) -> None:
    for plan in random_plans(33, seed)[::16]:
        for one, other in list(pairs(plan))[:40:13]:
            ways = choosing.beginnings(plan, f"{one}-{other}")
            assert 1 <= len(ways) <= choosing.FEW
            assert all(way.whole for way in ways)
            assert len(ticked(plan, ways[0].text)) <= 33


def test_a_text_that_begins_no_line_leads_nowhere() -> None:
    plan = after(3, "1(4)1[2]")
    for text in ("9", "2-3", "x", "1-", "1(5)4", "1-1", "0"):
        assert choosing.beginnings(plan, text) == ()


def test_each_step_asks_its_own_question() -> None:
    asked = [choosing.asked(text) for text in ("", " 3 ", "3–4", "3-3", "3(9)4")]
    assert [str(one) if one is None else one.msgid % one.params for one in asked] == [
        "From which spot does the line start?",
        "To which spot does the line from 3 go?",
        "How does the line from 3 to 4 go?",
        "How does the loop at 3 go?",
        "None",
    ]


def test_what_lies_where_it_must_is_no_choice() -> None:
    plan = after(4, "1(5)2")
    assert ticked(plan, "1(6)2#1") == {"3": False, "4": False}
    assert ticked(plan, "1(6)3") == {}
    with pytest.raises(IllegalMove):
        choosing.divided(plan, "1(6)2#1", ["5"])
    assert choosing.division(spots(1), "1(2)1") is None
