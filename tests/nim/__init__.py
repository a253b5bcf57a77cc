"""Nim with one heap: the smallest whole game, a folder as the catalogue holds them. It lives in the tests.

Source: Bouton, "Nim, a game with a complete mathematical theory" (1901), bounded to three stones a move. Two take one, two or
three stones in turn; whoever takes the last one wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from games.drawing import palette
from games.drawing.canvas import Canvas
from games.rules.entry import Json, Options
from games.rules.phrase import Say, phrase, phrases
from games.rules.position import (
    LOSS,
    WIN,
    BadOptions,
    BadPosition,
    Event,
    Forfeit,
    IllegalMove,
    InvalidNotation,
    Moment,
    Outcome,
    whose_turn,
)
from games.rules.ruleset import Facts, Marks, Option, Ruleset, complete

if TYPE_CHECKING:
    from random import Random

SEATS: Final = (phrase("First player"), phrase("Second player"))


class NimPosition(NamedTuple):
    """`mover` is 0 or 1, after the end who moved last; `turn` counts from 1."""

    stones: int
    mover: int = 0
    turn: int = 1


class NimView(NamedTuple):
    """What a seat sees: everything."""

    position: NimPosition
    seat: int | None
    moment: Moment = Moment.NOW


class Nim(Ruleset[NimPosition, NimView]):
    """Nim by the rules above."""

    facts: ClassVar[Facts] = Facts(
        name="nim",
        version=1,
        title=phrase("Nim"),
        seats=(2, 2),
        seat_titles=SEATS,
        options=(Option("heap", phrase("The heap"), 9, tuple((size, phrase("%(size)s", size=size)) for size in (9, 15, 21))),),
        terminations={"last_stone": phrase("the last stone is taken")},
        showcase="last_stone",
    )

    def start(self, options: Options, seats: int) -> NimPosition:
        """The whole heap."""
        heap = complete(self.facts, options)["heap"]
        if type(heap) is not int or heap < 1 or seats != 2:
            raise BadOptions(phrase("Nim is played by two with a heap of stones."))
        return NimPosition(heap)

    def to_move(self, position: NimPosition) -> int | None:
        """The seat that must take."""
        return position.mover if position.stones else None

    def turn(self, position: NimPosition) -> int:
        """A move a turn."""
        return position.turn

    def legal_moves(self, position: NimPosition) -> Iterator[str]:
        """One to three, as long as there are so many."""
        return map(str, range(1, min(3, position.stones) + 1))

    def canonical(self, position: NimPosition, text: str) -> str:
        """The number."""
        move = text.strip()
        if move not in ("1", "2", "3"):
            raise InvalidNotation(phrase("“%(move)s” is not 1, 2 or 3.", move=move[:20]))
        if move not in self.legal_moves(position):
            raise IllegalMove(phrase("There are not so many stones."))
        return move

    def play(self, position: NimPosition, text: str) -> NimPosition:
        """The smaller heap."""
        left = position.stones - int(self.canonical(position, text))
        return NimPosition(left, 1 - position.mover, position.turn + 1) if left else position._replace(stones=0)

    def time_out(self, position: NimPosition) -> Forfeit:
        """The seat to move loses."""
        return Forfeit(position.mover)

    def leave(self, position: NimPosition, seat: int) -> Forfeit:
        """Who leaves loses."""
        return Forfeit(seat)

    def outcome(self, position: NimPosition) -> Outcome | None:
        """Whoever took the last stone wins."""
        points = (LOSS, WIN) if position.mover else (WIN, LOSS)
        return None if position.stones else Outcome("last_stone", points)

    def events(self, position: NimPosition, text: str) -> tuple[Event, ...]:
        """Some stones are taken, perhaps the last."""
        taken = int(self.canonical(position, text))
        seat = SEATS[position.mover]
        said = phrases("%(seat)s takes %(count)s stone.", "%(seat)s takes %(count)s stones.", taken, seat=seat)
        took = Event("took", said, ("heap",), taken, phrases("you take %(count)s", "you take %(count)s", taken))
        if taken < position.stones:
            return (took,)
        won = phrase("That was the last one: %(seat)s wins.", seat=seat)
        return took, Event("over", won, to_mover=phrase("that was the last one, you win"))

    def dump(self, position: NimPosition) -> Json:
        """The fields."""
        return position._asdict()

    def load(self, data: Json) -> NimPosition:
        """Inverse of `dump`."""
        if not isinstance(data, dict) or {*data} != {*NimPosition._fields} or not all(type(one) is int for one in data.values()):
            raise BadPosition("a position is stones, mover and turn")
        return NimPosition(**data)

    def view(self, position: NimPosition, seat: int | None, *, moment: Moment = Moment.NOW) -> NimView:
        """Nothing is hidden."""
        return NimView(position, seat, moment if position.stones else Moment.OVER)

    def imagine(self, view: NimView, random: Random) -> NimPosition:
        """The position itself."""
        return view.position

    def describe(self, view: NimView, say: Say) -> str:
        """How many stones there are, and whose turn it is."""
        mover, stones = view.position.mover, view.position.stones
        told = phrases("The heap holds %(count)s stone.", "The heap holds %(count)s stones.", stones)
        return f"{say(told)} {say(whose_turn(view.moment, SEATS[mover], own=mover == view.seat))}"

    def diagram(self, view: NimView) -> str:
        """A sign for each stone, ten in a row."""
        return "\n".join("o" * min(10, view.position.stones - row) for row in range(0, view.position.stones, 10)) or "-"

    def picture(self, view: NimView, marks: Marks, say: Say) -> str:
        """The stones in a row, which is the one place."""
        canvas = Canvas(name="nim", width=640, height=120, title=say(self.facts.title), description=self.describe(view, say))
        canvas.rectangle(0, 0, 640, 120, corner=20, fill=palette.WOOD)
        with canvas.group(data_place="heap", fill=palette.STONE):
            for stone in range(view.position.stones):
                canvas.circle(40 + stone % 20 * 29, 60 + stone // 20 * 29, 12)
        return canvas.svg()


RULESET: Final = Nim()
