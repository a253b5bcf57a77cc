"""Rainbow: the ruleset that the registry finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final

from games.rules.catalogue.rainbow import notation, picture, play, prose, storage, view, words
from games.rules.catalogue.rainbow.play import RainbowPosition
from games.rules.catalogue.rainbow.reference import ReferenceLines
from games.rules.catalogue.rainbow.view import RainbowView
from games.rules.catalogue.rainbow.words import EVERYTHING, Ear
from games.rules.entry import Json, Options
from games.rules.phrase import Phrase, Say, phrase
from games.rules.position import CHANCE, DRAW, LOSS, WIN, BadOptions, Event, Moment, Outcome
from games.rules.ruleset import Dialect, Facts, Marks, Ruleset, complete

if TYPE_CHECKING:
    from random import Random


class Rainbow(Ruleset[RainbowPosition, RainbowView]):
    """Rainbow by the rules that `play` cites."""

    facts: ClassVar[Facts] = Facts(
        name=notation.NAME,
        version=notation.VERSION,
        title=phrase("Rainbow"),
        seats=(play.FEWEST, play.MOST),
        hidden=True,
        chance=True,
        terminations={notation.COMPLETE: phrase("a rainbow is complete")},
        showcase="complete_five",
    )
    dialects: ClassVar[Mapping[str, Dialect]] = {"reference": ReferenceLines()}

    def start(self, options: Options, seats: int) -> RainbowPosition:
        """All drops in the rain; the deal and the lot come first."""
        complete(self.facts, options)
        if not play.FEWEST <= seats <= play.MOST:
            raise BadOptions(phrase("Rainbow is played by two to twenty."))
        return play.start(seats)

    def to_move(self, position: RainbowPosition) -> int | None:
        """Chance in the deal, in the lot and in a draw; who got an offer; or the mover."""
        if position.winner is not None:
            return None
        if position.mover is None or position.drawing:
            return CHANCE
        return position.receiver if position.offer else position.mover

    def turn(self, position: RainbowPosition) -> int:
        """An offer that is asked for ends a turn, and so does its answer."""
        return position.turn

    def legal_moves(self, position: RainbowPosition) -> Iterator[str]:
        """See `notation.moves`."""
        return iter(()) if self.to_move(position) in (None, CHANCE) else notation.moves(position)

    def canonical(self, position: RainbowPosition, text: str) -> str:
        """The verb, with the letter of a colour where one is needed."""
        return notation.read(position, text)

    def play(self, position: RainbowPosition, text: str) -> RainbowPosition:
        """The position after a move or after what chance brought."""
        move = notation.read(position, text)
        return notation.after_outcome(position, move) if notation.outcomes(position) else notation.after(position, move)

    def chance(self, position: RainbowPosition) -> Sequence[tuple[str, int]]:
        """A drop of the rain, each as likely as any other; or who begins."""
        return notation.outcomes(position)

    def time_out(self, position: RainbowPosition) -> RainbowPosition:
        """A turn passes, an answer refuses; nobody loses by it."""
        return play.late(position)

    def leave(self, position: RainbowPosition, seat: int) -> RainbowPosition:
        """The seat is skipped, and its hand goes to the rain."""
        return play.without_seat(position, seat)

    def removable(self, position: RainbowPosition) -> tuple[int, ...]:
        """Who let three turns running pass."""
        if position.winner is not None:
            return ()
        return tuple(seat for seat in position.living if position.silent[seat] >= play.SILENT)

    def outcome(self, position: RainbowPosition) -> Outcome | None:
        """A whole rainbow wins, and so does the last one left; scores are the lengths of the rainbows."""
        winner = position.winner
        if winner is None:
            return None
        termination = notation.COMPLETE if position.rainbows[winner] == len(play.COLOURS) else "resignation"
        points = tuple(WIN if seat == winner else LOSS for seat in range(len(position.hands)))
        return Outcome(termination, points, self.scores(position))

    def scores(self, position: RainbowPosition) -> tuple[Fraction, ...]:
        """The lengths of the rainbows."""
        return tuple(map(Fraction, position.rainbows))

    def proposals(self, position: RainbowPosition) -> tuple[str, ...]:
        """All may agree to stop."""
        return () if position.winner is not None else ("stop",)

    def settle(self, position: RainbowPosition, proposal: str) -> Outcome:
        """Half a point for each who is still there."""
        if proposal != "stop":
            return super().settle(position, proposal)
        points = tuple(DRAW if seat in position.living else LOSS for seat in range(len(position.hands)))
        return Outcome("agreement", points, self.scores(position))

    def events(self, position: RainbowPosition, text: str) -> tuple[Event, ...]:
        """All of it, for whoever may know everything."""
        return words.told(position, self.canonical(position, text), EVERYTHING)

    def seen(self, position: RainbowPosition, text: str, seat: int | None) -> tuple[Event, ...]:
        """What one seat is told of it."""
        return words.told(position, self.canonical(position, text), Ear(seat))

    def shown(self, position: RainbowPosition, text: str, seat: int | None) -> str:
        """`offer` and `pour` without the colour for whom it is hidden from."""
        return words.written(position, self.canonical(position, text), Ear(seat))

    def lapsed(self, position: RainbowPosition, seat: int | None) -> tuple[Event, ...]:
        """Passed, or refused."""
        return words.late(position, Ear(seat))

    def dump(self, position: RainbowPosition) -> Json:
        """See `storage.dump`."""
        return storage.dump(position)

    def load(self, data: Json) -> RainbowPosition:
        """See `storage.load`."""
        return storage.load(data)

    def view(self, position: RainbowPosition, seat: int | None, *, moment: Moment = Moment.NOW) -> RainbowView:
        """See `view.seen`."""
        return view.seen(position, seat, moment)

    def imagine(self, view: RainbowView, random: Random) -> RainbowPosition:
        """See `view.imagined`."""
        return _imagined(view, random)

    def describe(self, view: RainbowView, say: Say) -> str:
        """See `prose.describe`."""
        return prose.describe(view, say)

    def diagram(self, view: RainbowView) -> str:
        """See `prose.diagram`."""
        return prose.diagram(view)

    def picture(self, view: RainbowView, marks: Marks, say: Say) -> str:
        """See `picture.picture`."""
        return picture.picture(view, marks, say)

    def miniature(self, view: RainbowView, say: Say) -> str:
        """See `picture.miniature`."""
        return picture.miniature(view, say)

    def place_of(self, view: RainbowView, move: str) -> str | None:
        """The own drop that is sent or offered, or the drop that is offered to oneself; others see no drops to press."""
        if view.seat is None or view.decider != view.seat or view.moment is not Moment.NOW:
            return None
        verb, _, colour = move.partition(" ")
        if verb == notation.SEND:
            return picture.drop_place(play.COLOURS[view.rainbows[view.seat]])
        if verb == notation.OFFER:
            return picture.drop_place(colour)
        return picture.OFFERED if verb == notation.ACCEPT else None

    def meaning(self, move: str) -> Phrase | None:
        """See `words.meaning`."""
        return words.meaning(move)


_imagined = view.imagined
RULESET: Final = Rainbow()
