"""Bridg-It: the ruleset that the registry finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from games.rules.catalogue.bridgit import notation, picture, play
from games.rules.catalogue.bridgit.notation import CONNECTED, SEAT_TITLES, SWAP
from games.rules.catalogue.bridgit.play import BridgitPosition, BridgitView
from games.rules.entry import Json, Options
from games.rules.phrase import Phrase, Say, phrase
from games.rules.position import LOSS, WIN, Event, Forfeit, Moment, Outcome
from games.rules.ruleset import Dialect, Facts, Marks, Option, Ruleset, complete, for_two, no_value

if TYPE_CHECKING:
    from random import Random

SIZES: Final = range(2, 13)
"""What a form offers; the rules take any size."""

LARGEST_FOR_FINGERS: Final = 7


class Bridgit(Ruleset[BridgitPosition, BridgitView]):
    """Bridg-It by the rules that `play` cites."""

    facts: ClassVar[Facts] = Facts(
        name=notation.NAME,
        version=notation.VERSION,
        title=phrase("Bridg-It"),
        seats=(2, 2),
        seat_titles=SEAT_TITLES,
        options=(
            Option(
                name="n",
                title=phrase("The size of the board"),
                default=5,
                offered=tuple((size, phrase("%(size)s × %(size)s", size=size)) for size in SIZES),
            ),
            Option(
                name="swap",
                title=phrase("The second player may take the first line over"),
                default=True,
                offered=((True, phrase("yes, instead of the second move")), (False, phrase("no"))),
            ),
        ),
        terminations={CONNECTED: phrase("two opposite sides are joined")},
        showcase="connected_second",
    )
    dialects: ClassVar[Mapping[str, Dialect]] = {"reference": notation.ReferenceLines()}

    def start(self, options: Options, seats: int) -> BridgitPosition:
        """The empty board."""
        chosen = complete(self.facts, options)
        size, swap = chosen["n"], chosen["swap"]
        for name, given, right in (("n", size, type(size) is int and size >= 1), ("swap", swap, isinstance(swap, bool))):
            if not right:
                raise no_value(name, given)
        for_two(self.facts, seats)
        return play.start(int(size), swap=bool(swap))

    def to_move(self, position: BridgitPosition) -> int | None:
        """The seat whose line is due."""
        return None if position.over else position.mover

    def turn(self, position: BridgitPosition) -> int:
        """A line a turn."""
        return position.turn

    def legal_moves(self, position: BridgitPosition) -> Iterator[str]:
        """The swap where it is possible, then the free middles by column."""
        if play.may_swap(position):
            yield SWAP
        yield from map(notation.written, play.free(position))

    def canonical(self, position: BridgitPosition, text: str) -> str:
        """The middle in small letters, or `swap`."""
        middle = notation.read(position, text)
        return SWAP if middle is None else notation.written(middle)

    def play(self, position: BridgitPosition, text: str) -> BridgitPosition:
        """The position after a line or the swap."""
        middle = notation.read(position, text)
        return play.take_over(position) if middle is None else play.draw(position, middle)

    def time_out(self, position: BridgitPosition) -> Forfeit:
        """The seat to move loses."""
        return Forfeit(position.mover)

    def leave(self, position: BridgitPosition, seat: int) -> Forfeit:
        """Who leaves loses."""
        return Forfeit(seat)

    def outcome(self, position: BridgitPosition) -> Outcome | None:
        """Whoever joins both sides wins; there are no draws."""
        if not position.over:
            return None
        return Outcome(CONNECTED, (LOSS, WIN) if position.mover else (WIN, LOSS))

    def events(self, position: BridgitPosition, text: str) -> tuple[Event, ...]:
        """A line or the swap, perhaps the end."""
        return notation.events(position, notation.read(position, text))

    def dump(self, position: BridgitPosition) -> Json:
        """See `notation.dump`."""
        return notation.dump(position)

    def load(self, data: Json) -> BridgitPosition:
        """See `notation.load`."""
        return notation.load(data)

    def view(self, position: BridgitPosition, seat: int | None, *, moment: Moment = Moment.NOW) -> BridgitView:
        """Nothing is hidden, and the board is the same for both."""
        return BridgitView(position, seat, Moment.OVER if position.over else moment)

    def imagine(self, view: BridgitView, random: Random) -> BridgitPosition:
        """The position itself."""
        return view.position

    def describe(self, view: BridgitView, say: Say) -> str:
        """See `picture.describe`."""
        return picture.describe(view, say)

    def diagram(self, view: BridgitView) -> str:
        """See `picture.diagram`."""
        return picture.diagram(view)

    def picture(self, view: BridgitView, marks: Marks, say: Say) -> str:
        """See `picture.picture`."""
        return picture.picture(view, marks, say)

    def miniature(self, view: BridgitView, say: Say) -> str:
        """See `picture.miniature`."""
        return picture.miniature(view, say)

    def place_of(self, view: BridgitView, move: str) -> str | None:
        """The middle of the line; the swap has none, for its line lies where another might."""
        return None if move == SWAP else move

    def meaning(self, move: str) -> Phrase | None:
        """What the swap does."""
        return phrase("Take the first line over") if move == SWAP else None

    def group_of(self, view: BridgitView, move: str) -> Phrase | None:
        """The column of the middle; the swap stands apart."""
        return None if move == SWAP else phrase("Column %(letter)s", letter=move.rstrip("0123456789"))

    def is_wide(self, view: BridgitView) -> bool:
        """A larger board has middles less than 24 pixels apart on the narrowest screen."""
        return view.position.size > LARGEST_FOR_FINGERS


RULESET: Final = Bridgit()
