"""Positions of Sprouts with their drawings: what a log keeps of a line, and what is no position."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import registry
from games.rules.catalogue.sprouts import unplaying
from games.rules.catalogue.sprouts.enclosure import string
from games.rules.catalogue.sprouts.position import SproutsPosition, SproutsView
from games.rules.phrase import in_english
from games.rules.position import BadPosition, IllegalMove
from games.rules.ruleset import Marks, Ruleset
from tests.rules.test_sprouts import random_plans, seeds

SPROUTS: Ruleset[SproutsPosition, SproutsView] = registry.get("sprouts")


def after(*moves: str, n: int = 3) -> SproutsPosition:
    return SPROUTS.load({"n": n, "moves": list(moves)})


def test_a_line_that_waits_is_laid_as_it_would_have_been_kept() -> None:
    start = SPROUTS.start({"n": 3}, 2)
    kept = SPROUTS.stored(start, "1(4)2")
    assert SPROUTS.told(kept) == "1(4)2"
    assert SPROUTS.play(start, kept) == SPROUTS.play(start, "1(4)2")


def test_two_drawings_of_one_plan_are_two_positions() -> None:
    start = SPROUTS.start({"n": 3}, 2)
    drawn = SPROUTS.play(start, "1(4)2")
    (ax, ay), (bx, by) = start.drawing.spots[:2]
    straight = SPROUTS.play(start, f"1(4)2/*{(ax + bx) // 2},{(ay + by) // 2}*")
    assert straight.plan == drawn.plan
    assert straight != drawn
    assert hash(straight) == hash(drawn)
    pictures = {SPROUTS.picture(SPROUTS.view(one, None), Marks(), in_english) for one in (straight, drawn)}
    assert len(pictures) == 2


def test_a_line_that_shows_another_move_is_refused() -> None:
    start = SPROUTS.start({"n": 3}, 2)
    kept = SPROUTS.stored(start, "1(4)1[2]")
    way = kept.removeprefix("1(4)1[2]")
    SPROUTS.play(start, kept)
    for move, drawn in (("1(4)1", way), ("1(4)1[2]", "/1,1*2"), ("1(4)1[2]", "//1,1")):
        with pytest.raises(IllegalMove, match=r"drawn|drawing"):
            SPROUTS.play(start, move + drawn)


def test_the_living_and_the_dead_are_told_and_drawn_apart() -> None:
    position = after("1(4)1", "1(5)4#1")
    told = SPROUTS.describe(SPROUTS.view(position, 0), in_english)
    assert "With three lives: spots 2, 3." in told
    assert "Dead: spots 1, 4." in told
    assert "With one life: spot 5." in told
    drawn = SPROUTS.picture(SPROUTS.view(position, 0), Marks(), in_english)
    assert drawn.count('r="3"') == 3 + 3 + 1, "a pip for each life"


DUMPED: dict[str, Any] = SPROUTS.dump(after("1(4)2"))


@pytest.mark.parametrize(
    "change",
    [
        {"n": 0}, {"n": True}, {"n": 2}, {"n": 4}, {"misere": 1}, {"lines": []}, {"lines": [[1, 9]]}, {"lines": [[1, "2"]]},
        {"lines": [[1]]}, {"lines": 1}, {"lines": [[1, 3]]}, {"drawing": 1}, {"drawing": ""}, {"drawing": "//1,1/1,1/2,2/3,3//*"},
        {"position": "1"}, {"lines": [[1, 4]]},
    ],
    ids=str,
)  # fmt: skip
def test_positions_that_no_game_reaches_are_refused(change: dict[str, Any]) -> None:
    assert SPROUTS.dump(SPROUTS.load(DUMPED)) == DUMPED
    with pytest.raises(BadPosition):
        SPROUTS.load({**DUMPED, **change})


@pytest.mark.parametrize("moves", ["1(4)2", [1], ["1(5)2"], ["x"], ["1(4)2", "1(5)4"]], ids=str)
def test_moves_that_cannot_be_played_are_no_position(moves: Any) -> None:
    with pytest.raises(BadPosition):
        SPROUTS.load({"n": 3, "moves": moves})


@given(seeds, st.integers(1, 9))
def test_a_position_as_hoey_writes_it_tells_a_game_that_leads_there(seed: int, n: int) -> None:
    for plan in random_plans(n, seed)[::4]:
        assert SPROUTS.load({"position": string(plan)}).plan == plan


def test_for_a_position_as_hoey_writes_it_a_drawing_is_made() -> None:
    loaded = SPROUTS.load({"position": "1,4,2,4;3"})
    assert loaded == after("1(4)2")
    turned = SPROUTS.load({"position": "3;2,4,1,4", "misere": True})
    assert turned.plan == loaded.plan._replace(misere=True)
    assert SPROUTS.dump(SPROUTS.load(SPROUTS.dump(turned))) == SPROUTS.dump(turned)


@pytest.mark.parametrize(
    "written",
    [
        "", "x", "1;", "2", "1/2", "1;1", "1,1", "1,2", "1,2,3,4", "1,3,2,3/1", "1,4,2,5;3", "1,2/1,2/1,2", "1,3,2,3;3",
        "1;" * 9000, "0;1", "1,4,2,4/3", "2,1;1,2", "2;1;4,3;4,3", "1,3,1/3,1,2,2,1", ";".join(map(str, range(1, 1001))),
    ],
    ids=lambda written: written[:12],
)  # fmt: skip
def test_what_no_game_leads_to_is_no_position(written: str) -> None:
    with pytest.raises(BadPosition):
        SPROUTS.load({"position": written})


@given(seeds, st.integers(1, 4), st.data())
def test_numbers_that_are_mixed_up_never_break_anything(seed: int, n: int, data: st.DataObject) -> None:
    written = list(string(random_plans(n, seed)[-1]))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(written) - 1))
        written[at] = data.draw(st.sampled_from("123456,;/"))
    try:
        plan = SPROUTS.load({"position": "".join(written)}).plan
    except BadPosition:
        return
    assert unplaying.plan_of(string(plan), misere=False) == plan
