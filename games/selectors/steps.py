"""Steps: the positions of a game one by one, each with what led to it, and what lies before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from games.rules.position import Event

Touched: TypeAlias = tuple[str, tuple[str, ...]]
"""The kind of an event and the places that it touches, in the order in which it happens."""


@dataclass(frozen=True, slots=True)
class Step:
    """A position: the number of the log entry that made it, its place among all from 0 (the start of the game), who did what,
    told in words, and the places that it touched. Where the move is hidden these two are empty. `undone`: it was taken back."""

    number: int
    index: int
    who: str = ""
    text: str = ""
    told: tuple[str, ...] = ()
    touched: tuple[Touched, ...] = ()
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Stepping:
    """The steps around the one that is shown, by number: None where there is none. `last` is the index of the last step."""

    first: int | None
    previous: int | None
    next: int | None
    last: int


@dataclass(frozen=True, slots=True)
class Way:
    """What led to the shown position from the one of step `start`: a picture of that one can be made to move."""

    start: int
    touched: tuple[Touched, ...]


def touched(events: Sequence[Event]) -> tuple[Touched, ...]:
    """What a picture needs in order to show events one after another."""
    return tuple((event.kind, event.places) for event in events if event.places)


def around(steps: Sequence[Step], index: int) -> Stepping:
    """Where one can step to from the step of that index."""
    before, after = steps[:index], steps[index + 1 :]
    return Stepping(
        first=before[0].number if before else None,
        previous=before[-1].number if before else None,
        next=after[0].number if after else None,
        last=len(steps) - 1,
    )


def ways(steps: Sequence[Step]) -> tuple[Way, ...]:
    """What led to the last of these steps, from each of the others."""
    return tuple(Way(before.number, after.touched) for before, after in pairwise(steps))
