"""What a search calls exact, beside every line played to its end by the rules alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from games.engines import choice
from games.engines.budget import Budget
from games.rules import registry
from games.rules.ruleset import AnyRuleset
from tests.engines.boards import GAMES, NAMES
from tests.engines.test_endgames import TooFar, played_out

ENOUGH = 4
"""So many claims are looked at."""


def late(ruleset: AnyRuleset, options: dict[str, str], seed: int, most: int) -> Iterator[Any]:
    """Positions of a random game with so many stones in the pits at most; the stores are such that every stone decides."""
    random = Random(seed)
    position = ruleset.start(options, 2)
    while ruleset.to_move(position) is not None:
        left = sum(position.holes[:6]) + sum(position.holes[7:13])
        if left <= most:
            south = (48 - left) // 2 + random.randrange(-2, 3)
            fresh = {**ruleset.dump(position), "south_store": south, "north_store": 48 - left - south}
            if max(south, 48 - left - south) < 25:
                fresh.pop("seen", None)
                yield ruleset.load(fresh)
        position = ruleset.play(position, random.choice(list(ruleset.legal_moves(position))))


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("nodes", [100, 3_000])
def test_what_a_search_calls_exact_is_so(game: tuple[str, dict[str, str]], nodes: int) -> None:
    name, options = game
    ruleset, exact = registry.get(name), 0
    for seed in range(200):
        for position in late(ruleset, options, seed, 12):
            try:
                truth = played_out(ruleset, position, -1, 1, [500])
            except TooFar:
                continue
            found = choice.analyse(ruleset, position, budget=Budget(nodes))
            south = found.value if position.mover == 0 else -found.value
            exact += found.exact
            if found.exact:
                assert (south > 0, south < 0) == (truth > 0, truth < 0), position
        if exact >= ENOUGH:
            break
    assert exact >= ENOUGH
