"""What a sensible player of Rainbow does, by what they may know."""

from __future__ import annotations

from random import Random

import pytest

from games.rules.catalogue.rainbow import RULESET
from games.rules.catalogue.rainbow.evaluation import EVALUATION, cost
from games.rules.catalogue.rainbow.play import RainbowPosition
from games.rules.position import CHANCE
from tests.rules.course import random_game
from tests.rules.drops import table

SHARP = 0


@pytest.mark.parametrize(
    ("position", "move"),
    [
        (table("ROYGC", "RROOYY"), "send"),
        (table("RROYG", "OOYYGG"), "offer R"),
        (table("RRRROYGC", "OOYYGG"), "pour R"),
        (table("RRROY", "OYGCBV", offer="R"), "accept"),
        (table("RRROY", "RYYGGB", offer="R"), "refuse"),
        (table("RGVV", "YGCB", rainbows=(0, 2), offer="V"), "accept"),
    ],
)
def test_the_move_that_brings_the_rainbow_on_is_liked_best(position: RainbowPosition, move: str) -> None:
    assert next(iter(EVALUATION.promising(position))) == move
    assert EVALUATION.reply(position, Random(1), SHARP) == move


def test_a_hand_costs_less_the_more_single_drops_of_missing_colours_it_has() -> None:
    hands = ["", "R", "RO", "ROYGCBV"]
    costs = [cost(hand, 0) for hand in hands]
    assert costs == sorted(costs, reverse=True)
    assert cost("ROYGCBV", 0) == len("ROYGCBV")
    assert cost("RRO", 0) > cost("RO", 0)
    assert cost("RRO", 1) == cost("O", 1)


def test_what_is_liked_depends_on_nothing_that_the_seat_may_not_know() -> None:
    for standing in random_game(RULESET, 3).standings[::5]:
        position = standing.position
        seat = RULESET.to_move(position)
        if seat in (None, CHANCE):
            continue
        world = RULESET.imagine(RULESET.view(position, seat), Random(9))
        assert [*EVALUATION.promising(world)] == [*EVALUATION.promising(position)]


def test_hopes_are_shared_out_among_those_who_are_still_there() -> None:
    position = table("OYGCBV", "", "RROO", rainbows=(1, 0, 0))._replace(out=(1,))
    hopes = EVALUATION.hopes(position)
    assert hopes[1] == 0
    assert hopes[0] > hopes[2]
    assert abs(sum(hopes) - 1_000) <= 2
