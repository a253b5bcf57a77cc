"""Holds: reasons of a higher app to let no letter go for now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Hold = Callable[[], bool]

_holds: Final[dict[str, Hold]] = {}


def register(name: str, hold: Hold) -> None:
    """Makes a reason known by its name: while it answers yes, nothing goes out. Asked before each delivery."""
    _holds[name] = hold


def unregister(name: str) -> None:
    """Forgets a reason."""
    del _holds[name]


def is_held() -> bool:
    """Whether letters wait."""
    return any(hold() for hold in _holds.values())
