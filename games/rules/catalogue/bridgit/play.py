"""Bridg-It on a board of any size: two players join dots of their own, each from one side to the other.

Source: "игра в квадрате n×n" (003_a216cde34924aac4, first lines), which is Gale's game: lines of the two never cross, the first
unbroken line between one's own sides wins. The size and the swap that takes away the advantage of the first move are decided
in the guide beside this file. Options `n` (any whole number from 1) and `swap`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from games.rules.position import Moment

Point: TypeAlias = tuple[int, int]
"""A point of the lattice, x from the left and y from the bottom, both 0..2n. The dots of the first player are those with odd x
and even y, those of the second have even x and odd y; where x and y are both odd or both even lines have their middles."""


class BridgitPosition(NamedTuple):
    """`lines` are the middles of both seats' lines.

    `mover` is 0 (first) or 1 (second), also after the end (who moved last); `turn` counts from 1; `swap` is the option,
    `swapped` whether it was used; `over`: the seat that moved last has joined its sides.
    """

    size: int
    swap: bool
    lines: tuple[frozenset[Point], frozenset[Point]]
    mover: int = 0
    turn: int = 1
    swapped: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class BridgitView:
    """What a seat or a spectator (None) sees: everything, the board never turned."""

    position: BridgitPosition
    seat: int | None
    moment: Moment = Moment.NOW


def start(size: int, *, swap: bool) -> BridgitPosition:
    """The empty board."""
    return BridgitPosition(size, swap, (frozenset(), frozenset()))


def is_upright(seat: int, middle: Point) -> bool:
    """Whether a line of this seat with this middle stands upright."""
    return middle[0] % 2 == 1 - seat


def ends(seat: int, middle: Point) -> tuple[Point, Point]:
    """The two dots that a line joins, the one below or to the left first."""
    x, y = middle
    return ((x, y - 1), (x, y + 1)) if is_upright(seat, middle) else ((x - 1, y), (x + 1, y))


def joins(size: int, seat: int, middle: Point) -> bool:
    """Whether two dots of this seat lie on both sides of the point."""
    x, y = middle
    return (x + y) % 2 == 0 and all(0 <= where <= 2 * size for end in ends(seat, middle) for where in end)


def middles(size: int, seat: int) -> Iterator[Point]:
    """The middles of all lines that the seat could ever draw, by column, from the bottom; lazily, for a board may be huge."""
    last = 2 * size
    for x in range(1 - seat, last + seat):
        # Outside the seat's outermost dots there is nothing to join.
        column = range(1, last, 2) if x % 2 else range(2 * seat, last + 1 - 2 * seat, 2)
        for y in column:
            yield x, y


def free(position: BridgitPosition) -> Iterator[Point]:
    """The middles that the seat to move may choose; nothing when the game is over."""
    if position.over:
        return iter(())
    first, second = position.lines
    return (one for one in middles(position.size, position.mover) if one not in first and one not in second)


def may_swap(position: BridgitPosition) -> bool:
    """Whether the second player may answer the first line by taking it over."""
    return position.swap and position.turn == 2 and not position.over


def draw(position: BridgitPosition, middle: Point) -> BridgitPosition:
    """The position after a line of the seat to move, which must be `free`."""
    size, _, lines, mover, turn, *_ = position
    mine = lines[mover] | {middle}
    lines = (mine, lines[1]) if mover == 0 else (lines[0], mine)
    if len(mine) >= size and winning_line(size, mover, mine):
        return position._replace(lines=lines, over=True)
    return position._replace(lines=lines, mover=1 - mover, turn=turn + 1)


def take_over(position: BridgitPosition) -> BridgitPosition:
    """The position after the swap: the line at (x, y) becomes the second player's at (y, x). `may_swap` must hold."""
    [(x, y)] = position.lines[0]
    return position._replace(lines=(frozenset(), frozenset({(y, x)})), mover=0, turn=3, swapped=True)


def winning_line(size: int, seat: int, lines: frozenset[Point]) -> tuple[Point, ...]:
    """The middles of the shortest unbroken line between the seat's own sides, in order; nothing where there is none."""
    reached: dict[Point, tuple[Point, Point] | None] = {}
    ways: dict[Point, list[tuple[Point, Point]]] = {}
    for middle in sorted(lines):
        one, other = ends(seat, middle)
        ways.setdefault(one, []).append((middle, other))
        ways.setdefault(other, []).append((middle, one))
    along = 1 - seat
    waiting = deque(dot for dot in ways if dot[along] == 0)
    reached.update(dict.fromkeys(waiting))
    while waiting:
        dot = waiting.popleft()
        if dot[along] == 2 * size:
            return _back(reached, dot)
        for middle, other in ways[dot]:
            if other not in reached:
                reached[other] = (middle, dot)
                waiting.append(other)
    return ()


def _back(reached: dict[Point, tuple[Point, Point] | None], dot: Point) -> tuple[Point, ...]:
    found: list[Point] = []
    while (step := reached[dot]) is not None:
        middle, dot = step
        found.append(middle)
    return tuple(reversed(found))
