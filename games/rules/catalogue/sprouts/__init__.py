"""Sprouts: the ruleset that the registry finds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from games.rules.catalogue.sprouts import choosing, dialects, notation, picture, play, position, storage, words
from games.rules.catalogue.sprouts.dialects import NAME, NO_MOVE, VERSION
from games.rules.catalogue.sprouts.position import SproutsPosition, SproutsView
from games.rules.entry import Json, Options
from games.rules.phrase import Phrase, Say, phrase
from games.rules.position import LOSS, WIN, Event, Forfeit, Moment, Outcome
from games.rules.ruleset import Beginning, Dialect, Division, Facts, Marks, Option, Ruleset, complete, for_two, no_value

if TYPE_CHECKING:
    from random import Random

SPOTS: Final = range(2, 34)
"""What a form offers; the rules take any number."""


class Sprouts(Ruleset[SproutsPosition, SproutsView]):
    """Sprouts by the rules that `play` cites."""

    facts: ClassVar[Facts] = Facts(
        name=NAME,
        version=VERSION,
        title=phrase("Sprouts"),
        seats=(2, 2),
        seat_titles=words.SEAT_TITLES,
        options=(
            Option(
                name="n",
                title=phrase("How many spots at the start"),
                default=5,
                offered=tuple((n, phrase("%(size)s", size=n)) for n in SPOTS),
            ),
            Option(
                name="misere",
                title=phrase("Who cannot move"),
                default=False,
                offered=((False, phrase("loses")), (True, phrase("wins"))),
            ),
        ),
        drawn=True,
        terminations={NO_MOVE: phrase("no line can be drawn")},
        showcase="no_move",
    )
    dialects: ClassVar[Mapping[str, Dialect]] = {"reference": dialects.ReferenceLines(), "email": dialects.EmailMatches()}

    def start(self, options: Options, seats: int) -> SproutsPosition:
        """Spots alone."""
        chosen = complete(self.facts, options)
        n, misere = chosen["n"], chosen["misere"]
        for name, given, right in (
            ("n", n, type(n) is int and 1 <= n <= storage.LARGEST),
            ("misere", misere, isinstance(misere, bool)),
        ):
            if not right:
                raise no_value(name, given)
        for_two(self.facts, seats)
        return position.start(int(n), misere=bool(misere))

    def to_move(self, position: SproutsPosition) -> int | None:
        """The seat whose line is due."""
        return position.plan.mover if play.has_line(position.plan) else None

    def turn(self, position: SproutsPosition) -> int:
        """A line a turn."""
        return position.plan.moves + self.has_move(position)

    def legal_moves(self, position: SproutsPosition) -> Iterator[str]:
        """Every line, small enclosures first."""
        for line in play.lines(position.plan):
            for text, _ in notation.spellings(position.plan, line):
                yield text

    def has_move(self, position: SproutsPosition) -> bool:
        """Whether a region has two living spots, or one with two lives."""
        return play.has_line(position.plan)

    def canonical(self, position: SproutsPosition, text: str) -> str:
        """The move without its drawing: two texts are the same move whatever way the line goes."""
        move = text.partition(notation.DRAWN)[0]
        return notation.written(position.plan, notation.read(position.plan, move))

    def play(self, position: SproutsPosition, text: str) -> SproutsPosition:
        """See `position.after`."""
        return _after(position, text)

    def stored(self, position: SproutsPosition, move: str) -> str:
        """See `position.stored`."""
        return _stored(position, move)

    def told(self, text: str) -> str:
        """The move without its drawing."""
        return text.partition(notation.DRAWN)[0]

    def time_out(self, position: SproutsPosition) -> Forfeit:
        """The seat to move loses."""
        return Forfeit(position.plan.mover)

    def leave(self, position: SproutsPosition, seat: int) -> Forfeit:
        """Who leaves loses."""
        return Forfeit(seat)

    def outcome(self, position: SproutsPosition) -> Outcome | None:
        """Who cannot move loses, or wins if that was agreed."""
        if play.has_line(position.plan):
            return None
        return Outcome(NO_MOVE, (LOSS, WIN) if words.winner(position.plan) else (WIN, LOSS))

    def events(self, position: SproutsPosition, text: str) -> tuple[Event, ...]:
        """See `words.events`."""
        return words.events(position.plan, notation.read(position.plan, self.told(text)))

    def dump(self, position: SproutsPosition) -> Json:
        """See `storage.dump`."""
        return storage.dump(position)

    def load(self, data: Json) -> SproutsPosition:
        """See `storage.load`."""
        return storage.load(data)

    def view(self, position: SproutsPosition, seat: int | None, *, moment: Moment = Moment.NOW) -> SproutsView:
        """Nothing is hidden."""
        return SproutsView(position, seat, moment if self.has_move(position) else Moment.OVER)

    def imagine(self, view: SproutsView, random: Random) -> SproutsPosition:
        """The position itself."""
        return view.position

    def describe(self, view: SproutsView, say: Say) -> str:
        """See `words.describe`."""
        return words.describe(view, say)

    def diagram(self, view: SproutsView) -> str:
        """See `words.diagram`."""
        return words.diagram(view)

    def picture(self, view: SproutsView, marks: Marks, say: Say) -> str:
        """See `picture.picture`."""
        return picture.picture(view, marks, say)

    def miniature(self, view: SproutsView, say: Say) -> str:
        """See `picture.miniature`."""
        return picture.miniature(view, say)

    def place_of(self, view: SproutsView, move: str) -> str | None:
        """The spot where a line starts; none for a whole move, which its first spot does not tell."""
        return None if "(" in move else move.partition("-")[0].strip()

    def asked(self, view: SproutsView, text: str) -> Phrase | None:
        """See `choosing.asked`."""
        return choosing.asked(text)

    def beginnings(self, view: SproutsView, text: str) -> tuple[Beginning, ...]:
        """See `choosing.beginnings`."""
        return choosing.beginnings(view.position.plan, text)

    def division(self, view: SproutsView, move: str, chosen: Collection[str] = ()) -> Division | None:
        """See `choosing.division`."""
        return choosing.division(view.position.plan, move, chosen)

    def divided(self, view: SproutsView, move: str, chosen: Collection[str]) -> str:
        """See `choosing.divided`."""
        return choosing.divided(view.position.plan, move, chosen)

    def examples(self, view: SproutsView) -> tuple[str, ...]:
        """See `words.examples`."""
        return words.examples(view.position.plan)

    def is_wide(self, view: SproutsView) -> bool:
        """See `picture.is_wide`."""
        return picture.is_wide(view)


_after, _stored = position.after, position.stored

RULESET: Final = Sprouts()
