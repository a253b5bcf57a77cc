"""Makes endgame tables, one number of stones after the other; what is made is kept when it is broken off."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from games.engines.sowing.endgames import first_board, improve
from games.engines.sowing.ranks import boards, offset
from games.selectors import tables

CHUNK: Final = 200_000
"""Boards between two reports."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the making is: stones of the boards, how often all were reckoned, the boards done of this time, and in all, and how
    many values it has changed so far."""

    stones: int
    times: int
    done: int
    boards: int
    changed: int


def make(*, variant: int, stones: int) -> Iterator[Progress]:
    """Makes the tables of a sowing game up to so many stones, as far as they are not there, and reports on the way.

    Values are written where they are read, so whatever breaks it off, the next time goes on from there; a number of stones
    counts as made when nothing changes any more and its checksum is listed. A damaged part and all that follows is made anew.
    Raises OSError for a disk that takes no more, BlockingIOError where somebody else makes the same ones.
    """
    name = tables.NAMES[variant]
    path = tables.values(name)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        listed = tables.sums(name)
        whole = tables.whole(_written(path), listed)
        if whole < len(listed) or not listed:
            # Not what was written: nothing that rests on it, nor itself, is a place to go on from.
            listed = listed[:whole]
            _start_from(path, offset(whole))
            _list(tables.contents(name), listed)
        with path.open("ab") as file:
            if path.stat().st_size < offset(stones + 1):
                # A place on the disk for each value: to find none while one is written would end the process.
                os.posix_fallocate(file.fileno(), 0, offset(stones + 1))
        values = np.asarray(np.memmap(path, dtype=np.int8, mode="r+", shape=(offset(stones + 1),)))
        yield from _make(variant, values, listed, stones)


def _start_from(path: Path, size: int) -> None:
    """Another file that has so much of the old one: that one may be mapped by who plays, and must not shrink under them."""
    new = path.with_suffix(".anew")
    with new.open("wb") as file:
        if size:
            with path.open("rb") as old:
                file.write(old.read(size))
    new.replace(path)


def _written(path: Path) -> Any:
    """The values that there are; nothing where there is no file yet."""
    there = path.exists() and path.stat().st_size
    return np.asarray(np.memmap(path, dtype=np.int8, mode="r")) if there else np.zeros(0, dtype=np.int8)


def _make(variant: int, values: Any, listed: list[str], stones: int) -> Iterator[Progress]:
    for more in range(len(listed), stones + 1):
        yield from _settle(variant, more, values)
        values.base.flush()
        listed.append(tables.digest(values, more))
        _list(tables.contents(tables.NAMES[variant]), listed)


def _settle(variant: int, stones: int, values: Any) -> Iterator[Progress]:
    changed, times = 1, 0
    while changed:
        changed, times = 0, times + 1
        own, other = first_board(stones)
        for done in range(0, boards(stones), CHUNK):
            count = min(CHUNK, boards(stones) - done)
            more, own, other = improve(variant, stones, values, own, other, count)
            own, other, changed = int(own), int(other), changed + int(more)
            yield Progress(stones, times, done + count, boards(stones), changed)


def _list(path: Path, listed: list[str]) -> None:
    """Replaces the list at once, so that it is never half written."""
    new = path.with_suffix(".new")
    new.write_text(json.dumps(listed, indent=1))
    new.replace(path)
