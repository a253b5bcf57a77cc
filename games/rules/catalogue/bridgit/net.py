"""A seat's free lines as a graph between its two sides, and the two edge-disjoint trees that decide who wins.

Source: Lehman, "A solution of the Shannon switching game" (1964). Drawing a line joins two dots into one, a line of the opponent
takes an edge away. A seat joins its sides although the opponent begins exactly if two edge-disjoint trees span the same dots,
both sides among them; and if the seat begins, exactly if that holds with one more edge between the sides. The trees are grown
as in Roskind and Tarjan, "A note on finding minimum-cost edge-disjoint spanning trees" (1985).
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from games.rules.catalogue.bridgit import play
from games.rules.catalogue.bridgit.play import BridgitPosition, Point

NEAR, FAR = 0, 1
"""The seat's own sides, as dots."""

FORESTS: Final = (0, 1)
NOWHERE: Final = -1


class Edge(NamedTuple):
    """A free line: what it joins, and its middle; the edge between the sides that no line stands for has none."""

    one: int
    other: int
    middle: Point | None


class Net:
    """The graph of a seat: `dots` many, `edges` between different ones."""

    def __init__(self, position: BridgitPosition, seat: int) -> None:
        size, own, others = position.size, position.lines[seat], position.lines[1 - seat]
        leader: dict[Point | int, Point | int] = {}

        def found(dot: Point) -> Point | int:
            along = dot[1 - seat]
            at: Point | int = NEAR if along == 0 else FAR if along == 2 * size else dot
            while (up := leader.get(at, at)) != at:
                at = up
            return at

        for middle in own:
            one, other = map(found, play.ends(seat, middle))
            if one != other:
                # A side stays the leader of what it is joined to.
                low, high = (one, other) if isinstance(other, int) else (other, one)
                leader[low] = high
        numbers: dict[Point | int, int] = {NEAR: NEAR, FAR: FAR}
        self.edges: list[Edge] = []
        for middle in play.middles(size, seat):
            if middle not in own and middle not in others:
                one, other = (numbers.setdefault(dot, len(numbers)) for dot in map(found, play.ends(seat, middle)))
                if one != other:
                    self.edges.append(Edge(one, other, middle))
        self.dots = len(numbers)


class Forests:
    """Two edge-disjoint forests of a net with as many edges as possible."""

    def __init__(self, net: Net) -> None:
        self.edges = list(net.edges)
        self.place = [NOWHERE] * len(self.edges)
        """The forest that each edge is in."""
        self._ways: list[list[dict[int, int]]] = [[{} for _dot in range(net.dots)] for _forest in FORESTS]
        leaders = [list(range(net.dots)) for _forest in FORESTS]
        late = [number for number in range(len(self.edges)) if not self._grows(number, leaders)]
        for number in late:
            self._insert(number)

    def add(self, one: int, other: int) -> set[int] | None:
        """Takes one more edge, which gets the next number. None, or where no forests are larger with it the edges that it
        depends on, itself among them: two trees that span the same dots."""
        self.edges.append(Edge(one, other, None))
        self.place.append(NOWHERE)
        return self._insert(len(self.edges) - 1)

    def path(self, forest: int, start: int, goal: int, without: int = NOWHERE) -> list[int]:
        """The edges from a dot to another within a forest, in order; empty where there is no path."""
        ways = self._ways[forest]
        came: dict[int, tuple[int, int]] = {start: (NOWHERE, start)}
        waiting = [start]
        for dot in waiting:
            for number, after in ways[dot].items():
                if after not in came and number != without:
                    came[after] = (number, dot)
                    waiting.append(after)
        edges: list[int] = []
        while goal in came and goal != start:
            number, goal = came[goal]
            edges.append(number)
        return edges[::-1]

    def reached(self, forest: int, start: int, without: int) -> set[int]:
        """The dots that a forest joins to one of them, when an edge is taken away."""
        found, waiting = {start}, [start]
        for dot in waiting:
            for number, after in self._ways[forest][dot].items():
                if after not in found and number != without:
                    found.add(after)
                    waiting.append(after)
        return found

    def _grows(self, number: int, leaders: list[list[int]]) -> bool:
        """Puts an edge where it joins two trees, if there is such a forest."""
        edge = self.edges[number]
        for forest in FORESTS:
            leader, (one, other) = leaders[forest], edge[:2]
            while leader[one] != one:
                leader[one] = one = leader[leader[one]]
            while leader[other] != other:
                leader[other] = other = leader[leader[other]]
            if one != other:
                leader[one] = other
                self._put(number, forest)
                return True
        return False

    def _put(self, number: int, forest: int) -> None:
        one, other, _middle = self.edges[number]
        if (old := self.place[number]) != NOWHERE:
            del self._ways[old][one][number], self._ways[old][other][number]
        self._ways[forest][one][number] = other
        self._ways[forest][other][number] = one
        self.place[number] = forest

    def _insert(self, new: int) -> set[int] | None:
        """Makes room for an edge by moving others from forest to forest. See `add` for the answer."""
        root = self.edges[new].one
        above = [self._rooted(forest, root) for forest in FORESTS]
        labelled = [{root}, {root}]
        because: dict[int, int] = {new: NOWHERE}
        waiting = deque([new])
        while waiting:
            number = waiting.popleft()
            one, other, _middle = self.edges[number]
            for forest in FORESTS:
                if forest == self.place[number]:
                    continue
                if (one in above[forest]) != (other in above[forest]):
                    self._shift(number, forest, because)
                    return None
                # One end is labelled already: edges come in the order of their distance from the root.
                climbing = other if one in labelled[forest] else one
                climbed: list[int] = []
                while climbing not in labelled[forest]:
                    labelled[forest].add(climbing)
                    edge, climbing = above[forest][climbing]
                    climbed.append(edge)
                for edge in reversed(climbed):
                    if edge not in because:
                        because[edge] = number
                        waiting.append(edge)
        return set(because)

    def _rooted(self, forest: int, root: int) -> dict[int, tuple[int, int]]:
        """For every dot of the root's tree the edge and the dot above it."""
        above = {root: (NOWHERE, root)}
        waiting = [root]
        for dot in waiting:
            for number, after in self._ways[forest][dot].items():
                if after not in above:
                    above[after] = (number, dot)
                    waiting.append(after)
        return above

    def _shift(self, number: int, forest: int, because: dict[int, int]) -> None:
        while number != NOWHERE:
            left = self.place[number]
            self._put(number, forest)
            number, forest = because[number], left
