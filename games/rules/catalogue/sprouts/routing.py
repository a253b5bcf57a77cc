"""How a line finds its way: from the right corner of one spot to the right corner of the other, enclosing what it was asked to.

Walls are put up in free space until there is one way only: all that lies on the first side is walled together with the arc on
that side, all on the second side with the other arc. The walls are forgotten, and the line is pulled straight.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

import shapely
from shapely.geometry.base import BaseGeometry

from games.rules.catalogue.sprouts.drawing import EDGE, SIDE, Drawing, Point
from games.rules.catalogue.sprouts.faces import Bank, Face, faces
from games.rules.catalogue.sprouts.play import Corner, Line, Walk
from games.rules.catalogue.sprouts.space import Space, Spot

ROUND: Final = 12
"""Round a spot that stands alone so many directions are tried."""

WALL: Final = 0.02
"""How thick a wall is, in units of the distance that is kept."""


class NoWay(ValueError):
    """The free space at this distance from everything is too narrow for the line."""


def route(drawing: Drawing, line: Line, distance: float) -> list[Spot]:
    """The points of a line, its spots' places among them, that keeps this distance from everything but its ends. Raises NoWay."""
    face = next(face for face in faces(drawing) if face.region == line.region)
    return _Way(drawing, face, line, distance).found()


