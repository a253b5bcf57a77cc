"""What each first move of Mangala is worth, as far as a search of so many positions can settle it."""

from __future__ import annotations

from games.engines.budget import Budget
from games.engines.choice import analyse
from games.engines.finding import is_decided
from games.rules import registry
from games.selectors import tables


def measure(nodes: int = 20_000_000) -> None:
    """Prints value, result where it is settled, depth and best line of each; endgame tables are used where there are some."""
    ruleset = registry.get("mangala")
    start = ruleset.start({}, 2)
    for move in ruleset.legal_moves(start):
        position = ruleset.play(start, move)
        found = analyse(ruleset, position, budget=Budget(nodes), tables=tables.opened())
        value = found.value if ruleset.to_move(position) == 0 else -found.value
        settled = ("won" if value > 0 else "lost") if is_decided(value) else "drawn" if found.exact and not value else "open"
        exact = "exact" if found.exact else "not exact"
        print(
            f"mangala {move}: {settled}, {value / 100:+.2f} stones, depth {found.depth}, {exact}, {'-'.join(found.best[:12])}",
            flush=True,
        )
