"""Positions that others worked out: single moves by hand, and every child of rare positions."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import registry
from games.rules.replay import result
from games.rules.ruleset import AnyRuleset
from tests.rules.references import hand_cases, options_of, perft_tables

MOVES = [case for case in hand_cases() if case["kind"] == "move"]
LISTS = [case for case in hand_cases() if case["kind"] == "legal"]
TABLES = perft_tables()


def named(cases: list[dict[str, Any]]) -> list[str]:
    return [f"{case['game']} {case.get('variant', '')} {case['why']}" for case in cases]


def agrees(ruleset: AnyRuleset, position: Any, expected: dict[str, Any]) -> bool:
    dumped = ruleset.dump(position)
    names = ["south_pits", "north_pits", "south_store", "north_store"] + ([] if expected.get("over") else ["turn"])
    over = ruleset.to_move(position) is None
    return over == expected["over"] and all(dumped[name] == expected[name] for name in names)


@pytest.mark.parametrize("case", MOVES, ids=named(MOVES))
def test_a_move_worked_out_by_hand(case: dict[str, Any]) -> None:
    ruleset = registry.get(case["game"])
    after = ruleset.play(ruleset.load({**case["before"], **options_of(case)}), case["move"])

    assert agrees(ruleset, after, case["after"])
    outcome = ruleset.outcome(after)
    assert (outcome.termination if outcome else None) == case["end"]
    assert result(outcome, 2) == (case["result"] or "*")


@pytest.mark.parametrize("case", LISTS, ids=named(LISTS))
def test_a_list_of_legal_moves_worked_out_by_hand(case: dict[str, Any]) -> None:
    ruleset = registry.get(case["game"])
    assert list(ruleset.legal_moves(ruleset.load({**case["before"], **options_of(case)}))) == case["legal"]


@pytest.mark.parametrize("known", TABLES, ids=[f"{one['game']} {one['variant']} {one['name']}" for one in TABLES])
def test_legal_moves_and_children_of_reference_positions(known: dict[str, Any]) -> None:
    ruleset = registry.get(known["game"])
    position = ruleset.load({**known, **options_of(known)})

    assert list(ruleset.legal_moves(position)) == known["legal"]
    for move, expected in known["after"].items():
        assert agrees(ruleset, ruleset.play(position, move), expected)
