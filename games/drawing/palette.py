"""The colours of boards and pieces, each named once. A board brings its own light: it looks the same on any page."""

from __future__ import annotations

from typing import Final

WOOD: Final = "#b9793f"
WOOD_EDGE: Final = "#7a4a21"
HOLLOW: Final = "#8a5527"
HOLLOW_EDGE: Final = "#5e3715"
STONE: Final = "#f1e9da"
STONE_EDGE: Final = "#3b2a1a"
INK: Final = "#1d120a"
LABEL: Final = "#fff6e6"
LAST: Final = "#ffd24a"
CAPTURED: Final = "#e8503a"
CHOICE: Final = "#ffffff"
