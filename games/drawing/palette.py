"""The colours of boards and pieces, each named once. A board brings its own light: it looks the same on any page.

Words keep a contrast of 4.5 to what they stand on and shapes that tell something one of 3: LABEL and the marks on every
WOOD and HOLLOW, STONE on every HOLLOW, INK on LABEL and on the marks.
"""

from __future__ import annotations

from typing import Final

WOOD_LIT: Final = "#94602f"
WOOD: Final = "#83522a"
WOOD_SHADED: Final = "#6b4020"
WOOD_EDGE: Final = "#43260f"
GRAIN: Final = "#4f2d13"
BEVEL: Final = "#b88a57"

HOLLOW: Final = "#52301a"
HOLLOW_SHADED: Final = "#2c1709"

STONE_LIT: Final = "#fffaf0"
STONE: Final = "#ecdcbd"
STONE_SHADED: Final = "#c9ab78"
STONE_EDGE: Final = "#2c1709"

SHADOW: Final = "#1a0d04"

PAPER: Final = "#f8f3ea"
INK: Final = "#1d120a"
LABEL: Final = "#fff6e6"

LAST: Final = "#ffd24a"
CAPTURED: Final = "#ffb3a0"
CHOICE: Final = "#ffffff"
CHOSEN: Final = "#8ee6a8"

FIRST: Final = "#ffe7b8"
SECOND: Final = "#9fd4ff"
"""Two players whose lines share a board; their shapes differ too."""

DROPS: Final = {
    "R": "#ff7566",
    "O": "#ffa53d",
    "Y": "#ffe45c",
    "G": "#6fd47f",
    "C": "#93e0ff",
    "B": "#7ea3ff",
    "V": "#c79bff",
}
"""The colours of a rainbow by their letters, light enough for INK on each."""
CLOTH: Final = "#20323f"
CLOTH_EDGE: Final = "#0f1a22"
CARD: Final = "#2e4656"
CARD_EDGE: Final = "#8fa9ba"
