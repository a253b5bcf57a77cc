"""Turns that may be taken back: where the game stood when each of them began."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Generic, TypeVar

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Begun(Generic[P]):
    """A turn that began with entry `number`, for `seat`, from `position` after `plies` moves.

    `spent` is the reflection time that it took; None while it lasts, and where no times are written.
    """

    number: int
    seat: int | None
    position: P
    plies: int
    spent: timedelta | None = None


def up_to_last_of(turns: tuple[Begun[P], ...], seat: int, plies: int) -> tuple[Begun[P], ...]:
    """The turns up to the seat's last one in which it moved, that one included; empty when there is none.

    `plies` are the moves made by now: no move was made yet in a turn that began after as many.
    """
    while turns and (turns[-1].seat != seat or turns[-1].plies == plies):
        turns = turns[:-1]
    return turns


def after_move(turns: tuple[Begun[P], ...], begun: Begun[P], since: datetime | None, at: datetime | None) -> tuple[Begun[P], ...]:
    """The turns after a move at `at` that ended one, whose time counted from `since`, and began another."""
    spent = at - since if at is not None and since is not None else None
    return (*turns[:-1], *(replace(one, spent=spent) for one in turns[-1:]), begun)


def after_event(turns: tuple[Begun[P], ...], begun: Begun[P], *, new_turn: bool) -> tuple[Begun[P], ...]:
    """The turns after the position changed without a move: nobody goes back to before that, since chance may have shown
    something (F34). A turn in which it happened after a move can no longer be taken back as a whole, hence not at all."""
    untouched = any(one.plies == begun.plies for one in turns[-1:])
    return (begun,) if new_turn or untouched else ()
