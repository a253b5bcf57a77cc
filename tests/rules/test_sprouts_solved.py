"""Sprouts by nimbers: against the literature, and against looking at every line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import xor
from random import Random

import pytest

from games.engines.budget import Budget, never
from games.engines.choice import analyse
from games.rules.catalogue.sprouts import RULESET, play
from games.rules.catalogue.sprouts.evaluation import EVALUATION, kinds
from games.rules.catalogue.sprouts.lands import Lands, after, of_plan
from games.rules.catalogue.sprouts.nimbers import Truth, Unsolved
from games.rules.catalogue.sprouts.play import Plan
from games.rules.catalogue.sprouts.position import SproutsPosition
from games.rules.position import WIN

PLENTY = 10**9


KNOWN = Truth(PLENTY, never)
"""Remembers what was asked before: a nimber is the same for ever."""


def nimber(lands: Lands) -> int:
    return reduce(xor, map(KNOWN.nimber, lands), 0)


def plans(n: int, games: int, *, misere: bool = False) -> Iterator[Plan]:
    """Positions of random games."""
    random = Random(n)
    for _ in range(games):
        plan = play.start(n, misere=misere)
        while play.has_line(plan):
            yield plan
            plan = play.draw(plan, random.choice(list(play.lines(plan))))


@pytest.mark.parametrize(("n", "value"), [(1, 0), (2, 0), (3, 1), (4, 1)])
def test_the_nimber_of_the_start_is_that_of_the_literature(n: int, value: int) -> None:
    assert nimber(of_plan(play.start(n, misere=False))) == value


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("n", "value"), [(5, 1), (6, 0), (7, 0)])
def test_the_nimbers_of_larger_starts_are_those_of_the_literature(n: int, value: int) -> None:
    assert nimber(of_plan(play.start(n, misere=False))) == value


@pytest.mark.parametrize(("n", "wins"), [(1, True), (2, False), (3, False), pytest.param(4, False, marks=pytest.mark.soak)])
def test_where_the_last_line_loses_the_winner_is_that_of_the_literature(n: int, wins: bool) -> None:
    assert Truth(PLENTY, never).wins(of_plan(play.start(n, misere=True)), misere=True) is wins


@pytest.mark.parametrize("n", [2, pytest.param(3, marks=pytest.mark.soak)])
def test_lines_in_lands_make_what_lines_on_the_board_make(n: int) -> None:
    for plan in plans(n, 6):
        lands = of_plan(plan)
        made = {nimber(lands[:at] + lands[at + 1 :] + child) for at, land in enumerate(lands) for child in after(land)}
        on_board = {nimber(of_plan(play.draw(plan, line))) for line in play.lines(plan)}
        assert made == on_board
        assert {nimber(of_plan(play.draw(plan, line))) for line in kinds(plan)} == on_board


@pytest.mark.parametrize("misere", [False, True])
def test_late_positions_are_judged_as_looking_at_every_line_does(misere: bool) -> None:
    known: dict[Plan, bool] = {}

    def wins(plan: Plan) -> bool:
        if plan not in known:
            lines = list(play.lines(plan))
            known[plan] = any(not wins(play.draw(plan, line)) for line in lines) if lines else misere
        return known[plan]

    judged = 0
    for plan in plans(3, 8, misere=misere):
        if plan.moves >= 3:
            assert Truth(PLENTY, never).wins(of_plan(plan), misere=misere) is wins(plan)
            judged += 1
    assert judged > 10


@pytest.mark.parametrize("misere", [False, True])
def test_a_game_that_is_won_is_won_against_any_lines(misere: bool) -> None:
    random = Random(7)
    won = 0
    for _game in range(4):
        position: SproutsPosition = RULESET.start({"n": 3, "misere": misere}, 2)
        seat = None
        while (mover := RULESET.to_move(position)) is not None:
            finding = analyse(RULESET, position, budget=Budget(20_000))
            assert finding.exact
            if seat is None and finding.value > 0:
                seat = mover
            if mover == seat:
                assert finding.value > 0
                position = RULESET.play(position, finding.best[0])
            else:
                position = RULESET.play(position, random.choice(list(RULESET.legal_moves(position))))
        outcome = RULESET.outcome(position)
        assert outcome is not None
        won += seat is not None and outcome.points[seat] == WIN
    assert won == 4


def test_what_does_not_come_out_within_the_budget_is_not_claimed() -> None:
    plan = play.start(9, misere=False)
    with pytest.raises(Unsolved):
        Truth(50, never).wins(of_plan(plan), misere=False)
    with pytest.raises(Unsolved):
        Truth(PLENTY, lambda: True).wins(of_plan(plan), misere=False)
    position = RULESET.start({"n": 9}, 2)
    assert EVALUATION.solve(position, 50, never) is None
    assert not analyse(RULESET, position, budget=Budget(100)).exact


@pytest.mark.parametrize("n", [12, 33])
def test_with_many_spots_few_kinds_of_lines_are_looked_at(n: int) -> None:
    position = RULESET.start({"n": n}, 2)
    moves = list(EVALUATION.promising(position))
    assert 3 <= len(moves) <= 16
    assert all(RULESET.canonical(position, move) == move for move in moves)
