"""The sowing games that a fast search knows, by number: what an `evaluation.Sowing` answers."""

from __future__ import annotations

from typing import Final

MANGALA_FIRST25: Final = 0
MANGALA_PLAYOUT: Final = 1
OWARE_FORBIDDEN: Final = 2
OWARE_NO_CAPTURE: Final = 3
OWARE_TAKES_ALL: Final = 4
