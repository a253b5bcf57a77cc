"""Leaves of perft a second: the core compiled and as it stands, the rules, and OpenSpiel's C++ Oware where it is installed."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from games.engines.sowing import core
from games.rules import registry
from games.rules.perft import perft
from games.rules.ruleset import AnyRuleset
from tests.engines.boards import evaluation, seen_by_mover
from tests.engines.uncompiled import uncompiled

ROUNDS = 3


def measure() -> None:
    """Prints a line for each way to count, and how many times the others the compiled one is; the best of some rounds."""
    for name in ("mangala", "oware"):
        ruleset = registry.get(name)
        start = ruleset.start({}, 2)
        variant, board = evaluation(name).variant(start), seen_by_mover(name, start)
        core.count(variant, board, 2)
        ways: dict[str, tuple[Callable[[int], int], int]] = {
            "the rules": (_by_rules(ruleset, start), 5),
            "core, uncompiled": (_by_core(uncompiled("core"), variant, board), 5),
            "core, compiled": (_by_core(core, variant, board), 9),
        }
        if name == "oware" and (openspiel := _openspiel()):
            ways["OpenSpiel, C++"] = (openspiel, 6)
        speeds = {way: max(_speed(*how) for _ in range(ROUNDS)) for way, how in ways.items()}
        for way, speed in speeds.items():
            times = speeds["core, compiled"] / speed
            print(
                f"{name:8} {way:18} {speed / 1e6:8.3f} million leaves a second; compiled is {times:5.1f} times that", flush=True
            )
        if name == "oware" and "OpenSpiel, C++" not in speeds:
            print("OpenSpiel is not installed: make yardsticks does that")


def _speed(count: Callable[[int], int], depth: int) -> float:
    began = perf_counter()
    leaves = count(depth)
    return leaves / (perf_counter() - began)


def _by_rules(ruleset: AnyRuleset, start: Any) -> Callable[[int], int]:
    return lambda depth: perft(ruleset, start, depth)[0]


def _by_core(module: Any, variant: int, board: tuple[int, int, int, int]) -> Callable[[int], int]:
    return lambda depth: int(module.count(variant, board, depth)[0])


def _openspiel() -> Callable[[int], int] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    start = pyspiel.load_game("oware").new_initial_state()
    return lambda depth: _leaves(start, depth)


def _leaves(state: Any, depth: int) -> int:
    """Of the last ply only the legal moves are counted, so that little of it is Python."""
    if depth == 1:
        return len(state.legal_actions())
    return sum(_leaves(state.child(action), depth - 1) for action in state.legal_actions())
