"""Turkish Mangala: the ruleset that the registry finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final

from games.rules.catalogue.mangala import notation, picture, play
from games.rules.catalogue.mangala.play import FIRST25, OVER24, PLAYOUT, SIDE_EMPTY, MangalaPosition, MangalaView
from games.rules.entry import Json, Options
from games.rules.phrase import Say, phrase
from games.rules.position import DRAW, LOSS, WIN, BadOptions, Event, Forfeit, Moment, Outcome
from games.rules.ruleset import Dialect, Facts, Marks, Option, Ruleset, complete
from games.rules.sowing import SEAT_TITLES, pit_place, read_pit

if TYPE_CHECKING:
    from random import Random


class Mangala(Ruleset[MangalaPosition, MangalaView]):
    """Mangala by the rules that `play` cites."""

    facts: ClassVar[Facts] = Facts(
        name=notation.NAME,
        version=notation.VERSION,
        title=phrase("Mangala"),
        seats=(2, 2),
        seat_titles=SEAT_TITLES,
        options=(
            Option(
                name="end",
                title=phrase("The game ends"),
                default=FIRST25,
                offered=(
                    (FIRST25, phrase("as soon as a store holds 25 stones")),
                    (PLAYOUT, phrase("when a side is empty")),
                ),
            ),
        ),
        joiner="-",
        terminations={SIDE_EMPTY: phrase("a side is empty"), OVER24: phrase("a store holds more than 24 stones")},
    )
    dialects: ClassVar[Mapping[str, Dialect]] = {"reference": notation.ReferenceLines()}

    def start(self, options: Options, seats: int) -> MangalaPosition:
        """Four stones in each pit."""
        end = complete(self.facts, options)["end"]
        if end not in (FIRST25, PLAYOUT):
            raise BadOptions(phrase("The option “%(name)s” cannot be “%(value)s”.", name="end", value=str(end)[:40]))
        if seats != 2:
            raise BadOptions(phrase("%(game)s is played by two.", game=self.facts.title))
        return play.start(end)

    def to_move(self, position: MangalaPosition) -> int | None:
        """The seat whose ply is due."""
        return None if position.termination else position.mover

    def turn(self, position: MangalaPosition) -> int:
        """An extra move belongs to the same turn."""
        return position.turn

    def legal_moves(self, position: MangalaPosition) -> Iterator[str]:
        """The own pits that hold stones, from the left."""
        return play.legal_moves(position)

    def canonical(self, position: MangalaPosition, text: str) -> str:
        """The number of the pit."""
        play.sow(position, text)
        return read_pit(text)

    def play(self, position: MangalaPosition, text: str) -> MangalaPosition:
        """The position after a ply."""
        return play.sow(position, text)[0]

    def time_out(self, position: MangalaPosition) -> Forfeit:
        """The seat to move loses."""
        return Forfeit(position.mover)

    def leave(self, position: MangalaPosition, seat: int) -> Forfeit:
        """Who leaves loses."""
        return Forfeit(seat)

    def outcome(self, position: MangalaPosition) -> Outcome | None:
        """More than 24 stones win, 24 each is a draw."""
        if not position.termination:
            return None
        south, north = self.scores(position)
        if south == north:
            return Outcome(position.termination, (DRAW, DRAW), (south, north))
        points = (WIN, LOSS) if south > north else (LOSS, WIN)
        return Outcome(position.termination, points, (south, north))

    def scores(self, position: MangalaPosition) -> tuple[Fraction, ...]:
        """The stones in South's and North's store."""
        return Fraction(position.holes[6]), Fraction(position.holes[13])

    def proposals(self, position: MangalaPosition) -> tuple[str, ...]:
        """A draw may be offered while the game goes on."""
        return () if position.termination else ("draw",)

    def settle(self, position: MangalaPosition, proposal: str) -> Outcome:
        """An agreed draw."""
        if proposal != "draw":
            return super().settle(position, proposal)
        return Outcome("agreement", (DRAW, DRAW), self.scores(position))

    def events(self, position: MangalaPosition, text: str) -> tuple[Event, ...]:
        """Sowing, captures, the sweep, an extra move or the end."""
        return notation.events(position, text)

    def dump(self, position: MangalaPosition) -> Json:
        """See `notation.dump`."""
        return notation.dump(position)

    def load(self, data: Json) -> MangalaPosition:
        """See `notation.load`."""
        return notation.load(data)

    def view(self, position: MangalaPosition, seat: int | None, *, moment: Moment = Moment.NOW) -> MangalaView:
        """Nothing is hidden: the whole position, from one's own side."""
        return MangalaView(position, seat, Moment.OVER if position.termination else moment)

    def imagine(self, view: MangalaView, random: Random) -> MangalaPosition:
        """The position itself."""
        return view.position

    def describe(self, view: MangalaView, say: Say) -> str:
        """See `picture.describe`."""
        return picture.describe(view, say)

    def diagram(self, view: MangalaView) -> str:
        """See `picture.diagram`."""
        return picture.diagram(view)

    def picture(self, view: MangalaView, marks: Marks, say: Say) -> str:
        """See `picture.picture`."""
        return picture.picture(view, marks, say)

    def miniature(self, view: MangalaView, say: Say) -> str:
        """See `picture.miniature`."""
        return picture.miniature(view, say)

    def place_of(self, view: MangalaView, move: str) -> str | None:
        """The mover's own pit."""
        return pit_place(view.position.mover, int(move))


RULESET: Final = Mangala()
