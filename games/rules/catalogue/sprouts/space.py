"""Free space: what lies far enough from every boundary of a region, cut into triangles, and the short ways through it."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import shapely
from shapely.geometry.base import BaseGeometry

Spot: TypeAlias = tuple[float, float]
"""A point of the plane, not yet of the grid."""


class Space:
    """An area, cut into triangles when a way is asked for."""

    def __init__(self, area: BaseGeometry) -> None:
        self.area = area
        shapely.prepare(area)
        self._corners: list[list[Spot]] | None = None

    def holds(self, points: Sequence[Spot]) -> list[Spot]:
        """Those of the points that lie in the area."""
        if not points:
            return []
        inside = shapely.contains_xy(self.area, [x for x, _ in points], [y for _, y in points])
        return [point for point, is_in in zip(points, inside, strict=True) if is_in]

    def without(self, wall: Sequence[Spot], width: float) -> Space:
        """The area but for a strip along a wall."""
        return Space(self.area.difference(shapely.LineString(wall).buffer(width, quad_segs=1, join_style="mitre")))

    def way(self, starts: Sequence[Spot], goals: Sequence[Spot]) -> list[Spot] | None:
        """A short way from one of the starts to one of the goals, through the middles of the sides between triangles; None where
        there is none."""
        if self._corners is None:
            self._cut()
        begin, end = self._located(starts), self._located(goals)
        best = dict.fromkeys(begin, 0.0)
        came: dict[int, tuple[int, Spot]] = {}
        waiting = [(0.0, triangle, point) for triangle, point in begin.items()]
        heapq.heapify(waiting)
        while waiting:
            far, triangle, at = heapq.heappop(waiting)
            if far > best[triangle]:
                continue
            if triangle in end:
                return self._back(came, begin, triangle, end[triangle])
            for beyond, middle in self._beside[triangle]:
                further = far + math.dist(at, middle)
                if further < best.get(beyond, math.inf):
                    best[beyond] = further
                    came[beyond] = (triangle, middle)
                    heapq.heappush(waiting, (further, beyond, middle))
        return None

    def _back(self, came: dict[int, tuple[int, Spot]], begin: dict[int, Spot], triangle: int, goal: Spot) -> list[Spot]:
        way = [goal]
        while triangle in came:
            triangle, middle = came[triangle]
            way.append(middle)
        return [begin[triangle], *reversed(way)]

    def _cut(self) -> None:
        triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(self.area))
        self._tree = shapely.STRtree(triangles)
        corners = shapely.get_coordinates(triangles).reshape(-1, 4, 2)[:, :3].tolist()
        self._corners = [[(x, y) for x, y in three] for three in corners]
        sides: dict[tuple[Spot, Spot], int] = {}
        self._beside: list[list[tuple[int, Spot]]] = [[] for _ in corners]
        for number, three in enumerate(self._corners):
            for one, other in zip(three, three[1:] + three[:1], strict=True):
                side = (one, other) if one < other else (other, one)
                beyond = sides.setdefault(side, number)
                if beyond != number:
                    middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
                    self._beside[number].append((beyond, middle))
                    self._beside[beyond].append((number, middle))

    def _located(self, points: Iterable[Spot]) -> dict[int, Spot]:
        points = list(points)
        if not points:
            return {}
        numbers, triangles = self._tree.query(shapely.points(points), predicate="intersects").tolist()
        return {triangle: points[number] for number, triangle in zip(numbers, triangles, strict=True)}
