"""Endgame tables as files below DATA_DIR, mapped into memory: one flat file of bytes for a kind of game, and what is in it."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from django.conf import settings

from games.engines.sowing.ranks import offset
from games.rules.sowing.variants import (
    MANGALA_FIRST25,
    MANGALA_PLAYOUT,
    OWARE_FORBIDDEN,
    OWARE_NO_CAPTURE,
    OWARE_TAKES_ALL,
)

NAMES: Final = {
    MANGALA_FIRST25: "mangala",
    MANGALA_PLAYOUT: "mangala",
    OWARE_FORBIDDEN: "oware-forbidden",
    OWARE_NO_CAPTURE: "oware-no_capture",
    OWARE_TAKES_ALL: "oware-takes_all",
}
"""Both ends of Mangala have the same endgames: with few stones left a store that holds 25 changes no winner."""


class Mapped:
    """The tables that are there; each is opened and checked when it is first asked for. See `engines.tables.Tables`."""

    def of(self, variant: int) -> tuple[Any, int] | None:
        """Of a damaged table only what is whole is used."""
        try:
            written = contents(NAMES[variant]).stat().st_mtime_ns
        except OSError:
            return None
        return _opened(NAMES[variant], settings.DATA_DIR, written)


def opened() -> Mapped:
    """What there is of tables."""
    return Mapped()


def values(name: str) -> Path:
    """The file of values: for each board, in the order of `ranks.rank`, a signed byte."""
    return Path(settings.DATA_DIR, "tables", f"{name}.bin")


def contents(name: str) -> Path:
    """The file that lists the SHA-256 of each number of stones whose values are complete, from 0 stones on."""
    return values(name).with_suffix(".json")


def sums(name: str) -> list[str]:
    """What `contents` lists; nothing where there is none, or it cannot be read."""
    try:
        listed = json.loads(contents(name).read_text())
    except (OSError, ValueError, RecursionError):
        return []
    return [str(one) for one in listed] if isinstance(listed, list) else []


def digest(table: Any, stones: int) -> str:
    """The SHA-256 of the values of all boards with so many stones."""
    return hashlib.sha256(table[offset(stones) : offset(stones + 1)].tobytes()).hexdigest()


def whole(table: Any, listed: list[str]) -> int:
    """For how many numbers of stones the values are those that were written."""
    count = 0
    while count < len(listed) and offset(count + 1) <= len(table) and digest(table, count) == listed[count]:
        count += 1
    return count


@lru_cache(maxsize=16)
def _opened(name: str, folder: Path, written: int) -> tuple[Any, int] | None:
    listed = sums(name)
    try:
        size = values(name).stat().st_size
        while listed and offset(len(listed)) > size:
            listed.pop()
        # Never written to; a mapping that may not be written is another type to numba, and everything would be compiled twice.
        table = np.asarray(np.memmap(values(name), dtype=np.int8, mode="c", shape=(offset(len(listed)),)))
    except (OSError, ValueError):
        return None
    sound = whole(table, listed)
    return (table, sound - 1) if sound > 1 else None
