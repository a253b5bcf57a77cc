"""Mangala as the federations play it: sowing, four ways to win stones, extra moves, the end.

Source: the rules of "Мангала по переписке" (002_205239e4e8431ac3), which agree with the federations' "23 articles";
what they leave open (the track of 13 holes, who takes the rest when a capture empties the captor's side) is decided
in the guide beside this file. Option `end`: `first25` (over as soon as a store holds 25) or `playout`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from typing import Final, NamedTuple, TypeAlias

from games.rules.sowing import MAJORITY, MOVES, PITS, STORES, empty_pit, game_over, laps, read_pit
from games.rules.sowing.view import SowingView

FIRST25: Final = "first25"
PLAYOUT: Final = "playout"

SIDE_EMPTY: Final = "side_empty"
OVER24: Final = "over24"

_TRACKS: Final = (tuple(range(13)), (*range(7, 14), *range(6)))
"""The 13 holes that South and North sow into: own pits, own store, the opponent's pits. His store is passed over."""

_PATHS: Final = tuple({text: laps(track, hole) for text, hole in zip(MOVES, track, strict=False)} for track in _TRACKS)


class MangalaPosition(NamedTuple):
    """Pits and stores as both see them: `holes` are South's pits 1..6, South's store, North's pits 1..6, North's store.

    `mover` is 0 (South) or 1 (North), also after the end (who moved last); `turn` counts from 1; `termination` is
    empty while the game goes on.
    """

    holes: tuple[int, ...]
    mover: int
    turn: int
    playout: bool
    termination: str = ""


MangalaView: TypeAlias = SowingView[MangalaPosition]


class Sown(NamedTuple):
    """What a ply did; holes are indices of `MangalaPosition.holes`.

    `path` are the holes that got a stone, in order. `captured` stones were taken from the last of them and, in a capture
    of facing pits, from `facing`. `swept` stones were taken at the end by `sweeper` (a seat).
    """

    position: MangalaPosition
    path: tuple[int, ...]
    captured: int
    facing: int | None
    swept: int
    sweeper: int | None


def start(end: str) -> MangalaPosition:
    """Four stones in each pit, South to move."""
    return MangalaPosition((4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0), 0, 1, end == PLAYOUT)


def legal_moves(position: MangalaPosition) -> Iterator[str]:
    """The mover's pits that hold stones, from the left, while the game goes on."""
    if position.termination:
        return iter(())
    return compress(MOVES, position.holes[STORES[position.mover] - PITS :])


def sow(position: MangalaPosition, text: str) -> Sown:
    """Sows the mover's pit that `text` names, captures, sweeps, and decides who moves next or that the game is over.

    Raises InvalidNotation or IllegalMove. One unrolled function, because a search calls it some hundred thousand times
    a second.
    """
    before, mover, turn, playout, termination = position
    path = _PATHS[mover].get(text) or _PATHS[mover][read_pit(text)]
    holes = list(before)
    origin = path[0]
    stones = holes[origin]
    if termination:
        raise game_over()
    if not stones:
        raise empty_pit(text)
    holes[origin] = 0
    # A lone stone leaves its pit; more stones begin with the very pit they are taken from.
    path = path[1:2] if stones == 1 else path[:stones]
    for hole in path:
        holes[hole] += 1

    last = path[-1]
    store = 13 if mover else 6
    captured = 0
    facing = None
    if store - 7 < last < store:
        if holes[last] == 1 and holes[12 - last]:
            facing = 12 - last
            captured = 1 + holes[facing]
            holes[facing] = 0
    elif last != store and not holes[last] & 1:
        captured = holes[last]
    if captured:
        holes[last] = 0
        holes[store] += captured

    swept = 0
    sweeper = None
    # Who has no stone left takes all that is left on the other side, also when the opponent's capture emptied his.
    if not (holes[0] or holes[1] or holes[2] or holes[3] or holes[4] or holes[5]):
        sweeper, termination = 0, SIDE_EMPTY
        swept = sum(holes[7:13])
        holes[:] = *(0,) * 6, holes[6] + swept, *(0,) * 6, holes[13]
    elif not (holes[7] or holes[8] or holes[9] or holes[10] or holes[11] or holes[12]):
        sweeper, termination = 1, SIDE_EMPTY
        swept = sum(holes[0:6])
        holes[:] = *(0,) * 6, holes[6], *(0,) * 6, holes[13] + swept
    elif holes[store] >= MAJORITY and not playout:
        termination = OVER24

    if last != store and not termination:
        mover, turn = 1 - mover, turn + 1
    after = _make(MangalaPosition, (tuple(holes), mover, turn, playout, termination))
    return _make(Sown, (after, path, captured, facing, swept, sweeper))


_make = tuple.__new__
