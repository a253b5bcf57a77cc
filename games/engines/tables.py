"""Endgame tables, handed in by whoever may touch files."""

from __future__ import annotations

from typing import Any, Protocol


class Tables(Protocol):
    """Exact values of positions with few stones."""

    def of(self, variant: int) -> tuple[Any, int] | None:
        """Of a sowing game (`rules.sowing.variants`) the values of all boards by `ranks.rank`, as a flat array of bytes, and the
        stones that they go up to; None where there is no table."""
