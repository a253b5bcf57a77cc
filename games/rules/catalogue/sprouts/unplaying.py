"""Lines taken back: the newest spot of a position lies on the newest line, so a position tells a game that leads to it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from games.rules.catalogue.sprouts import play
from games.rules.catalogue.sprouts.play import ENDS, Corner, Line, Plan, Region, Walk, turned

LONGEST: Final = 20_000
"""More letters than any position of 999 spots needs are not looked at."""

_HOEY: Final = re.compile(r"[1-9][0-9]{0,3}(?:[,;/][1-9][0-9]{0,3})*", re.ASCII)


class Unreachable(ValueError):
    """No game leads to such a position."""


def plan_of(string: str, *, misere: bool) -> Plan:
    """The plan of a position as Hoey writes it, in any order. Raises Unreachable if it cannot be one."""
    if len(string) > LONGEST or _HOEY.fullmatch(string) is None:
        raise Unreachable("a position is spots with , boundaries with ; and regions with /")
    regions = tuple(
        sorted(tuple(sorted(turned(map(int, walk.split(","))) for walk in region.split(";"))) for region in string.split("/"))
    )
    walks = [walk for region in regions for walk in region]
    met = Counter(spot for walk in walks for spot in walk)
    if met.keys() != set(range(1, len(met) + 1)):
        raise Unreachable("spots are numbered from 1 without a gap")
    if max(met.values()) > ENDS:
        raise Unreachable(f"no spot is met more than {ENDS} times")
    ends = sum(len(walk) for walk in walks if len(walk) > 1)
    n, rest = divmod((ENDS + 1) * len(met) - ends, 4)
    if rest or not 1 <= n <= len(met):
        raise Unreachable("so many spots and line ends do not go together")
    return Plan(n, misere, len(met), regions)


def lines_to(plan: Plan) -> list[Line]:
    """The lines of a game that leads to a plan, the first one first. Raises Unreachable if there is none."""
    lines: list[Line] = []
    while plan.moves:
        before, line = _before(plan)
        if play.draw(before, line) != plan:
            raise Unreachable(f"spot {plan.spots} lies on no line that can be drawn")
        lines.append(line)
        plan = before
    if plan != play.start(plan.n, misere=plan.misere):
        raise Unreachable("lines are left where no spot lies on them")
    return lines[::-1]


def _before(plan: Plan) -> tuple[Plan, Line]:
    """The plan without its newest line, and that line."""
    newest = plan.spots
    found = [(number, walk) for number, region in enumerate(plan.regions) for walk in region if newest in walk]
    if len({number for number, _ in found}) < len(found):
        raise Unreachable(f"two boundaries of a region share spot {newest}")
    at = [(plan.regions[number], walk) for number, walk in found]
    if [walk.count(newest) for _, walk in at] == [2]:
        merged, line = _joined(newest, *at[0])
    elif [walk.count(newest) for _, walk in at] == [1, 1] and all(len(walk) > 1 for _, walk in at):
        merged, line = _parted(newest, *at[0], *at[1])
    else:
        raise Unreachable(f"spot {newest} does not lie on one line alone")
    regions = list(plan.regions)
    for region, _ in at:
        regions.remove(region)
    return plan._replace(spots=newest - 1, regions=tuple(sorted([*regions, merged]))), line


def _joined(newest: int, region: Region, walk: Walk) -> tuple[Region, Line]:
    first = walk.index(newest)
    walk = walk[first:] + walk[:first]
    second = walk.index(newest, 1)
    one, other = (_opened(part) for part in (walk[1:second], walk[second + 1 :]))
    rest = [boundary for boundary in region if newest not in boundary]
    merged = tuple(sorted([turned(one), turned(other), *rest]))
    return merged, Line(merged, *_in_order(_corner(one, 0), _corner(other, 0)))


def _opened(part: Walk) -> Walk:
    """A boundary that was gone round from a corner back to it; of a spot that stood alone there is only the spot."""
    if not part or part[0] != part[-1] or len(part) == 2:
        raise Unreachable("a boundary does not come back to where it begins")
    return part[:-1] or part


def _parted(newest: int, region: Region, walk: Walk, other: Region, beyond: Walk) -> tuple[Region, Line]:
    ahead, behind = (way[way.index(newest) + 1 :] + way[: way.index(newest)] for way in (walk, beyond))
    if ahead[0] != behind[-1] or ahead[-1] != behind[0]:
        raise Unreachable(f"the sides of the line through spot {newest} do not fit")
    if ahead[0] > ahead[-1] or (ahead[0] == ahead[-1] and len(ahead) > 1):
        return _parted(newest, other, beyond, region, walk)
    whole = (*ahead[:-1], *behind[:-1]) or ahead
    near = tuple(one for one in region if one != walk)
    merged = tuple(sorted([turned(whole), *near, *(one for one in other if one != beyond)]))
    first, second = _corner(whole, 0), _corner(whole, len(ahead) - 1)
    return merged, Line(merged, first, second, near)


def _corner(walk: Walk, at: int) -> Corner:
    """The corner of a boundary, given from any of its spots on."""
    least = turned(walk)
    shift = next(shift for shift in range(len(walk)) if walk[shift:] + walk[:shift] == least)
    return Corner(least, (at - shift) % len(walk))


def _in_order(one: Corner, other: Corner) -> tuple[Corner, Corner]:
    return (one, other) if one.spot <= other.spot else (other, one)
