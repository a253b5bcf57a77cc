"""Sprouts for search: the truth where it comes out, else what it looks like near the end."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice, product
from typing import ClassVar, Final

from games.rules.catalogue.sprouts import RULESET, notation, play
from games.rules.catalogue.sprouts.lands import Lands, Walk, of_plan
from games.rules.catalogue.sprouts.nimbers import Truth, Unsolved
from games.rules.catalogue.sprouts.play import Corner, Line, Plan
from games.rules.catalogue.sprouts.position import SproutsPosition
from games.rules.evaluation import WON, Skill, Solved, Solving

GLANCE: Final = 15
"""So many lines are tried to tell at a glance who wins."""

SEEN: Final = 2_000
"""The value of what was told at a glance."""

WIDE: Final = 16
"""So many kinds of lines are worth looking at where nobody knows better."""


class SproutsEvaluation(Solving[SproutsPosition]):
    """Exact as far as the nodes go: six spots take about 40,000."""

    whole: ClassVar[bool] = False
    skills: ClassVar[tuple[Skill, ...]] = (
        Skill(nodes=1, insight=0),
        Skill(nodes=200, depth=1, blur=7_500, insight=0),
        Skill(nodes=200, depth=1, blur=4_000, insight=190),
        Skill(nodes=300, depth=1, blur=3_000, insight=590),
        Skill(nodes=450, depth=1, blur=1_000, insight=920),
        Skill(nodes=80_000),
    )
    cost: ClassVar[int] = 20

    def value(self, position: SproutsPosition, seat: int) -> int:
        """Who wins, where that is seen at a glance; else nothing is known."""
        won = _told(position.plan, GLANCE, never)
        if won is None:
            return 0
        return SEEN if won == (position.plan.mover == seat) else -SEEN

    def promising(self, position: SproutsPosition) -> Iterable[str]:
        """A line of each kind, those that leave the opponent least first, as far as there is time for them."""
        plan = position.plan
        found: dict[Lands, Line] = {}
        for line in islice(kinds(plan), WIDE):
            found.setdefault(of_plan(play.draw(plan, line)), line)
        for lands in sorted(found, key=lambda lands: (_lines_left(lands), lands)):
            yield notation.written(plan, found[lands])

    def key(self, position: SproutsPosition) -> Hashable:
        """The plan: a drawing changes nothing."""
        return position.plan

    def solve(self, position: SproutsPosition, nodes: int, expired: Callable[[], bool]) -> Solved | None:
        """By the nimbers of lands; where the last line loses by looking at everything. Who has lost leaves most to look at."""
        plan = position.plan
        truth = Truth(nodes, expired)
        try:
            if not truth.wins(of_plan(plan), misere=plan.misere):
                return Solved(-WON, (list(self.promising(position))[-1],))
            for line in kinds(plan):
                if not truth.wins(of_plan(play.draw(plan, line)), misere=plan.misere):
                    return Solved(WON, (notation.written(plan, line),))
        except Unsolved:
            pass
        return None


def never() -> bool:
    """The time is never over."""
    return False


def _told(plan: Plan, nodes: int, expired: Callable[[], bool]) -> bool | None:
    """Whether the seat that draws next wins, where that comes out."""
    try:
        return Truth(nodes, expired).wins(of_plan(plan), misere=plan.misere)
    except Unsolved:
        return None


def _lines_left(lands: Lands) -> int:
    return sum(len(walk) for land in lands for region in land for walk in region)


def kinds(plan: Plan) -> Iterator[Line]:
    """Lines, lazily: of those that only differ in the numbers of spots met nowhere else often but one."""
    left = play.lives(plan)
    met: dict[int, int] = {}
    for region in plan.regions:
        for walk in region:
            for spot in walk:
                met[spot] = met.get(spot, 0) + 1

    def sign(spot: int) -> int:
        return spot + 3 if met[spot] > 1 and left[spot] else 3 - left[spot]

    def kind(corner: Corner) -> Walk:
        return tuple(sign(spot) for spot in (*corner.walk[corner.at :], *corner.walk[: corner.at]))

    known = set()
    for course in play.courses(plan):
        apart = course.second.at - course.first.at if course.parts else None
        what = (course.region, apart, kind(course.first), kind(course.second))
        if what not in known:
            known.add(what)
            yield from _placed(plan, course, sign)


def _placed(plan: Plan, course: Line, sign: Callable[[int], int]) -> Iterator[Line]:
    """A course with every choice of the living boundaries on its first side, one of those that look the same."""
    if not course.parts:
        yield course
        return
    alike: dict[Walk, list[Walk]] = {}
    for walk in course.others:
        if not play.is_dead(plan, walk):
            alike.setdefault(tuple(map(sign, walk)), []).append(walk)
    for choice in product(*(range(len(walks) + 1) for walks in alike.values())):
        near = (walk for walks, many in zip(alike.values(), choice, strict=True) for walk in walks[:many])
        yield course._replace(near=tuple(sorted(near)))


EVALUATION: Final = SproutsEvaluation(RULESET)
