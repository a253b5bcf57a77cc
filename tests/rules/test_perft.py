"""Perft: the numbers that an independent implementation counted, and a count through chance."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import registry
from games.rules.perft import perft
from tests.rules.references import options_of, perft_tables
from tests.toy import TOY

TABLES = perft_tables()
QUICK, PATIENT = {"mangala": 210_000, "oware": 40_000}, 8_000_000
"""Leaves that are counted on every run, as fast as the rules of a game are, and on a long one."""

tables = pytest.mark.parametrize("table", TABLES, ids=[f"{one['game']} {one['variant']} {one['name']}" for one in TABLES])


def counted(table: dict[str, Any], most: int) -> list[tuple[int, int]]:
    ruleset = registry.get(table["game"])
    position = ruleset.load({**table, **options_of(table)})
    return [perft(ruleset, position, row["depth"]) for row in table["perft"] if row["leaves"] <= most]


def known(table: dict[str, Any], most: int) -> list[tuple[int, int]]:
    return [(row["leaves"], row["ended"]) for row in table["perft"] if row["leaves"] <= most]


@tables
def test_sequences_are_as_many_as_another_engine_counts(table: dict[str, Any]) -> None:
    most = QUICK[table["game"]]
    assert len(known(table, most)) >= 2
    assert counted(table, most) == known(table, most)


@pytest.mark.soak
@pytest.mark.timeout(1200)
@tables
def test_sequences_are_as_many_deep_down(table: dict[str, Any]) -> None:
    assert counted(table, PATIENT) == known(table, PATIENT)


def test_every_outcome_of_chance_is_a_ply() -> None:
    dealing = TOY.start({"rounds": 1}, 2)
    assert [perft(TOY, dealing, depth) for depth in range(4)] == [(1, 0), (6, 0), (36, 0), (216, 0)]


def test_nothing_follows_the_end() -> None:
    two_passes = TOY.start({"rounds": 1}, 2)
    for card in ("1", "1", "1", "1"):
        two_passes = TOY.play(two_passes, card)
    assert perft(TOY, TOY.play(two_passes, "pass"), 1) == (2, 1)
    assert perft(TOY, TOY.play(TOY.play(two_passes, "pass"), "pass"), 1) == (0, 0)
