"""Endgame tables, handed in by whoever may touch files."""

from __future__ import annotations

from typing import Protocol


class Tables(Protocol):
    """Exact values of positions with few stones."""
