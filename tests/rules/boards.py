"""Mangala positions drawn in text, for tests that are read beside a board."""

from __future__ import annotations

from typing import Any

from games.rules import registry
from games.rules.catalogue.mangala.play import MangalaPosition, MangalaView
from games.rules.ruleset import Ruleset

MANGALA: Ruleset[MangalaPosition, MangalaView] = registry.get("mangala")


def board(text: str, turn: str = "S", **more: Any) -> MangalaPosition:
    """A position drawn from South's side: North's pits 6..1 with its store, then South's pits 1..6 with its store."""
    north, south = (list(map(int, line.split())) for line in text.strip().splitlines())
    data = {"north_store": north[0], "north_pits": north[:0:-1], "south_pits": south[:6], "south_store": south[6], "turn": turn}
    return MANGALA.load({**data, **more})
