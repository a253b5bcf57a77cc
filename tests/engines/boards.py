"""Positions of the rules and boards of the core, side by side."""

from __future__ import annotations

from random import Random
from typing import Any

from games.engines.sowing import board
from games.rules import registry
from games.rules.evaluation import Sowing

GAMES = (
    ("mangala", {"end": "first25"}),
    ("mangala", {"end": "playout"}),
    ("oware", {"grand_slam": "forbidden"}),
    ("oware", {"grand_slam": "no_capture"}),
    ("oware", {"grand_slam": "takes_all"}),
)
NAMES = [f"{name} {next(iter(options.values()))}" for name, options in GAMES]


def evaluation(name: str) -> Sowing[Any]:
    found = registry.evaluation(name)
    assert isinstance(found, Sowing)
    return found


def seen_by_mover(name: str, position: Any) -> tuple[int, int, int, int]:
    """The board as the seat that is to move, or has moved last, sees it."""
    return board(evaluation(name).holes(position), position.mover)


def wandering(name: str, options: dict[str, str], seed: int, plies: int) -> Any:
    """A position after so many random plies, or an earlier one where the game goes on."""
    ruleset, random = registry.get(name), Random(seed)
    position = ruleset.start(options, 2)
    for _ in range(plies):
        after = ruleset.play(position, random.choice(list(ruleset.legal_moves(position))))
        if ruleset.to_move(after) is None:
            break
        position = after
    return position
