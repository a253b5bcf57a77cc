"""Bridg-It for search: who wins and by which line, and how near both seats are to their goals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import log2
from typing import ClassVar, Final, NamedTuple

from games.rules.catalogue.bridgit import RULESET, notation, play
from games.rules.catalogue.bridgit.net import FAR, NEAR, Forests, Net
from games.rules.catalogue.bridgit.notation import SWAP
from games.rules.catalogue.bridgit.play import BridgitPosition, Point
from games.rules.evaluation import WON, Skill, Solved, Solving

LARGEST: Final = 30
"""Boards beyond this size are not solved: it would take longer than a few seconds."""

CHOICES: Final = 6
PROBLEMS: Final = 60
"""In a lost position so many lines are looked at, with so many answers in all."""

LINE: Final = 100
"""What it is worth to be one line nearer to the goal."""

WAYS: Final = 12
"""What it is worth to have twice as many shortest ways."""


class Ways(NamedTuple):
    """How many lines a seat needs at least (`short`), in how many ways, and the middles on these with the number of ways that
    each is on."""

    short: int
    many: int
    through: dict[Point, int]


class BridgitEvaluation(Solving[BridgitPosition]):
    """Perfect where it is asked for the truth; else it counts the lines that are missing."""

    whole: ClassVar[bool] = False
    unknown: ClassVar[int | None] = None
    skills: ClassVar[tuple[Skill, ...]] = (
        Skill(nodes=20, depth=1, blur=150, slips=500, insight=0),
        Skill(nodes=60, depth=1, blur=80, slips=200, insight=100),
        Skill(nodes=100, depth=2, blur=40, slips=100, insight=250),
        Skill(nodes=120, depth=2, blur=20, slips=50, insight=500),
        Skill(nodes=120, depth=3, blur=5, insight=800),
        Skill(nodes=400),
    )

    def value(self, position: BridgitPosition, seat: int) -> int:
        """Lines that one is ahead, with the ways to the goal; being to move is half a line."""
        own, other = shortest(Net(position, seat)), shortest(Net(position, 1 - seat))
        ahead = LINE * (other.short - own.short) + round(WAYS * log2((own.many or 1) / (other.many or 1)))
        return ahead + (LINE // 2 if position.mover == seat else -LINE // 2)

    def promising(self, position: BridgitPosition) -> Iterable[str]:
        """The middles on many of the shortest ways of both, which all others follow."""
        if play.may_swap(position):
            yield SWAP
        yield from map(notation.written, _weighed(position))

    def solve(self, position: BridgitPosition, nodes: int, expired: Callable[[], bool]) -> Solved | None:
        """By the trees of `net`, whatever `nodes` are. With the swap in hand the second player always wins, unless the first line
        ends the game: of a line and the same line taken over one is good."""
        if position.size > LARGEST:
            return None
        if position.swap and position.turn == 1 and position.size > 1:
            return Solved(-WON, (notation.written(opening(position)),))
        move = winning(position)
        if move is not None:
            return Solved(WON, (notation.written(move),))
        if play.may_swap(position):
            return Solved(WON, (SWAP,))
        return Solved(-WON, (notation.written(hardest(position)),))


def winning(position: BridgitPosition) -> Point | None:
    """A line with which the seat to move keeps the game won; None where the other seat wins. The swap is not thought of."""
    net = Net(position, position.mover)
    ways = shortest(net)
    if ways.short == 1:
        return min(ways.through)
    forests = Forests(net)
    sides = len(forests.edges)
    if forests.add(NEAR, FAR) is not None:
        # Won even if the other seat were to move: any line will do that is on the way.
        return min(ways.through)
    if forests.add(NEAR, FAR) is None:
        return None
    forest = forests.place[sides]
    near = forests.reached(forest, NEAR, without=sides)
    path = forests.path(1 - forest, NEAR, FAR)
    crossing = [edge for edge in map(forests.edges.__getitem__, path) if (edge.one in near) != (edge.other in near)]
    return min((edge.middle for edge in crossing if edge.middle is not None), default=None)


def hardest(position: BridgitPosition) -> Point:
    """Of the lines on the shortest ways of a lost position the one after which the smallest part of the likely answers keeps the
    game won, as far as PROBLEMS allows to try them."""
    lines = _weighed(position)[:CHOICES]
    most = PROBLEMS // len(lines)

    def kept(middle: Point) -> float:
        after = play.draw(position, middle)
        answers = _weighed(after)[:most]
        return sum(_keeps(after, answer) for answer in answers) / len(answers)

    return min(lines, key=kept)


def _keeps(position: BridgitPosition, middle: Point) -> bool:
    after = play.draw(position, middle)
    return after.over or winning(after) is None


def _weighed(position: BridgitPosition) -> list[Point]:
    """The middles on the shortest ways of both seats, those on most of them first; all where there are none."""
    weights: dict[Point, float] = {}
    for seat in (position.mover, 1 - position.mover):
        ways = shortest(Net(position, seat))
        for middle, many in ways.through.items():
            weights[middle] = weights.get(middle, 0) + many / ways.many
    found = [middle for middle in play.free(position) if middle in weights]
    return sorted(found, key=lambda middle: -weights[middle]) or list(play.free(position))


def opening(position: BridgitPosition) -> Point:
    """A first line where it may be taken over: neither in the middle nor useless, for one that is plainly good or bad is easily
    answered."""
    last = 2 * position.size
    return (1, 1) if last < 6 else (1, last // 4 * 2 + 1)


def shortest(net: Net) -> Ways:
    """The ways of a seat to its goal with the fewest lines."""
    joined: list[list[tuple[int, Point]]] = [[] for _dot in range(net.dots)]
    for one, other, middle in net.edges:
        if middle is not None:
            joined[one].append((other, middle))
            joined[other].append((one, middle))
    ahead, behind = (_from(joined, side) for side in (NEAR, FAR))
    short, many = ahead.get(FAR, (net.dots, 0))
    through: dict[Point, int] = {}
    for dot, (far, ways) in ahead.items():
        for other, middle in joined[dot]:
            rest, more = behind.get(other, (net.dots, 0))
            if far + 1 + rest == short:
                through[middle] = ways * more
    return Ways(short, many, through)


def _from(joined: list[list[tuple[int, Point]]], side: int) -> dict[int, tuple[int, int]]:
    """For every dot the lines to it from a side and in how many ways; the other side is no way through."""
    found = {side: (0, 1)}
    waiting = [side]
    for dot in waiting:
        far, ways = found[dot]
        if dot == NEAR + FAR - side:
            continue
        for other, _middle in joined[dot]:
            known = found.get(other)
            if known is None:
                found[other] = (far + 1, ways)
                waiting.append(other)
            elif known[0] == far + 1:
                found[other] = (far + 1, known[1] + ways)
    return found


EVALUATION: Final = BridgitEvaluation(RULESET)
