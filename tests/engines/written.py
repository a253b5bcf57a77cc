"""Games written out as trees, in several worlds of which nobody is told which one it is: the smallest to be unsure in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import ClassVar, Final, NamedTuple, TypeAlias

from games.rules.entry import Json, Options
from games.rules.phrase import Say, phrase
from games.rules.position import CHANCE, BadPosition, Event, Forfeit, IllegalMove, Moment, Outcome
from games.rules.ruleset import Facts, Marks, Ruleset

End: TypeAlias = tuple[float, ...]
"""The points by seat."""


@dataclass(frozen=True)
class Decides:
    """A seat has these moves, or, where it is CHANCE, these outcomes fall with these weights."""

    seat: int
    moves: Mapping[str, Decides | End]
    weights: tuple[int, ...] = ()


class Place(NamedTuple):
    """A world by number, and the moves from its beginning."""

    world: int
    way: tuple[str, ...] = ()


class Written(Ruleset[Place, Place]):
    """A game of these worlds, each as likely as any other; moves are seen by all, the world (−1 in a view) by nobody."""

    facts: ClassVar[Facts] = Facts(name="written", version=1, title=phrase("Written"), seats=(2, 3), hidden=True, chance=True)

    def __init__(self, *worlds: Decides) -> None:
        self.worlds: Final = worlds

    def at(self, position: Place) -> Decides | End:
        node: Decides | End = self.worlds[position.world]
        for move in position.way:
            if not isinstance(node, Decides) or move not in node.moves:
                raise IllegalMove(phrase("That is not possible here."))
            node = node.moves[move]
        return node

    def start(self, options: Options, seats: int) -> Place:
        return Place(0)

    def to_move(self, position: Place) -> int | None:
        node = self.at(position)
        return node.seat if isinstance(node, Decides) else None

    def turn(self, position: Place) -> int:
        return len(position.way) + 1

    def legal_moves(self, position: Place) -> Iterator[str]:
        node = self.at(position)
        return iter(node.moves if isinstance(node, Decides) and node.seat != CHANCE else ())

    def canonical(self, position: Place, text: str) -> str:
        self.play(position, text)
        return text

    def play(self, position: Place, text: str) -> Place:
        after = position._replace(way=(*position.way, text))
        self.at(after)
        return after

    def chance(self, position: Place) -> Sequence[tuple[str, int]]:
        node = self.at(position)
        return list(zip(node.moves, node.weights, strict=True)) if isinstance(node, Decides) and node.seat == CHANCE else ()

    def time_out(self, position: Place) -> Forfeit:
        return Forfeit(self.to_move(position) or 0)

    def leave(self, position: Place, seat: int) -> Forfeit:
        return Forfeit(seat)

    def outcome(self, position: Place) -> Outcome | None:
        node = self.at(position)
        return None if isinstance(node, Decides) else Outcome("end", tuple(map(Fraction, node)))

    def events(self, position: Place, text: str) -> tuple[Event, ...]:
        return ()

    def dump(self, position: Place) -> Json:
        return {"world": position.world, "way": list(position.way)}

    def load(self, data: Json) -> Place:
        try:
            return Place(data["world"], tuple(data["way"]))
        except KeyError as problem:
            raise BadPosition(str(problem)) from problem

    def view(self, position: Place, seat: int | None, *, moment: Moment = Moment.NOW) -> Place:
        return position._replace(world=-1)

    def imagine(self, view: Place, random: Random) -> Place:
        return view._replace(world=random.randrange(len(self.worlds)))

    def describe(self, view: Place, say: Say) -> str:
        return " ".join(view.way)

    def diagram(self, view: Place) -> str:
        return " ".join(view.way)

    def picture(self, view: Place, marks: Marks, say: Say) -> str:
        return ""
