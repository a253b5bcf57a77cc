"""Positions of sowing games drawn in text, for tests that are read beside a board."""

from __future__ import annotations

from typing import Any

from games.rules import registry
from games.rules.catalogue.mangala.play import MangalaPosition, MangalaView
from games.rules.catalogue.oware.play import OwarePosition
from games.rules.ruleset import Ruleset
from games.rules.sowing.view import SowingView

MANGALA: Ruleset[MangalaPosition, MangalaView] = registry.get("mangala")
OWARE: Ruleset[OwarePosition, SowingView[OwarePosition]] = registry.get("oware")


def drawn(text: str, turn: str = "S", **more: Any) -> dict[str, Any]:
    """A position's JSON, drawn from South's side: North's pits 6..1 with its store, then South's pits 1..6 with its store."""
    north, south = (list(map(int, line.split())) for line in text.strip().splitlines())
    data = {"north_store": north[0], "north_pits": north[:0:-1], "south_pits": south[:6], "south_store": south[6], "turn": turn}
    return {**data, **more}


def board(text: str, turn: str = "S", **more: Any) -> MangalaPosition:
    """A position of Mangala."""
    return MANGALA.load(drawn(text, turn, **more))


def oware(text: str, turn: str = "S", **more: Any) -> OwarePosition:
    """A position of Oware."""
    return OWARE.load(drawn(text, turn, **more))
