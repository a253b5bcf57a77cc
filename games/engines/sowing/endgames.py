"""Endgame tables: for each board with few stones, how many more of them the seat to move gets than the other.

What "exact" means where plies that take nothing may go round in a circle: the table holds the value of the game in which a
board that comes again divides the rest, for a board that has not stood before. At first every board is worth 0, then each gets
the best that its plies promise, over and over until nothing changes. So a value moves only away from 0, and only when a
finite way of captures proves it: above 0 the seat to move can go that way, nearer with each ply, and no board comes twice;
below 0 the other can, whatever is played; where it stays 0, each can keep off what loses until the rest is divided. None of
this asks how often a board must come, so the rule of the third time gives the same value; only a board that stood twice in the
game before may bring its division sooner, and then `search` asks the tables about nothing that comes before a capture. A
table that is half made lies between 0 and the truth, so that making it can be broken off and go on at any time.
"""

from __future__ import annotations

from games.engines.sowing.compiled import Bytes, compiled
from games.engines.sowing.core import AGAIN, OVER, legal, ply
from games.engines.sowing.ranks import rank


@compiled
def improve(variant: int, stones: int, values: Bytes, own: int, other: int, count: int) -> tuple[int, int, int]:
    """Reckons `count` boards with so many stones anew, from this one on in the order of their ranks.

    `values` has all boards with fewer stones, and these. Gives how many values have changed, and the board that is next.
    """
    changed = 0
    number = rank(own, other, stones)
    for _ in range(count):
        mask = legal(variant, own, other)
        best = -128 if mask else stones
        for pit in range(6):
            if mask >> pit & 1:
                after, facing, kept, lost, what = ply(variant, own, other, 0, 0, pit)
                if what == OVER:
                    value = kept - lost
                elif what == AGAIN:
                    value = kept + values[rank(after, facing, stones - kept)]
                else:
                    value = lost - values[rank(after, facing, stones - lost)]
                best = max(best, value)
        if values[number] != best:
            values[number] = best
            changed += 1
        number += 1
        own, other = following(own, other)
    return changed, own, other


@compiled
def following(own: int, other: int) -> tuple[int, int]:
    """The board whose rank among those with as many stones is the next one; after the last comes nothing sensible."""
    first = own & 255
    own -= first
    pit = 1
    while pit < 6 and own >> 8 * pit & 255 == 0:
        pit += 1
    if pit < 6:
        return own - (1 << 8 * pit) + (first + 1 << 8 * (pit - 1)), other
    pit = 0
    while pit < 5 and other >> 8 * pit & 255 == 0:
        pit += 1
    if pit == 0:
        return own + (first + 1 << 40), other - 1
    return own, other - (1 << 8 * pit) + (first + 1 << 8 * (pit - 1))


def first_board(stones: int) -> tuple[int, int]:
    """The board of rank 0 among those with so many stones: all in the last pit."""
    return 0, stones << 40
