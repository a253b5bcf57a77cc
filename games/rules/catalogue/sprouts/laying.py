"""A new line is laid into a drawing: routed, pulled into shape, and where it is tight everything else gives way.

What decides is the plan: a drawing is taken only if the regions that it has are those of the plan.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from games.rules.catalogue.sprouts import play
from games.rules.catalogue.sprouts.drawing import Drawing, Point, Stroke
from games.rules.catalogue.sprouts.faces import Crossing, regions
from games.rules.catalogue.sprouts.play import Line, Plan, Region
from games.rules.catalogue.sprouts.relaxing import WIDELY, relaxed, spacing
from games.rules.catalogue.sprouts.routing import NoWay, route
from games.rules.catalogue.sprouts.space import Spot

DISTANCES: Final = (0.35, 0.18, 0.09, 0.045, 0.022, 0.011)
"""What a line tries to keep from everything, in units of `spacing`. Only the first is comfortable."""

SHAPING: Final = 14
GIVING_WAY: Final = 40
"""Rounds of pushing: of the new line alone, and of the whole drawing."""

ROOMY: Final = 260
"""So far apart spots lie well in any drawing, in units of the grid."""

TRIES: Final = 6


class NotLaid(ArithmeticError):
    """No way was found; it exists on paper."""


@lru_cache(maxsize=1024)
def laid(drawing: Drawing, plan: Plan, line: Line) -> Drawing:
    """The drawing of a plan with one more line; where the new line finds room, nothing else moves. Raises NotLaid."""
    goal = play.draw(plan, line).regions
    for _ in range(TRIES):
        for distance in DISTANCES:
            longer = _with_line(drawing, line, distance * spacing(len(drawing.spots) + 1))
            if longer is None or not shows(longer, goal):
                continue
            shaped = _or_before(longer, relaxed(longer, SHAPING, [len(longer.strokes) - 1]))
            if distance == DISTANCES[0] and not _is_crowded(shaped):
                return shaped
            return _or_before(shaped, relaxed(shaped, GIVING_WAY, far=WIDELY))
        drawing = _or_before(drawing, relaxed(drawing, GIVING_WAY))
    raise NotLaid


def _or_before(before: Drawing, after: Drawing) -> Drawing:
    """The drawing that gave way, if its regions are still the same."""
    return after if shows(after, regions(before)) else before


def _is_crowded(drawing: Drawing) -> bool:
    """Whether the newest spot lies too near to another one to be told apart from it."""
    *others, newest = drawing.spots
    return min(math.dist(newest, other) for other in others) < min(ROOMY, 0.7 * spacing(len(drawing.spots)))


def shows(drawing: Drawing, goal: tuple[Region, ...]) -> bool:
    """Whether a drawing is one of a plan with these regions: no lines cross, and the regions are the same."""
    try:
        return regions(drawing) == goal
    except Crossing:
        return False


def _with_line(drawing: Drawing, line: Line, distance: float) -> Drawing | None:
    try:
        way = route(drawing, line, distance)
    except NoWay:
        return None
    before, middle, after = halved(way, distance / 4)
    return drawing.with_line(Stroke(line.first.spot, line.second.spot, before, after), middle)


def halved(way: Sequence[Spot], least: float) -> tuple[tuple[Point, ...], Point, tuple[Point, ...]]:
    """The bends before the middle of a way, its middle, and the bends after that; a bend nearer than `least` is the middle."""
    lengths = [math.dist(one, other) for one, other in pairwise(way)]
    left, piece = sum(lengths) / 2, 0
    while left > lengths[piece]:
        left -= lengths[piece]
        piece += 1
    (x, y), (across, along) = way[piece : piece + 2]
    share = left / lengths[piece]
    middle = (x + share * (across - x), y + share * (along - y))
    before, after = list(way[1 : piece + 1]), list(way[piece + 1 : -1])
    if before and math.dist(before[-1], middle) < least:
        middle = before.pop()
    elif after and math.dist(after[0], middle) < least:
        middle = after.pop(0)
    return _on_grid(before), (round(middle[0]), round(middle[1])), _on_grid(after)


def _on_grid(points: Sequence[Spot]) -> tuple[Point, ...]:
    return tuple(dict.fromkeys((round(x), round(y)) for x, y in points))
