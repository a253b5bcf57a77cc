"""What every ruleset's opponents and analysis keep to, whatever the game knows about itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from games.engines.budget import Budget
from games.engines.choice import analyse, choose, nodes_of
from games.engines.finding import CERTAIN, Finding, is_decided
from games.engines.levels import LEVELS
from games.rules import registry
from games.rules.evaluation import Solving
from games.rules.position import CHANCE
from games.rules.ruleset import AnyRuleset
from tests.nim import RULESET as NIM
from tests.rules.course import random_game
from tests.toy import OPEN_TOY, TOY

NODES = 120
AT_ONCE = 100_000
"""So many positions are looked at in a tenth of a second, even compiled: nobody asks more often whether the time is over."""

LINE = 60
"""So many plies a best line has at most, which is played over once when it is told."""
RULESETS: list[AnyRuleset] = [*map(registry.get, registry.names()), TOY, OPEN_TOY, NIM]

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.facts.name)


@cache
def decisions(ruleset: AnyRuleset) -> list[Any]:
    """Positions of two random games in which a seat decides: early, in the middle, and just before the end."""
    found = []
    for seed in (1, 2):
        positions = [standing.position for standing in random_game(ruleset, seed).standings]
        positions = [one for one in positions if ruleset.to_move(one) not in (None, CHANCE)]
        found += [positions[0], positions[len(positions) // 2], positions[-1]]
    return found


def asked(ruleset: AnyRuleset, position: Any, level: int, seed: int = 1, nodes: int = NODES) -> str:
    view = ruleset.view(position, ruleset.to_move(position))
    return choose(ruleset, view, level=level, budget=Budget(nodes), seed=seed)


@every_ruleset
def test_every_level_plays_a_legal_move_in_its_one_spelling(ruleset: AnyRuleset) -> None:
    for position in decisions(ruleset):
        for level in LEVELS:
            move = asked(ruleset, position, level.number, nodes=60)
            assert ruleset.canonical(position, move) == move


@every_ruleset
def test_the_same_seed_and_nodes_choose_the_same_move(ruleset: AnyRuleset) -> None:
    for position in decisions(ruleset):
        assert len({asked(ruleset, position, 2, seed=5) for _ in range(2)}) == 1


@every_ruleset
def test_one_node_is_enough_for_a_move(ruleset: AnyRuleset) -> None:
    for position in decisions(ruleset):
        move = asked(ruleset, position, 6, nodes=1)
        assert ruleset.canonical(position, move) == move


@every_ruleset
@pytest.mark.parametrize("nodes", [1, 40, 120])
def test_no_more_positions_are_looked_at_than_the_budget_allows(
    ruleset: AnyRuleset, nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, play = [0], type(ruleset).play

    def counted(self: AnyRuleset, position: Any, text: str) -> Any:
        made[0] += 1
        return play(self, position, text)

    positions = decisions(ruleset)
    monkeypatch.setattr(type(ruleset), "play", counted)
    for position in positions:
        made[0] = 0
        asked(ruleset, position, 6, nodes=nodes)
        assert made[0] <= nodes + LINE
        assert analyse(ruleset, position, budget=Budget(nodes)).nodes <= nodes


@every_ruleset
def test_a_search_stops_when_its_time_is_over(ruleset: AnyRuleset) -> None:
    for position in decisions(ruleset)[::3]:
        finding = analyse(ruleset, position, budget=Budget(10**9, expired=lambda: True))
        assert finding.nodes <= AT_ONCE


@pytest.mark.parametrize("ruleset", [one for one in RULESETS if one.facts.hidden], ids=lambda ruleset: ruleset.facts.name)
def test_N25_worlds_that_differ_only_in_what_a_seat_may_not_know_are_played_alike(ruleset: AnyRuleset) -> None:
    others = 0
    for position in decisions(ruleset):
        view = ruleset.view(position, ruleset.to_move(position))
        for world in (ruleset.imagine(view, Random(luck)) for luck in range(2)):
            others += world != position
            assert asked(ruleset, world, 5) == asked(ruleset, position, 5)
    assert others


@every_ruleset
def test_an_analysis_tells_a_value_a_line_and_what_each_seat_may_expect(ruleset: AnyRuleset) -> None:
    for position in decisions(ruleset):
        finding = analyse(ruleset, position, budget=Budget(400))
        assert Finding.from_json(json.loads(json.dumps(finding.to_json()))) == finding
        assert all(0 <= share <= CERTAIN for share in finding.shares)
        reached = position
        for move in finding.best:
            assert ruleset.to_move(reached) is not None
            assert ruleset.canonical(reached, move) == move
            reached = ruleset.play(reached, move)


@every_ruleset
def test_where_nobody_decides_there_is_nothing_to_choose_or_to_analyse(ruleset: AnyRuleset) -> None:
    course = random_game(ruleset, 1)
    for position in (course.standings[0].position, course.last.position):
        if ruleset.to_move(position) in (None, CHANCE):
            with pytest.raises(ValueError, match="nobody decides"):
                analyse(ruleset, position, budget=Budget(1))
            with pytest.raises(ValueError, match="nobody decides"):
                asked(ruleset, position, 1)


@every_ruleset
def test_there_are_six_levels(ruleset: AnyRuleset) -> None:
    assert len(registry.evaluation_of(ruleset).skills) == len(LEVELS) == 6
    assert all(nodes_of(ruleset, level.number) for level in LEVELS)
    for number in (0, 7):
        with pytest.raises(ValueError, match="no level"):
            nodes_of(ruleset, number)


@pytest.mark.parametrize(
    "ruleset", [one for one in RULESETS if not (one.facts.hidden or one.facts.chance)], ids=lambda ruleset: ruleset.facts.name
)
def test_a_win_in_one_is_found(ruleset: AnyRuleset) -> None:
    found = 0
    for position, seat in won_in_one(ruleset):
        finding = analyse(ruleset, position, budget=Budget(3_000))
        assert is_decided(finding.value)
        assert finding.value > 0
        assert finding.shares[seat] == CERTAIN
        found += 1
        if not isinstance(registry.evaluation_of(ruleset), Solving):
            assert asked(ruleset, position, 6, nodes=3_000) in winning_moves(ruleset, position, seat)
    assert found


def won_in_one(ruleset: AnyRuleset) -> Iterator[tuple[Any, int]]:
    for seed in range(3):
        for standing in random_game(ruleset, seed).standings[-4:-1]:
            seat = ruleset.to_move(standing.position)
            if seat is not None and winning_moves(ruleset, standing.position, seat):
                yield standing.position, seat


def winning_moves(ruleset: AnyRuleset, position: Any, seat: int) -> list[str]:
    found = []
    for move in ruleset.legal_moves(position):
        outcome = ruleset.outcome(ruleset.play(position, move))
        if outcome is not None and outcome.points[seat] == 1:
            found.append(move)
    return found


def test_where_nothing_comes_out_nothing_is_said_of_what_seats_may_expect() -> None:
    """Else whoever makes the first move that can be told to lose would be blamed for it, though all was lost before."""
    sprouts = registry.get("sprouts")
    found = analyse(sprouts, sprouts.start({"n": 12}, 2), budget=Budget(400))
    assert (found.value, found.shares, found.exact) == (0, (), False)
    assert analyse(sprouts, sprouts.start({"n": 3}, 2), budget=Budget(40_000)).shares == (1000, 0)
