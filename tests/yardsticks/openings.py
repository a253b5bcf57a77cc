"""What each first move of Mangala is worth, as far as a search of so many positions can settle it."""

from __future__ import annotations

from typing import Final

from games.engines import sowing
from games.engines.budget import Budget
from games.engines.finding import is_decided
from games.engines.sowing.search import Memory
from games.rules import registry
from games.rules.sowing import MOVES
from games.selectors import tables
from tests.engines.boards import evaluation

BITS: Final = 23
"""Two to this power pairs of positions are remembered, for all moves together: half a gigabyte."""


def measure(nodes: int = 20_000_000) -> None:
    """Prints value, result where it is settled, depth and best line of each; endgame tables are used where there are some."""
    ruleset, memory, made = registry.get("mangala"), Memory(BITS), tables.opened()
    start = ruleset.start({}, 2)
    for move in ruleset.legal_moves(start):
        position = ruleset.play(start, move)
        seat = ruleset.to_move(position)
        assert seat is not None
        found = sowing.prepare(evaluation("mangala"), position, seat, Budget(nodes), made, memory).rank()
        best = found.moves[0]
        value = -best.value if seat else best.value
        worth = ("won" if value > 0 else "lost") if is_decided(value) else f"{value / 100:+.2f} stones"
        line = "-".join(MOVES[pit] for pit in best.line[:12])
        print(f"mangala {move}: {worth}, depth {found.depth}, {'exact' if found.exact else 'not exact'}, {line}", flush=True)
