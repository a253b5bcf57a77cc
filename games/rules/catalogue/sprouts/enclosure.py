"""What a written line of Sprouts may mean: which lines fit the named spots, and in which order their positions stand."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from games.rules.catalogue.sprouts import play
from games.rules.catalogue.sprouts.play import Line, Plan

MOST_DEAD: Final = 8
"""Up to so many dead boundaries in a region every way to lay them is a move; of more, all lie on the second side."""


class Asked(NamedTuple):
    """What a text says without its `#`: the smaller spot first; `named` are living spots that a dividing line parts from the
    others, `reaches` one that the new spot must share a region with."""

    first: int
    second: int
    named: frozenset[int] = frozenset()
    reaches: int | None = None


class Meaning(NamedTuple):
    """A line that a text may mean, and the string of the position that it leads to. Lines of one `effect` differ only in where
    they leave dead boundaries."""

    string: str
    line: Line
    effect: object


def string(plan: Plan) -> str:
    """A position in one line, as Hoey writes it: spots `,` boundaries `;` regions `/`."""
    return "/".join(";".join(",".join(map(str, walk)) for walk in region) for region in plan.regions)


def one_sided(plan: Plan, line: Line) -> tuple[tuple[int, ...], ...]:
    """Of each side of a dividing line the living spots that are not on the other, without those that the line touches."""
    first, second = ({spot for walk in side for spot in walk} for side in play.sides(plan, line))
    left, touched = play.lives(plan), {line.first.spot, line.second.spot, plan.spots + 1}
    return tuple(
        tuple(sorted(spot for spot in here - there if spot not in touched and left[spot]))
        for here, there in ((first, second), (second, first))
    )


def parted(plan: Plan, line: Line) -> tuple[int, ...]:
    """The living spots on one side only, of the two sides the shorter list, or the smaller one; none where nothing is divided."""
    return min(one_sided(plan, line), key=lambda spots: (len(spots), spots)) if line.parts else ()


@lru_cache(maxsize=1024)
def meanings(plan: Plan, asked: Asked) -> tuple[Meaning, ...]:
    """All that a text may mean, in the order of the strings: `#k` is the k-th. In polynomial time, but for the ways to lay up to
    MOST_DEAD dead boundaries."""
    found: dict[str, Meaning] = {}
    for fitting in _fitting(plan, asked):
        effect = play.effect(plan, fitting)
        for line in _laid(plan, fitting):
            reached = string(play.draw(plan, line))
            found.setdefault(reached, Meaning(reached, line, effect))
    return tuple(sorted(found.values(), key=lambda meaning: meaning.string))


def firsts(found: tuple[Meaning, ...]) -> tuple[Meaning, ...]:
    """The first of each effect."""
    different: dict[object, Meaning] = {}
    for meaning in found:
        different.setdefault(meaning.effect, meaning)
    return tuple(different.values())


def _fitting(plan: Plan, asked: Asked) -> tuple[Line, ...]:
    """The lines that fit, one for each effect, dead boundaries on the second side."""
    found: dict[object, Line] = {}
    for course in play.courses(plan, asked.first, asked.second):
        for line in _enclosing(plan, course, asked.named):
            if asked.reaches is None or _reach(plan, line, asked.reaches):
                found.setdefault(play.effect(plan, line), line)
    return tuple(found.values())


def _enclosing(plan: Plan, course: Line, named: frozenset[int]) -> list[Line]:
    """A course with the other boundaries laid so that the named spots are parted from the rest, on either side."""
    if not course.parts:
        return [] if named else [course]
    living = [walk for walk in course.others if not play.is_dead(plan, walk)]
    apart = tuple(walk for walk in living if named.intersection(walk))
    rest = tuple(walk for walk in living if walk not in apart)
    found = []
    for side, near in enumerate((apart, rest)):
        line = course._replace(near=near)
        only = set(one_sided(plan, line)[side])
        arc = next(walk for walk in play.sides(plan, line)[side] if plan.spots + 1 in walk)
        mine = only.intersection(arc)
        if named <= only and (not mine or named & mine):
            found.append(line)
    return found


def _reach(plan: Plan, line: Line, goal: int) -> bool:
    taken = (line.first.spot, line.second.spot).count(goal)
    around = [{spot for walk in side for spot in walk} for side in play.sides(plan, line)]
    return play.lives(plan)[goal] > taken and any(goal in spots for spots in around)


def _laid(plan: Plan, line: Line) -> list[Line]:
    """A line with the dead boundaries of its region laid in every way, as long as they are few."""
    dead = [walk for walk in line.others if play.is_dead(plan, walk)] if line.parts else []
    if len(dead) > MOST_DEAD:
        return [line]
    choices = [near for many in range(len(dead) + 1) for near in combinations(dead, many)]
    return [line._replace(near=tuple(sorted((*line.near, *near)))) for near in choices]
