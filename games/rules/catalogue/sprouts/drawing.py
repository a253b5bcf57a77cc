"""The drawing of a position: spots and lines as points of a square grid, and how they are stored in a text.

A line is stored as `/120,400/130,420*150,431*160,440`: its bends, between `*` the spot in its middle, more bends. Where
everything else had to give way, the whole new drawing follows: `//` and its spots, then for each line `//` and its bends, `*`
where its middle is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

Point: TypeAlias = tuple[int, int]

SIDE: Final = 6000
"""The grid goes from 0 to SIDE both ways."""

MARGIN: Final = 300
"""Spots and bends are drawn away from the edge of the grid until they are so far from it."""

EDGE: Final = 20
"""None is nearer to it."""

_POINT: Final = re.compile(r"(\d{1,4}),(\d{1,4})", re.ASCII)


class Stroke(NamedTuple):
    """A line: the spots that it joins, and its bends before and after the spot in its middle."""

    first: int
    second: int
    before: tuple[Point, ...]
    after: tuple[Point, ...]


class Drawing(NamedTuple):
    """`spots` lie in order of their numbers, which begin at 1; strokes lie in order, and so do the spots in their middles."""

    spots: tuple[Point, ...]
    strokes: tuple[Stroke, ...] = ()

    def middle(self, stroke: int) -> int:
        """The number of the spot in the middle of a stroke."""
        return len(self.spots) - len(self.strokes) + stroke + 1

    def halves(self) -> list[tuple[int, int, tuple[Point, ...]]]:
        """Both halves of each stroke, from the spot where it starts to its middle and on: spot, spot, all points. No two that
        follow each other are the same, although rounding to the grid makes such bends."""
        found = []
        for number, (first, second, before, after) in enumerate(self.strokes):
            middle = self.middle(number)
            found.append((first, middle, _apart((self.spots[first - 1], *before, self.spots[middle - 1]))))
            found.append((middle, second, _apart((self.spots[middle - 1], *after, self.spots[second - 1]))))
        return found

    def with_line(self, stroke: Stroke, middle: Point) -> Drawing:
        """The drawing with one more line."""
        return Drawing((*self.spots, middle), (*self.strokes, stroke))


class Unstorable(ValueError):
    """A text that holds no line or no drawing."""


def start(n: int) -> Drawing:
    """The spots at the start: in a circle, of more than six the first in the middle and the others round it like seeds."""
    centre, reach = SIDE / 2, SIDE / 2 - 2.5 * MARGIN
    if n <= 6:
        places = [(0.7 * (n > 1), 2 * math.pi * k / n - math.pi / 2) for k in range(n)]
    else:
        golden = math.pi * (3 - math.sqrt(5))
        places = [(math.sqrt((k + 0.3) / n), k * golden) for k in range(n)]
    return Drawing(
        tuple(
            (round(centre + reach * far * math.cos(turn)), round(centre + reach * far * math.sin(turn))) for far, turn in places
        )
    )


def _apart(points: tuple[Point, ...]) -> tuple[Point, ...]:
    return (points[0], *(point for before, point in pairwise(points) if point != before))


def line_text(stroke: Stroke, middle: Point) -> str:
    """A line as it is stored with its move."""
    return f"/{_points(stroke.before)}*{_points([middle])}*{_points(stroke.after)}"


def whole_text(drawing: Drawing) -> str:
    """A whole drawing as it is stored."""
    lines = (f"{_points(stroke.before)}*{_points(stroke.after)}" for stroke in drawing.strokes)
    return "".join(f"//{one}" for one in (_points(drawing.spots), *lines))


def read_line(text: str, first: int, second: int) -> tuple[Stroke, Point]:
    """Inverse of `line_text`. Raises Unstorable."""
    parts = text.removeprefix("/").split("*")
    if len(parts) != 3:
        raise Unstorable("a line is bends, the spot in its middle and bends")
    before, middle, after = (_read_points(part) for part in parts)
    if len(middle) != 1:
        raise Unstorable("a line has one spot in its middle")
    return Stroke(first, second, before, after), middle[0]


def read_whole(text: str, ends: Sequence[tuple[int, int]]) -> Drawing:
    """Inverse of `whole_text`; `ends` are the spots that each line joins. Raises Unstorable."""
    nothing, *parts = text.split("//")
    if nothing or not parts:
        raise Unstorable("a drawing begins with //")
    spots, *lines = parts
    if len(lines) != len(ends):
        raise Unstorable("a drawing has another number of lines")
    strokes = []
    for line, (first, second) in zip(lines, ends, strict=True):
        before, star, after = line.partition("*")
        if not star:
            raise Unstorable("a line has no middle")
        strokes.append(Stroke(first, second, _read_points(before), _read_points(after)))
    return Drawing(_read_points(spots), tuple(strokes))


def _points(points: Sequence[Point]) -> str:
    return "/".join(f"{x},{y}" for x, y in points)


def _read_points(text: str) -> tuple[Point, ...]:
    return tuple(map(_read_point, text.split("/"))) if text else ()


def _read_point(text: str) -> Point:
    found = _POINT.fullmatch(text)
    if found is None or max(int(found[1]), int(found[2])) > SIDE:
        raise Unstorable(f"{text[:20]!r} is no point of the grid")
    return int(found[1]), int(found[2])
