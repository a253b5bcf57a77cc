"""The rules of sowing games for a search: a side of the board is one integer, a ply two additions.

A side holds a byte for each pit, the leftmost (as its owner sees it) in the lowest. Positions are told from the seat that
is to move: `own` and `other` side, `kept` stones in its store, `lost` ones in the other. Equal to the catalogue's rules,
which `perft` shows; only repetition, a matter of the line, is counted by the callers.
"""

from __future__ import annotations

from typing import Final

from games.engines.sowing.compiled import WORD, Ints, compiled, ints, zeros
from games.rules.sowing.variants import MANGALA_FIRST25, OWARE_FORBIDDEN, OWARE_TAKES_ALL

FIRST25: Final = MANGALA_FIRST25
FORBIDDEN: Final = OWARE_FORBIDDEN
"""The first variant that is Oware."""

TAKES_ALL: Final = OWARE_TAKES_ALL

PITS: Final = 6
MAJORITY: Final = 25
TIMES: Final = 3

NEXT: Final = 0
AGAIN: Final = 1
OVER: Final = 2

_SPAN: Final = 64


def _sown(mangala: bool) -> list[tuple[int, int, int, int]]:
    """For each pit and number of stones what a ply adds to both sides and to the store, and the hole it ends in: 0..5 own
    pits, 6..11 the other's, 12 the store."""
    made = []
    for pit in range(PITS):
        # Mangala begins with the pit itself, its own store on the way; Oware passes over the pit on every lap.
        track = [*range(PITS), 12, *range(PITS, 2 * PITS)] if mangala else list(range(2 * PITS))
        path = track[pit:] + track[:pit]
        for stones in range(_SPAN):
            sides, store = [0, 0], 0
            on = path if mangala else path[1:]
            begin = 1 if mangala and stones == 1 else 0
            last = pit
            for stone in range(begin, begin + stones):
                last = on[stone % len(on)]
                if last == 12:
                    store += 1
                else:
                    sides[last // PITS] += 1 << 8 * (last % PITS)
            made.append((sides[0], sides[1], store, last))
    return made


_BOTH: Final = _sown(mangala=True) + _sown(mangala=False)
_OWN: Final = ints(one[0] for one in _BOTH)
_REST: Final = ints(other | store << 48 | last << 56 for _, other, store, last in _BOTH)
"""What the own side gets; and the other side, in byte 6 the store, in byte 7 the last hole. Two tables fit into the cache."""


@compiled
def total(side: int) -> int:
    """The stones of a side."""
    return ((side & 0xFF00FF00FF) + (side >> 8 & 0xFF00FF00FF)) * 0x100010001 >> 32 & 0xFFFF


@compiled
def is_slam(own: int, other: int, pit: int) -> bool:
    """Whether this ply of Oware takes everything that the other side has."""
    at = 384 + pit * 64 + (own >> 8 * pit & 255)
    rest = _REST[at]
    other += rest & 0xFFFFFFFFFFFF
    last = rest >> 56
    shift = 8 * (last - 6)
    while shift >= 0 and 2 <= (other >> shift & 255) <= 3:
        other -= (other >> shift & 255) << shift
        shift -= 8
    return last >= 6 and other == 0


@compiled
def legal(variant: int, own: int, other: int) -> int:
    """The pits that may be sown as bits, the leftmost lowest. None where the game is over, and the seat to move takes all."""
    mask = 0
    if variant >= FORBIDDEN and other == 0:
        for pit in range(6):
            if own >> 8 * pit & 255 and (own >> 8 * pit & 255) + pit >= 6:
                mask |= 1 << pit
    else:
        for pit in range(6):
            if own >> 8 * pit & 255:
                mask |= 1 << pit
    # A pit of four and more is never captured, so there is no Grand Slam.
    if variant == FORBIDDEN and other & 0xFCFCFCFCFCFC == 0:
        for pit in range(6):
            if mask >> pit & 1 and is_slam(own, other, pit):
                mask ^= 1 << pit
    return mask


@compiled
def ply(variant: int, own: int, other: int, kept: int, lost: int, pit: int) -> tuple[int, int, int, int, int]:
    """What a legal ply makes of a position, and what comes then.

    NEXT and AGAIN: the position as the seat that is to move sees it, another one or the same. OVER: as the seat that has
    moved sees it, with the stones that it or the other took at the end in the stores.
    """
    stones = own >> 8 * pit & 255
    if variant >= FORBIDDEN:
        at = 384 + pit * 64 + stones
        own += _OWN[at] - (stones << 8 * pit)
        rest = _REST[at]
        shift = 8 * ((rest >> 56) - 6)
        other += rest & 0xFFFFFFFFFFFF
        rest = other
        captured = 0
        while shift >= 0 and 2 <= (rest >> shift & 255) <= 3:
            captured += rest >> shift & 255
            rest -= (rest >> shift & 255) << shift
            shift -= 8
        if captured:
            if rest:
                other = rest
                kept += captured
            elif variant == TAKES_ALL:
                return 0, 0, kept + captured + total(own), lost, OVER
        if kept >= MAJORITY:
            return own, other, kept, lost, OVER
        # The other side has stones; only when this one has none, or Grand Slams are forbidden, may there be no move.
        if (own == 0 or variant == FORBIDDEN) and legal(variant, other, own) == 0:
            return 0, 0, kept, lost + total(own) + total(other), OVER
        return other, own, lost, kept, NEXT

    at = pit * 64 + stones
    own += _OWN[at] - (stones << 8 * pit)
    rest = _REST[at]
    other += rest & 0xFFFFFFFFFFFF
    kept += rest >> 48 & 255
    last = rest >> 56
    if last < 6:
        if own >> 8 * last & 255 == 1:
            facing = 8 * (5 - last)
            stones = other >> facing & 255
            if stones:
                own -= 1 << 8 * last
                other -= stones << facing
                kept += 1 + stones
    elif last < 12:
        stones = other >> 8 * (last - 6) & 255
        if stones & 1 == 0:
            other -= stones << 8 * (last - 6)
            kept += stones
    if own == 0:
        return 0, 0, kept + total(other), lost, OVER
    if other == 0:
        return 0, 0, kept, lost + total(own), OVER
    if kept >= MAJORITY and variant == FIRST25:
        return own, other, kept, lost, OVER
    if last == 12:
        return own, other, kept, lost, AGAIN
    return other, own, lost, kept, NEXT


@compiled
def seen(line: Ints, at: int, since: int) -> int:
    """How often the board at this place of a line (two words a ply, own and other) has stood there with the same seat to
    move, this time included, from ply `since` on."""
    own, other = line[2 * at], line[2 * at + 1]
    times = 1
    before = at - 2
    while before >= since:
        if line[2 * before] == own and line[2 * before + 1] == other:
            times += 1
        before -= 2
    return times


@compiled
def perft(variant: int, own: int, other: int, kept: int, lost: int, depth: int, frames: Ints, line: Ints) -> tuple[int, int]:
    """The sequences of exactly `depth` plies, and how many end the game on the last; as `games.rules.perft`.

    `frames` has 4 words and `line` 2 for each ply and one more. The line begins here.
    """
    leaves = ended = 0
    at = 0
    frames[0], frames[1], frames[2] = kept, lost, 0
    frames[3] = legal(variant, own, other)
    line[0], line[1] = own, other
    while at >= 0:
        mask = frames[4 * at + 3]
        if mask == 0:
            at -= 1
            continue
        pit = 0
        while not mask >> pit & 1:
            pit += 1
        frames[4 * at + 3] = mask & (mask - 1)
        kept, lost, since = frames[4 * at], frames[4 * at + 1], frames[4 * at + 2]
        own, other, ours, theirs, what = ply(variant, line[2 * at], line[2 * at + 1], kept, lost, pit)
        if what == NEXT and variant >= FORBIDDEN:
            if theirs != kept:
                since = at + 1
            elif at + 1 - since >= 8:
                line[2 * at + 2], line[2 * at + 3] = own, other
                if seen(line, at + 1, since) >= TIMES:
                    what = OVER
        if at + 1 == depth:
            leaves += 1
            if what == OVER:
                ended += 1
        elif what != OVER:
            at += 1
            line[2 * at], line[2 * at + 1] = own, other
            frames[4 * at], frames[4 * at + 1], frames[4 * at + 2] = ours, theirs, since
            frames[4 * at + 3] = legal(variant, own, other)
    return leaves, ended


def count(variant: int, board: tuple[int, int, int, int], depth: int) -> tuple[int, int]:
    """`perft` with the memory that it needs."""
    if depth == 0:
        return 1, 0
    leaves, ended = perft(variant, *board, depth, zeros(4 * depth + 8), zeros(2 * depth + 8))
    return int(leaves), int(ended)


@compiled
def scatter(own: int, other: int, kept: int) -> int:
    """A number that spreads positions over a table."""
    mixed = own * 0x2545F4914F6CDD1D + other * 0x1B03738712FAD5C9 + kept * 0x369DEA0F31A53F85 & WORD
    mixed = (mixed ^ mixed >> 29) * 0x3F58476D1CE4E5B9 & WORD
    return mixed ^ mixed >> 32