class _Way:
    """One line that is looked for."""

    def __init__(self, drawing: Drawing, face: Face, line: Line, distance: float) -> None:
        self.drawing, self.face, self.line, self.distance = drawing, face, line, distance
        lines = [shapely.LineString(bank.points) for banks in face.walks.values() for bank in banks]
        spots = [shapely.Point(drawing.spots[spot - 1]) for walk in face.walks for spot in walk]
        self.bounds = shapely.MultiLineString(lines)
        taken = shapely.union_all(shapely.buffer([*lines, *spots], distance, quad_segs=2, join_style="mitre"))
        self.free = self.space = self._part(self._sheet().difference(taken))

    def found(self) -> list[Spot]:
        """The whole line."""
        begin, end = self.place(self.line.first.spot), self.place(self.line.second.spot)
        if not self.line.parts:
            starts, goals = self.doors(self.line.first), self.doors(self.line.second)
        elif self.line.first == self.line.second:
            starts, goals = self._loop()
        else:
            starts, goals = self.doors(self.line.first), self.doors(self.line.second)
            first, second = self._arcs()
            self._wall_in(self._gates(first), self.line.near)
            self._wall_in(self._gates(second), self._far())
        way = self.space.way(starts, goals)
        if way is None:
            raise NoWay
        return self._straightened([begin, *way, end])

    def place(self, spot: int) -> Point:
        """Where a spot lies."""
        return self.drawing.spots[spot - 1]

    def _sheet(self) -> BaseGeometry:
        """The grid, but no more of it than is needed to go round everything."""
        points = [point for _, _, half in self.drawing.halves() for point in half]
        xs, ys = zip(*points, *self.drawing.spots, strict=True)
        wide = 2.5 * self.distance
        return shapely.box(
            max(EDGE, min(xs) - wide),
            max(EDGE, min(ys) - wide),
            min(SIDE - EDGE, max(xs) + wide),
            min(SIDE - EDGE, max(ys) + wide),
        )

    def _part(self, room: BaseGeometry) -> Space:
        """The part of the room that lies in the region: the one that most of its boundaries look into."""
        looking = [point for walk in self.face.walks for _, point in self._openings(walk)]
        parts = [Space(part) for part in shapely.get_parts(room)]
        if not parts:
            raise NoWay
        return max(parts, key=lambda part: len(part.holds(looking)))

    # -- corners -------------------------------------------------------------------------------------------------

    def _wedge(self, corner: Corner) -> tuple[float, float]:
        """The direction in which a corner begins, and how wide it is."""
        banks = self.face.walks[corner.walk]
        if not banks:
            return 0.0, 2 * math.pi
        begins, ends = banks[corner.at].heading, banks[corner.at - 1].back
        return begins, (ends - begins) % (2 * math.pi) or 2 * math.pi

    def doors(self, corner: Corner) -> list[Spot]:
        """Points in free space that a straight step from the corner's spot reaches. Raises NoWay."""
        begins, wide = self._wedge(corner)
        alone = len(corner.walk) == 1
        many = ROUND if alone else max(1, round(wide / math.pi * 6) - 1)
        turns = [begins + wide * (at + 1) / (many + 1 - alone) for at in range(many)]
        found = [door for turn in turns if (door := self._door(corner.spot, turn))]
        if not found:
            raise NoWay
        nearest = min(math.dist(self.place(corner.spot), door) for door in found)
        return [door for door in found if math.dist(self.place(corner.spot), door) < 1.5 * nearest]

    def _door(self, spot: int, turn: float) -> Spot | None:
        x, y = self.place(spot)
        for far in range(8):
            reach = 1.1 * self.distance * 1.4**far
            door = (x + reach * math.cos(turn), y + reach * math.sin(turn))
            if self.space.holds([door]):
                step = shapely.LineString([(x + (door[0] - x) * 1e-3, y + (door[1] - y) * 1e-3), door])
                return None if step.intersects(self.bounds) else door
        return None

    # -- walls ---------------------------------------------------------------------------------------------------

    def _far(self) -> tuple[Walk, ...]:
        return tuple(walk for walk in self.line.others if walk not in self.line.near)

    def _arcs(self) -> tuple[list[Bank], list[Bank]]:
        """The banks on the first and on the second side of a line between two corners of one boundary."""
        banks, i, j = self.face.walks[self.line.first.walk], self.line.first.at, self.line.second.at
        ahead = [*banks[i:], *banks[:j]] if j < i else [*banks[i:j]]
        return ahead, [bank for bank in banks if bank not in ahead]

    def _gates(self, banks: Iterable[Bank]) -> list[tuple[Spot, Spot]]:
        """Places from which a wall may start: on the line, and beside it in free space."""
        found = []
        for bank in banks:
            for (x, y), (across, along) in zip(bank.points, bank.points[1:], strict=False):
                length = math.dist((x, y), (across, along))
                for share in (0.5,) if length < 6 * self.distance else (0.25, 0.5, 0.75):
                    foot = (x + share * (across - x), y + share * (along - y))
                    reach = 1.1 * self.distance / length
                    found.append((foot, (foot[0] - reach * (along - y), foot[1] + reach * (across - x))))
        return self._open(found)

    def _openings(self, walk: Walk) -> list[tuple[Spot, Spot]]:
        """The same all along a boundary, before there is any free space to look into."""
        if len(walk) > 1:
            return [
                ((x, y), ((x + across) / 2 - (along - y) * reach, (y + along) / 2 + (across - x) * reach))
                for bank in self.face.walks[walk]
                for (x, y), (across, along) in zip(bank.points, bank.points[1:], strict=False)
                for reach in [1.1 * self.distance / math.dist((x, y), (across, along))]
            ]
        x, y = self.place(walk[0])
        turns = [2 * math.pi * at / ROUND for at in range(ROUND)]
        return [((x, y), (x + 1.1 * self.distance * math.cos(turn), y + 1.1 * self.distance * math.sin(turn))) for turn in turns]

    def _open(self, gates: Sequence[tuple[Spot, Spot]]) -> list[tuple[Spot, Spot]]:
        held = {*self.space.holds([gate for _, gate in gates])}
        return [(foot, gate) for foot, gate in gates if gate in held]

    def _gates_of(self, walk: Walk) -> list[tuple[Spot, Spot]]:
        return self._gates(self.face.walks[walk]) if len(walk) > 1 else self._open(self._openings(walk))

    def _wall_in(self, gates: list[tuple[Spot, Spot]], walks: Iterable[Walk]) -> None:
        """Walls between these gates and boundaries, one after the other, each from what hangs together already."""
        waiting = list(walks)
        while waiting:
            there = {gate: (foot, walk) for walk in waiting for foot, gate in self._gates_of(walk)}
            here = {gate: foot for foot, gate in self._open(gates)}
            way = self.space.way(list(here), list(there))
            if way is None:
                raise NoWay
            foot, walk = there[way[-1]]
            waiting.remove(walk)
            gates = [*gates, *self._gates_of(walk)]
            self._put_up([here[way[0]], *way, foot])

    def _put_up(self, wall: Sequence[Spot]) -> None:
        inner = shapely.LineString(wall[1:-1]) if len(wall) > 3 else shapely.Point(wall[1])
        room = inner.distance(shapely.boundary(self.space.area))
        self.space = self.space.without(wall, min(WALL * self.distance, room / 4))

    # -- loops ---------------------------------------------------------------------------------------------------

    def _loop(self) -> tuple[list[Spot], list[Spot]]:
        """The doors of a loop; between them, at its spot, begins the wall to all that it encloses."""
        corner, place = self.line.first, self.place(self.line.first.spot)
        begins, wide = self._wedge(corner)
        turn = begins + wide / 2
        if len(corner.walk) == 1:
            near = [self.place(walk[0]) for walk in self.line.near or self._far()]
            x, y = near[0] if near else (SIDE / 2, SIDE / 2)
            turn = math.atan2(y - place[1], x - place[0]) + (0 if self.line.near or not near else math.pi)
            begins = turn - math.pi
        stub = self._door(corner.spot, turn)
        behind = self._door(corner.spot, begins) if len(corner.walk) == 1 else None
        doors = [self._door(corner.spot, turn + side * min(wide / 4, 1.2)) for side in (-1, 1)]
        if stub is None or None in doors:
            raise NoWay
        if self.line.near:
            self._wall_in([(place, stub)], self.line.near)
        else:
            reach = 2.5 * self.distance / math.dist(place, stub)
            tip = (stub[0] + reach * (stub[0] - place[0]), stub[1] + reach * (stub[1] - place[1]))
            step = shapely.LineString([stub, tip])
            self._put_up([place, stub, tip, tip] if self.space.area.contains(step) else [place, stub, stub])
        if self._far():
            if len(corner.walk) > 1:
                gates = self._gates(self.face.walks[corner.walk])
            elif behind is None:
                raise NoWay
            else:
                gates = [(place, behind)]
            self._wall_in(gates, self._far())
        return [door for door in doors[:1] if door], [door for door in doors[1:] if door]

    # -- the line ------------------------------------------------------------------------------------------------

    def _straightened(self, way: list[Spot]) -> list[Spot]:
        """The line without the bends that it does not need to go round anything, itself included."""
        changed = True
        while changed:
            changed, at = False, 2
            while at < len(way) - 2:
                before, bend, after = way[at - 1 : at + 2]
                if self.free.area.covers(shapely.Polygon([before, bend, after])) and not _meets(way, at):
                    del way[at]
                    changed = True
                else:
                    at += 1
        return way


def _meets(way: Sequence[Spot], at: int) -> bool:
    """Whether a way would meet itself without a bend."""
    shorter = shapely.LineString([way[at - 1], way[at + 1]])
    rest = [part for part in (way[: at - 1], way[at + 2 :]) if len(part) > 1]
    return bool(shapely.MultiLineString(rest).intersects(shorter))
