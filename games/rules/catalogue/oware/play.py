"""Oware, ОУА: sowing, captures along the other side, feeding, the three rules for a Grand Slam, the end.

Source: task 30 of 003_a216cde34924aac4, which leaves repetition to the players; decided in the guide beside this file: the
third time the same pits come with the same seat to move, the stones left are divided equally. Option `grand_slam`, what
becomes of a move that would take everything the opponent has: `forbidden`, `no_capture` (usual at tournaments) or `takes_all`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.rules.phrase import phrase
from games.rules.position import IllegalMove
from games.rules.sowing import MAJORITY, MOVES, PITS, SEAT_TITLES, STORES, empty_pit, game_over, laps, read_pit

FORBIDDEN: Final = "forbidden"
NO_CAPTURE: Final = "no_capture"
TAKES_ALL: Final = "takes_all"
GRAND_SLAMS: Final = (FORBIDDEN, NO_CAPTURE, TAKES_ALL)

OVER24: Final = "over24"
CANNOT_FEED: Final = "cannot_feed"
ALL_SLAMS: Final = "all_slams"
GRAND_SLAM: Final = "grand_slam"
REPETITION: Final = "repetition"

MOST_CAPTURED: Final = 3
"""Pits with two or three stones are captured."""

TIMES: Final = 3
"""So often the same pits come with the same seat to move, and the game is over."""

_TRACK: Final = (*range(6), *range(7, 13))
"""The 12 pits in the order of sowing; the stores are not sown."""


def _others(pit: int) -> tuple[int, ...]:
    """The pits met when sowing from this one, itself passed over on every lap."""
    at = _TRACK.index(pit)
    track = _TRACK[at + 1 :] + _TRACK[:at]
    return laps(track, track[0])


_PATHS: Final[tuple[dict[str, tuple[int, tuple[int, ...]]], ...]] = tuple(
    {text: (pit, _others(pit)) for text, pit in zip(MOVES, side, strict=True)} for side in (_TRACK[:6], _TRACK[6:])
)
"""For each seat and move the pit that is sown, and the pits that get its stones."""


class OwarePosition(NamedTuple):
    """Pits and stores as both see them: `holes` are South's pits 1..6, South's store, North's pits 1..6, North's store.

    `mover` is 0 (South) or 1 (North), also after the end (who moved last); `turn` counts from 1. `seen` are the `holes` since
    the last capture, these last, as bytes: what could come again; empty after the end. `half`: the stones left were an odd
    number and divided, so each store holds half a stone besides. `termination` is empty while the game goes on.
    """

    holes: tuple[int, ...]
    mover: int
    turn: int
    grand_slam: str
    seen: tuple[bytes, ...]
    half: bool = False
    termination: str = ""


class Sown(NamedTuple):
    """What a ply did; holes are indices of `OwarePosition.holes`.

    `path` are the pits that got a stone, in order; `taken` those that were captured, the last one first, `captured` their
    stones. `slam`: everything the opponent had could be captured. `left` stones were on the board at an end that takes them
    away: `sweeper` (a seat) took them, or without one they were divided.
    """

    position: OwarePosition
    path: tuple[int, ...]
    taken: tuple[int, ...]
    captured: int
    slam: bool
    left: int
    sweeper: int | None


def start(grand_slam: str) -> OwarePosition:
    """Four stones in each pit, South to move."""
    holes = (4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0)
    return OwarePosition(holes, 0, 1, grand_slam, (bytes(holes),))


def legal_moves(position: OwarePosition) -> Iterator[str]:
    """The mover's pits that may be sown, from the left, while the game goes on."""
    if position.termination:
        return iter(())
    return _legal_moves(position.holes, position.mover, position.grand_slam)


def stuck(holes: Sequence[int], mover: int, grand_slam: str) -> str:
    """Why the mover has no legal move, as a termination; empty when there is one."""
    if next(_legal_moves(holes, mover, grand_slam), None) is not None:
        return ""
    return ALL_SLAMS if next(_feeding_moves(holes, mover), None) is not None else CANNOT_FEED


def _feeding_moves(holes: Sequence[int], mover: int) -> Iterator[str]:
    """The moves with stones; where the opponent has none only those that reach that side."""
    own, other = 7 * mover, 7 - 7 * mover
    fed = any(holes[other : other + PITS])
    for pit in range(PITS):
        if holes[own + pit] and (fed or holes[own + pit] + pit >= PITS):
            yield MOVES[pit]


