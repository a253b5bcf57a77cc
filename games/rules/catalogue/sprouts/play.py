"""Sprouts without its drawing: which spots lie around which regions, what a line makes of that, and which lines there are.

Source: РАССАДА (003_a216cde34924aac4, task 29). From a spot to a spot or back to itself a line is drawn that touches nothing
else, and gets a new spot on it; no spot has more than three line ends; who cannot move loses. Any `n` ≥ 1; option `misere`: who
cannot move wins. The plane and the sphere are the same game, so no region is the outer one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

Walk: TypeAlias = tuple[int, ...]
"""A boundary: the spots that one meets going once round it, the region always on the same hand; turned so that the tuple is the
smallest. A spot that stands alone is a walk of its own; one with two line ends on a boundary may be met twice."""

Region: TypeAlias = tuple[Walk, ...]
"""The boundaries of a region, sorted. No two of them share a spot."""

ENDS: Final = 3
"""The line ends that a spot may have."""


class Plan(NamedTuple):
    """`n` spots at the start, `spots` now, numbered from 1 in the order in which they came; `regions` are sorted.

    Two positions are the same with the same spots' numbers exactly if their plans are equal.
    """

    n: int
    misere: bool
    spots: int
    regions: tuple[Region, ...]

    @property
    def moves(self) -> int:
        """The lines drawn so far."""
        return self.spots - self.n

    @property
    def mover(self) -> int:
        """The seat that draws next."""
        return self.moves % 2


class Corner(NamedTuple):
    """A place from which a line may start: a boundary, and which of its spots, counted from 0."""

    walk: Walk
    at: int

    @property
    def spot(self) -> int:
        """The spot at the corner."""
        return self.walk[self.at]


class Line(NamedTuple):
    """A line of which everything is decided but its shape.

    Where both corners are on one boundary the line parts the region. The first side is bounded by the line and the arc that goes
    from the first corner on to the second (of a loop: by the loop alone); `near` are the other boundaries on that side, sorted.
    """

    region: Region
    first: Corner
    second: Corner
    near: Region = ()

    @property
    def parts(self) -> bool:
        """Whether the line divides its region."""
        return self.first.walk == self.second.walk

    @property
    def others(self) -> Region:
        """The boundaries of the region that the line does not touch."""
        return tuple(walk for walk in self.region if walk not in (self.first.walk, self.second.walk))


def start(n: int, *, misere: bool) -> Plan:
    """Spots and nothing else."""
    return Plan(n, misere, n, (tuple((spot,) for spot in range(1, n + 1)),))


@lru_cache(maxsize=4096)
def lives(plan: Plan) -> tuple[int, ...]:
    """How many line ends each spot can still get, by number; index 0 is unused."""
    left = [ENDS] * (plan.spots + 1)
    for region in plan.regions:
        for walk in region:
            if len(walk) > 1:
                for spot in walk:
                    left[spot] -= 1
    return tuple(left)


def has_line(plan: Plan) -> bool:
    """Whether any line can be drawn."""
    return any(is_open(plan, region) for region in plan.regions)


def is_open(plan: Plan, region: Region) -> bool:
    """Whether a line can be drawn in a region: it has two living spots, or one with two lives."""
    left = lives(plan)
    living = {spot for walk in region for spot in walk if left[spot]}
    return len(living) > 1 or any(left[spot] > 1 for spot in living)


def survivors(plan: Plan) -> tuple[int, ...]:
    """The spots that live, ascending. At the end there are 3n − moves of them, each with one life."""
    return tuple(spot for spot, left in enumerate(lives(plan)) if spot and left)


def turned(walk: Iterable[int]) -> Walk:
    """The smallest rotation of a walk."""
    walk = tuple(walk)
    least = min(walk)
    return min(walk[at:] + walk[:at] for at, spot in enumerate(walk) if spot == least)


def sides(plan: Plan, line: Line) -> tuple[Region, ...]:
    """The regions that a line makes of its own: one where it joins two boundaries, else the first and the second side."""
    new, (one, i), (other, j) = plan.spots + 1, line.first, line.second
    if not line.parts:
        joined = turned((*_round(one, i), new, *_round(other, j), new))
        return (tuple(sorted((joined, *line.others))),)
    ahead = (*one[i:], *one[:j]) if j < i else one[i:j]
    behind = (*one[j:], *one[:i]) if i < j else one[j:i] if j < i else _round(one, i)[:-1]
    first = turned((*ahead, one[j], new))
    second = turned((*behind, one[i], new))
    far = tuple(walk for walk in line.others if walk not in line.near)
    return tuple(sorted((first, *line.near))), tuple(sorted((second, *far)))


def _round(walk: Walk, at: int) -> Walk:
    """The walk from a corner back to it."""
    return (*walk[at:], *walk[: at + 1]) if len(walk) > 1 else walk


def draw(plan: Plan, line: Line) -> Plan:
    """The plan with one more line, which must be one of its `lines`."""
    regions = list(plan.regions)
    regions.remove(line.region)
    regions += sides(plan, line)
    return plan._replace(spots=plan.spots + 1, regions=tuple(sorted(regions)))


def is_dead(plan: Plan, walk: Walk) -> bool:
    """Whether no line can ever start from a boundary."""
    left = lives(plan)
    return not any(left[spot] for spot in walk)


def effect(plan: Plan, line: Line) -> tuple[Region, frozenset[Region]]:
    """What tells lines apart: the region, and what lies on each side, but for the boundaries that are dead already."""
    dead = {walk for walk in line.others if is_dead(plan, walk)}
    return line.region, frozenset(tuple(walk for walk in side if walk not in dead) for side in sides(plan, line))


def courses(plan: Plan, first: int | None = None, second: int | None = None) -> Iterator[Line]:
    """Every pair of corners that a line may join, without anything on its first side; from one spot and to the other if they are
    named, the smaller first."""
    left = lives(plan)
    asked = {first, second} - {None}
    for region in dict.fromkeys(plan.regions):
        corners = [
            Corner(walk, at) for walk in region for at, spot in enumerate(walk) if left[spot] and (first is None or spot in asked)
        ]
        corners.sort(key=lambda corner: (corner.spot, corner))
        for one in corners:
            if left[one.spot] > 1 and _wanted(one, one, first, second):
                yield Line(region, one, one)
        for one, other in combinations(corners, 2):
            if one.spot != other.spot and _wanted(one, other, first, second):
                yield Line(region, one, other)


def _wanted(one: Corner, other: Corner, first: int | None, second: int | None) -> bool:
    return first is None or (one.spot, other.spot) == (first, second)


def lines(plan: Plan, first: int | None = None, second: int | None = None) -> Iterator[Line]:
    """Every line, lazily, one for each `effect`; dead boundaries lie on the second side. There may be more than 2ⁿ of them.

    Spots may be named as for `courses`.
    """
    known = set()
    for course in courses(plan, first, second):
        for line in _placed(plan, course):
            what = effect(plan, line)
            if what not in known:
                known.add(what)
                yield line


def _placed(plan: Plan, course: Line) -> Iterator[Line]:
    """A course with any choice of the living boundaries on its first side, small choices first."""
    free = [walk for walk in course.others if not is_dead(plan, walk)] if course.parts else []
    for many in range(len(free) + 1):
        for near in combinations(free, many):
            yield course._replace(near=near)
