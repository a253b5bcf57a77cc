"""Makes endgame tables, one number of stones after the other; what is made is kept when it is broken off."""

from __future__ import annotations

import json
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
    counts as made when nothing changes any more and its checksum is listed. A damaged part and what follows is made anew.
    """
    name = tables.NAMES[variant]
    path = tables.values(name)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.truncate(max(offset(stones + 1), path.stat().st_size))
    table = np.memmap(path, dtype=np.int8, mode="r+", shape=(offset(stones + 1),))
    values = np.asarray(table)
    listed = tables.sums(name)
    whole = 0
    while whole < min(len(listed), stones + 1) and tables.digest(values, whole) == listed[whole]:
        whole += 1
    if whole < len(listed) and whole <= stones:
        # Not what was written: nothing that rests on it, nor itself, is a place to go on from.
        values[offset(whole) :] = 0
        listed = listed[:whole]
    for more in range(whole, stones + 1):
        yield from _settle(variant, more, values)
        table.flush()
        listed.append(tables.digest(values, more))
        _list(tables.contents(name), listed)


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
