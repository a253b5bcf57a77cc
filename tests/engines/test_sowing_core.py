"""The fast core plays by the rules of the catalogue, compiled and as it stands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.engines.sowing import core
from games.rules import registry
from games.rules.perft import perft
from tests.engines.boards import GAMES, NAMES, evaluation, seen_by_mover
from tests.engines.uncompiled import uncompiled
from tests.rules.references import REFERENCE, options_of, perft_tables

TABLES = [table for table in perft_tables() if table["game"] in ("mangala", "oware")]
DEEP, SHALLOW = 1_500_000, 4_000
FILES = ("mangala_first25", "mangala_playout", "oware_A", "oware_B", "oware_C")
PLAIN = uncompiled("core")
both = pytest.mark.parametrize(("module", "most"), [(core, DEEP), (PLAIN, SHALLOW)], ids=["compiled", "uncompiled"])


@both
@pytest.mark.parametrize("table", TABLES, ids=[f"{one['game']} {one['variant']} {one['name']}" for one in TABLES])
def test_sequences_are_as_many_as_another_engine_counts(table: dict[str, Any], module: Any, most: int) -> None:
    position = registry.get(table["game"]).load({**table, **options_of(table)})
    variant, board = evaluation(table["game"]).variant(position), seen_by_mover(table["game"], position)
    rows = [row for row in table["perft"] if row["leaves"] <= most]
    counted = [module.count(variant, board, row["depth"]) for row in rows]
    assert counted == [(row["leaves"], row["ended"]) for row in rows]


@pytest.mark.soak
@pytest.mark.parametrize("table", TABLES, ids=[f"{one['game']} {one['variant']} {one['name']}" for one in TABLES])
def test_sequences_are_as_many_deep_down(table: dict[str, Any]) -> None:
    test_sequences_are_as_many_as_another_engine_counts(table, core, 40_000_000)


def test_one_board_is_one_sequence_of_no_plies() -> None:
    assert core.count(core.FIRST25, (4, 4, 0, 0), 0) == (1, 0)


@pytest.mark.parametrize(("game", "file"), list(zip(GAMES, FILES, strict=True)), ids=NAMES)
def test_whole_games_take_the_same_course_to_the_same_end(game: tuple[str, dict[str, str]], file: str) -> None:
    name, options = game
    ruleset = registry.get(name)
    lines = (REFERENCE / f"{file}.jsonl").read_text().splitlines()
    for at, line in enumerate(lines):
        module = core if at % 5 else PLAIN
        _follow(module, name, ruleset.start(options, 2), json.loads(line)["moves"])


def _follow(module: Any, name: str, position: Any, moves: list[str]) -> None:
    ruleset, variant = registry.get(name), evaluation(name).variant(position)
    for move in moves:
        board = seen_by_mover(name, position)
        pits = module.legal(variant, *board[:2])
        assert [str(pit + 1) for pit in range(6) if pits >> pit & 1] == list(ruleset.legal_moves(position))
        *after, comes = module.ply(variant, *board, int(move) - 1)
        before, position = position, ruleset.play(position, move)
        if position.termination == "repetition":
            # Only the callers of `ply` know what stood before.
            continue
        assert tuple(after) == seen_by_mover(name, position)
        over, again = ruleset.to_move(position) is None, position.mover == before.mover
        assert comes == (core.OVER if over else core.AGAIN if again else core.NEXT)


def test_a_board_that_comes_the_third_time_is_counted_as_an_end() -> None:
    """Two stones that go round for ever: the rules end the same lines."""
    ruleset = registry.get("oware")
    round_and_round = {"south_pits": [1, 0, 0, 0, 0, 0], "north_pits": [1, 0, 0, 0, 0, 0], "south_store": 23, "north_store": 23}
    position = ruleset.load({**round_and_round, "turn": "S"})
    board = seen_by_mover("oware", position)
    variant = evaluation("oware").variant(position)
    for depth in (8, 26, 40):
        assert core.count(variant, board, depth) == perft(ruleset, position, depth)