def _legal_moves(holes: Sequence[int], mover: int, grand_slam: str) -> Iterator[str]:
    moves = _feeding_moves(holes, mover)
    other = 7 - 7 * mover
    # A pit of four and more is never captured, so there is no Grand Slam.
    if grand_slam != FORBIDDEN or max(holes[other : other + PITS]) > MOST_CAPTURED:
        return moves
    return (move for move in moves if not _is_slam(holes, mover, move))


def _is_slam(holes: Sequence[int], mover: int, move: str) -> bool:
    pit, path = _PATHS[mover][move]
    path = path[: holes[pit]]
    return _captures(_after_sowing(holes, pit, path), mover, path[-1])[1]


def _after_sowing(holes: Sequence[int], pit: int, path: Sequence[int]) -> list[int]:
    after = list(holes)
    after[pit] = 0
    for hole in path:
        after[hole] += 1
    return after


def _captures(holes: Sequence[int], mover: int, last: int) -> tuple[tuple[int, ...], bool]:
    """The pits that a last stone there captures, itself first, and whether they are all that the opponent has."""
    other = 7 - 7 * mover
    first = last
    while other <= first < other + PITS and 2 <= holes[first] <= MOST_CAPTURED:
        first -= 1
    if first == last:
        return (), False
    rest = any(holes[other : first + 1]) or any(holes[last + 1 : other + PITS])
    return tuple(range(last, first, -1)), not rest


def sow(position: OwarePosition, text: str) -> Sown:
    """Sows the mover's pit that `text` names, captures, and decides who moves next or how the game is over.

    Raises InvalidNotation or IllegalMove. What ends a game is asked in this order: a Grand Slam, 25 stones in a store, a
    next seat that cannot move, repetition.
    """
    before, mover, turn, grand_slam, seen, _half, termination = position
    pit, path = _PATHS[mover].get(text) or _PATHS[mover][read_pit(text)]
    if termination:
        raise game_over()
    if not before[pit]:
        raise empty_pit(text)
    path = path[: before[pit]]
    holes = _after_sowing(before, pit, path)
    own, other, store = 7 * mover, 7 - 7 * mover, STORES[mover]
    if not any(holes[other : other + PITS]):
        raise _must_feed(1 - mover)

    taken, slam = _captures(holes, mover, path[-1])
    if slam and grand_slam == FORBIDDEN:
        raise _no_grand_slam(1 - mover)
    if slam and grand_slam == NO_CAPTURE:
        taken = ()
    captured = 0
    for hole in taken:
        captured += holes[hole]
        holes[hole] = 0
    holes[store] += captured

    sweeper = None
    if slam and grand_slam == TAKES_ALL:
        termination, sweeper = GRAND_SLAM, mover
    elif holes[store] >= MAJORITY:
        termination = OVER24
    # The next seat has stones, and with any on this side only Grand Slams could be in its way.
    elif (grand_slam == FORBIDDEN or not any(holes[own : own + PITS])) and (why := stuck(holes, 1 - mover, grand_slam)):
        termination, sweeper = why, 1 - mover
    else:
        now = bytes(holes)
        seen = (now,) if captured else (*seen, now)
        # The seats take turns, so every second board had the same seat to move.
        if seen[::-2].count(now) >= TIMES:
            termination = REPETITION
    if not termination:
        after = _make(OwarePosition, (tuple(holes), 1 - mover, turn + 1, grand_slam, seen, False, ""))
        return _make(Sown, (after, path, taken, captured, slam, 0, None))
    left = 0
    if termination != OVER24:
        left = _clear(holes, sweeper)
    half = termination == REPETITION and left % 2 == 1
    after = OwarePosition(tuple(holes), mover, turn, grand_slam, (), half, termination)
    return Sown(after, path, taken, captured, slam, left, sweeper)


_make = tuple.__new__


def _clear(holes: list[int], sweeper: int | None) -> int:
    """Takes all stones from the pits into the sweeper's store, or half of them into each, and tells how many they were."""
    left = 0
    for pit in _TRACK:
        left += holes[pit]
        holes[pit] = 0
    if sweeper is not None:
        holes[STORES[sweeper]] += left
    else:
        for store in STORES:
            holes[store] += left // 2
    return left


def _must_feed(seat: int) -> IllegalMove:
    return IllegalMove(
        phrase("%(seat)s has no stones: choose a pit whose stones reach the side of %(seat)s.", seat=SEAT_TITLES[seat])
    )


def _no_grand_slam(seat: int) -> IllegalMove:
    return IllegalMove(
        phrase(
            "This move would capture all stones of %(seat)s. Such a Grand Slam is forbidden in this game.", seat=SEAT_TITLES[seat]
        )
    )
