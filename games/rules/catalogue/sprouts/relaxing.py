"""A drawing gives way: spots and lines push each other apart, lines straighten, and nothing ever crosses anything.

In a round no point moves as far as half the way to the nearest line that it is not on, so what lies between lines stays there.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from games.rules.catalogue.sprouts.drawing import EDGE, MARGIN, SIDE, Drawing, Point, Stroke

Numbers: TypeAlias = NDArray[Any]

WIDEST: Final = 1.5
"""So much further spots keep everything away than lines do."""

WIDELY: Final = 1.7
"""So much further everything pushes that is to fill the grid, and not only to keep away from what is near."""

KIN: Final = 3
"""Within so many pieces along a line a bend is not pushed away from the line that it is on."""

ROUNDS_BETWEEN: Final = 8
"""After so many rounds bends are added and taken away."""


def spacing(spots: int) -> float:
    """How far lines would lie from each other if they could, in a drawing of so many spots."""
    return 0.3 * SIDE / math.sqrt(spots + 2)


def relaxed(drawing: Drawing, rounds: int, only: Collection[int] = (), *, far: float = 1.0) -> Drawing:
    """The drawing after so many rounds, on the grid again; where strokes are named, nothing but their bends moves. Everything
    pushes `far` times as far as `spacing`."""
    springs = _Springs(drawing, only, far)
    for number in range(rounds):
        if number % ROUNDS_BETWEEN == 0:
            springs.bend()
        springs.push(0.5 if number < rounds / 2 else 0.3)
    springs.thin()
    return springs.drawn()


class _Springs:
    """The drawing while it moves: `at` are all points, spots first; a chain is half a stroke, as numbers of points."""

    def __init__(self, drawing: Drawing, only: Collection[int], far: float) -> None:
        self.drawing, self.only = drawing, only
        self.reach = spacing(len(drawing.spots))
        self.far = far * self.reach
        self.spots = len(drawing.spots)
        points: list[tuple[float, float]] = [*drawing.spots]
        self.chains: list[list[int]] = []
        for first, second, half in drawing.halves():
            inner = half[1:-1]
            self.chains.append([first - 1, *range(len(points), len(points) + len(inner)), second - 1])
            points += inner
        self.at: Numbers = np.array(points, dtype=float)
        self._list()

    def _list(self) -> None:
        """The straight pieces and who is beside whom; a spot that stands alone is a piece without length."""
        pieces = [
            (one, other, chain, place)
            for chain, numbers in enumerate(self.chains)
            for place, (one, other) in enumerate(pairwise(numbers))
        ]
        joined = {number for chain in self.chains for number in (chain[0], chain[-1])}
        pieces += [(spot, spot, -1, 0) for spot in range(self.spots) if spot not in joined]
        self.begin, self.end, self.chain_of, self.place_of = np.array(pieces, dtype=int).T
        self.home: Numbers = np.full(len(self.at), -2)
        self.rank: Numbers = np.zeros(len(self.at), dtype=int)
        for number, numbers in enumerate(self.chains):
            self.home[numbers[1:-1]] = number
            self.rank[numbers[1:-1]] = range(1, len(numbers) - 1)
        self.moving: Numbers = np.ones(len(self.at), dtype=bool)
        if self.only:
            self.moving[:] = False
            for stroke in self.only:
                for chain in self.chains[2 * stroke : 2 * stroke + 2]:
                    self.moving[chain[1:-1]] = True
                self.moving[self.drawing.middle(stroke) - 1] = True

    def _near(self, reach: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers, Numbers]:
        """Points and pieces that they are not on, within the reach of each point: point, piece, share along the piece, way from
        there, distance."""
        pieces = shapely.linestrings(np.stack((self.at[self.begin], self.at[self.end]), axis=1))
        around = shapely.box(*(self.at - reach[:, None]).T, *(self.at + reach[:, None]).T)
        moving, still = np.flatnonzero(self.moving), np.flatnonzero(~self.moving)
        point, piece = shapely.STRtree(pieces).query(around[moving])
        point = moving[point]
        if self.only:
            pulled = np.flatnonzero(self.moving[self.begin] | self.moving[self.end])
            other, beside = shapely.STRtree(pieces[pulled]).query(around[still])
            point, piece = np.concatenate((point, still[other])), np.concatenate((piece, pulled[beside]))
        apart = (self.begin[piece] != point) & (self.end[piece] != point)
        point, piece = point[apart], piece[apart]
        begin, along = self.at[self.begin[piece]], self.at[self.end[piece]] - self.at[self.begin[piece]]
        length = np.maximum((along**2).sum(axis=1), 1e-9)
        share = np.clip(((self.at[point] - begin) * along).sum(axis=1) / length, 0, 1)
        way = self.at[point] - begin - share[:, None] * along
        distance = np.hypot(*way.T)
        near = distance <= reach[point]
        return point[near], piece[near], share[near], way[near], np.maximum(distance[near], 1e-6)

    def _bounds(self, point: Numbers, piece: Numbers, distance: Numbers) -> Numbers:
        """How far each point may move: what is further than `self.reach` lets it move as far as anything may."""
        bound = np.full(len(self.at), 0.25 * self.reach)
        for numbers in (point, self.begin[piece], self.end[piece]):
            np.minimum.at(bound, numbers, 0.45 * distance)
        return bound

    def push(self, strength: float) -> None:
        """One round."""
        reach = np.where(np.arange(len(self.at)) < self.spots, WIDEST, 1.0) * self.far
        point, piece, share, way, distance = self._near(reach)
        force = self._tension()
        kin = (self.home[point] == self.chain_of[piece]) & (abs(2 * self.rank[point] - 2 * self.place_of[piece] - 1) < 2 * KIN)
        push = np.where(kin, 0.0, np.clip(reach[point] / distance - 1, 0, 25)) * 0.2
        shove = (push / distance)[:, None] * way
        np.add.at(force, point, shove)
        np.add.at(force, self.begin[piece], -shove * (1 - share[:, None]))
        np.add.at(force, self.end[piece], -shove * share[:, None])
        edge = MARGIN + 0.5 * self.reach
        force += np.clip((edge - self.at) / self.reach, 0, 4) - np.clip((self.at - SIDE + edge) / self.reach, 0, 4)
        step = strength * self.reach * force
        size = np.maximum(np.hypot(*step.T), 1e-9)
        allowed = np.where(self.moving, self._bounds(point, piece, distance), 0.0)
        self.at = np.clip(self.at + step * np.minimum(1.0, allowed / size)[:, None], EDGE, SIDE - EDGE)

    def _tension(self) -> Numbers:
        """What draws each point between those beside it."""
        total, many = np.zeros_like(self.at), np.zeros(len(self.at))
        for one, other in ((self.begin, self.end), (self.end, self.begin)):
            np.add.at(total, one, self.at[other] - self.at[one])
            np.add.at(many, one, self.begin != self.end)
        pull = total / np.maximum(many, 1)[:, None] / self.reach
        pull[: self.spots][many[: self.spots] == 1] = 0
        return 0.6 * pull

    def bend(self) -> None:
        """Bends are put into long pieces, and taken out of short ones where nothing lies in the corner that they cut off."""
        self.thin()
        points = self.at.tolist()
        for chain, numbers in enumerate(self.chains):
            if self.only and chain // 2 not in self.only:
                continue
            longer = [numbers[0]]
            for one, other in pairwise(numbers):
                length = math.dist(points[one], points[other])
                parts = max(1 + (len(numbers) == 2), round(length / self.reach))
                for part in range(1, parts):
                    share = part / parts
                    longer.append(len(points))
                    points.append([(1 - share) * a + share * b for a, b in zip(points[one], points[other], strict=True)])
                longer.append(other)
            self.chains[chain] = longer
        self._keep(points)

    def thin(self) -> None:
        """Takes bends away that a line does not need."""
        point, piece, _, _, distance = self._near(np.full(len(self.at), self.reach))
        bound = self._bounds(point, piece, distance)
        points = self.at.tolist()
        for chain, numbers in enumerate(self.chains):
            if self.only and chain // 2 not in self.only:
                continue
            at = 1
            while at < len(numbers) - 1:
                before, bend, after = (points[number] for number in numbers[at - 1 : at + 2])
                length = math.dist(before, after)
                height = _height(before, bend, after)
                safe = min(bound[number] for number in numbers[at - 1 : at + 2])
                if len(numbers) > 3 and height < min(safe, 0.03 * self.reach) and length < 1.5 * self.reach:
                    del numbers[at]
                at += 1
        self._keep(points)

    def _keep(self, points: list[list[float]]) -> None:
        """Numbers the points anew, without those that are on no chain."""
        kept = [*range(self.spots), *(number for chain in self.chains for number in chain[1:-1])]
        names = {number: name for name, number in enumerate(kept)}
        self.chains = [[names[number] for number in chain] for chain in self.chains]
        self.at = np.array([points[number] for number in kept], dtype=float)
        self._list()

    def drawn(self) -> Drawing:
        """The drawing on the grid."""
        places: list[Point] = [(round(x), round(y)) for x, y in self.at.tolist()]
        strokes = []
        for number, stroke in enumerate(self.drawing.strokes):
            before, after = (tuple(places[at] for at in chain[1:-1]) for chain in self.chains[2 * number : 2 * number + 2])
            strokes.append(Stroke(stroke.first, stroke.second, before, after))
        return Drawing(tuple(places[: self.spots]), tuple(strokes))


def _height(before: list[float], bend: list[float], after: list[float]) -> float:
    """How far a bend lies from the straight line between its neighbours."""
    length = math.dist(before, after)
    if length == 0:
        return math.dist(before, bend)
    area = (after[0] - before[0]) * (bend[1] - before[1]) - (after[1] - before[1]) * (bend[0] - before[0])
    return abs(area) / length
