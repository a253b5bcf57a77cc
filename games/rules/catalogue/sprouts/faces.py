"""Which regions a drawing has: its boundaries are walked with the region on the left, and laid together by where they lie."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import shapely

from games.rules.catalogue.sprouts.drawing import Drawing, Point
from games.rules.catalogue.sprouts.play import Region, Walk

ASIDE = 0.2
"""So far from a line lies the point that tells which region is on its left, in units of the grid."""


class Bank(NamedTuple):
    """One hand of half a line: the spots where it starts and ends, its points; the region lies on the left."""

    start: int
    end: int
    points: tuple[Point, ...]

    @property
    def heading(self) -> float:
        """The direction in which it leaves its first spot."""
        (x, y), (across, along) = self.points[:2]
        return math.atan2(along - y, across - x)

    @property
    def back(self) -> float:
        """The direction in which one would leave its last spot backwards."""
        (x, y), (across, along) = self.points[-1], self.points[-2]
        return math.atan2(along - y, across - x)


class Face(NamedTuple):
    """A region of a drawing: for each boundary the banks along it, in its order; `outer`: everything else lies inside."""

    walks: dict[Walk, tuple[Bank, ...]]
    outer: bool

    @property
    def region(self) -> Region:
        """The region as the plan knows it."""
        return tuple(sorted(self.walks))


def faces(drawing: Drawing) -> list[Face]:
    """The regions of a drawing."""
    halves = drawing.halves()
    walks = [*_walks(halves), *_alone(drawing, halves)]
    areas = shapely.get_parts(shapely.polygonize([shapely.LineString(points) for _, _, points in halves]))
    beside = [_aside(banks, drawing.spots[walk[0] - 1]) for walk, banks in walks]
    found = dict(zip(*shapely.STRtree(areas).query(shapely.points(beside), predicate="within").tolist(), strict=True))
    grouped: dict[int, dict[Walk, tuple[Bank, ...]]] = {}
    for number, (walk, banks) in enumerate(walks):
        grouped.setdefault(found.get(number, -1), {})[walk] = banks
    return [Face(group, outer=area < 0) for area, group in grouped.items()]


def regions(drawing: Drawing) -> tuple[Region, ...]:
    """The regions of a drawing as a plan has them. Raises Crossing where lines meet elsewhere than in their spots."""
    if len({*drawing.spots}) < len(drawing.spots):
        raise Crossing
    lines = shapely.MultiLineString([points for _, _, points in drawing.halves()])
    joined = {spot for stroke in drawing.strokes for spot in (stroke.first, stroke.second)}
    alone = [point for spot, point in enumerate(drawing.spots[: drawing.middle(0) - 1], start=1) if spot not in joined]
    if not lines.is_simple or shapely.MultiPoint(alone).intersects(lines):
        raise Crossing
    return tuple(sorted(face.region for face in faces(drawing)))


class Crossing(ValueError):
    """Lines cross or touch."""


def _walks(halves: Iterable[tuple[int, int, tuple[Point, ...]]]) -> list[tuple[Walk, tuple[Bank, ...]]]:
    banks: list[Bank] = []
    for first, second, points in halves:
        banks += (Bank(first, second, points), Bank(second, first, points[::-1]))
    leaving: dict[int, list[int]] = {}
    for number, bank in enumerate(banks):
        leaving.setdefault(bank.start, []).append(number)
    following: dict[int, int] = {}
    for numbers in leaving.values():
        numbers.sort(key=lambda number: banks[number].heading)
        for at, number in enumerate(numbers):
            following[number ^ 1] = numbers[at - 1]
    found = []
    while following:
        number, round_ = next(iter(following)), list[Bank]()
        while number in following:
            round_.append(banks[number])
            number = following.pop(number)
        least = min(range(len(round_)), key=lambda at: [bank.start for bank in round_[at:] + round_[:at]])
        turned = tuple(round_[least:] + round_[:least])
        found.append((tuple(bank.start for bank in turned), turned))
    return found


def _alone(drawing: Drawing, halves: Iterable[tuple[int, int, tuple[Point, ...]]]) -> list[tuple[Walk, tuple[Bank, ...]]]:
    joined = {spot for first, second, _ in halves for spot in (first, second)}
    return [((spot,), ()) for spot in range(1, len(drawing.spots) + 1) if spot not in joined]


def _aside(banks: tuple[Bank, ...], spot: Point) -> tuple[float, float]:
    """A point of the region right beside a boundary: on the left of its longest straight piece."""
    pieces = [(one, other) for bank in banks for one, other in zip(bank.points, bank.points[1:], strict=False)]
    if not pieces:
        return spot
    (x, y), (across, along) = max(pieces, key=lambda piece: math.dist(*piece))
    length = math.dist((x, y), (across, along))
    return (x + across) / 2 - ASIDE * (along - y) / length, (y + along) / 2 + ASIDE * (across - x) / length
