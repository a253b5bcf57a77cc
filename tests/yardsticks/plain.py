"""A plain opponent: alpha-beta over the rules, six plies deep, the stones in the stores count. And games against it."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import Any

from games.engines.choice import choose
from games.rules import registry
from games.rules.evaluation import WON
from games.rules.ruleset import AnyRuleset
from tests.engines.boards import evaluation

DEPTH = 6


def best_move(ruleset: AnyRuleset, position: Any, depth: int, random: Random) -> str:
    """A move with the best value at this depth; of equal ones any."""
    seat = ruleset.to_move(position)
    assert seat is not None
    moves = list(ruleset.legal_moves(position))
    random.shuffle(moves)
    values = {move: _value(ruleset, ruleset.play(position, move), seat, depth - 1, -2 * WON, 2 * WON) for move in moves}
    return max(moves, key=values.__getitem__)


def _value(ruleset: AnyRuleset, position: Any, seat: int, depth: int, alpha: int, beta: int) -> int:
    decides = ruleset.to_move(position)
    if decides is None:
        south, north = ruleset.scores(position)
        return WON * int(2 * (south - north) * (1 - 2 * seat) > 0) - WON * int(2 * (south - north) * (1 - 2 * seat) < 0)
    if depth == 0:
        return evaluation(ruleset.facts.name).value(position, seat)
    for move in ruleset.legal_moves(position):
        value = _value(ruleset, ruleset.play(position, move), seat, depth - 1, alpha, beta)
        if decides == seat:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if decides == seat else beta


def measure(games: int = 100) -> None:
    """Prints how level 6 fares, in pairs of games from openings of four random plies, each seat once."""
    for name in ("mangala", "oware"):
        ruleset, points, thought, moves = registry.get(name), 0.0, 0.0, 0
        for number in range(games):
            random = Random(number // 2)
            position = ruleset.start({}, 2)
            for _ in range(4):
                position = ruleset.play(position, random.choice(list(ruleset.legal_moves(position))))
            own = number % 2
            while (seat := ruleset.to_move(position)) is not None:
                if seat == own:
                    began = perf_counter()
                    move = choose(ruleset, ruleset.view(position, seat), level=6, budget=None, seed=number)
                    thought, moves = thought + perf_counter() - began, moves + 1
                else:
                    move = best_move(ruleset, position, DEPTH, random)
                position = ruleset.play(position, move)
            outcome = ruleset.outcome(position)
            assert outcome is not None
            points += float(outcome.points[own])
        print(
            f"{name:8} level 6 against alpha-beta of depth {DEPTH}: {points:g} of {games},"
            f" {1000 * thought / moves:.0f} ms a move",
            flush=True,
        )
