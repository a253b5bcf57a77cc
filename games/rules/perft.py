"""Perft: how many sequences of plies a position allows, the number that any two implementations must agree on."""

from __future__ import annotations

from typing import Any, TypeVar

from games.rules.position import CHANCE
from games.rules.ruleset import Ruleset

P = TypeVar("P")


def perft(ruleset: Ruleset[P, Any], position: P, depth: int) -> tuple[int, int]:
    """The sequences of exactly `depth` plies from here, and how many of them end the game on the last ply.

    An outcome of chance counts as a ply.
    """
    if depth == 0:
        return 1, 0
    leaves = ended = 0
    for after in _children(ruleset, position):
        over = ruleset.to_move(after) is None
        if depth == 1:
            leaves += 1
            ended += over
        elif not over:
            below = perft(ruleset, after, depth - 1)
            leaves += below[0]
            ended += below[1]
    return leaves, ended


def _children(ruleset: Ruleset[P, Any], position: P) -> list[P]:
    if ruleset.to_move(position) == CHANCE:
        return [ruleset.play(position, outcome) for outcome, _ in ruleset.chance(position)]
    return [ruleset.play(position, move) for move in ruleset.legal_moves(position)]
