"""What every ruleset of a sowing game has in common: two seats who lose by leaving, scores by stones, one board."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from games.rules.entry import Options, Record
from games.rules.phrase import Say
from games.rules.position import DRAW, LOSS, WIN, Event, Forfeit, Moment, Outcome
from games.rules.ruleset import Dialect, Marks, Ruleset, complete, for_two, no_value
from games.rules.sowing import STORES, picture, pit_place, read_pit, transcript, words
from games.rules.sowing.reference import ReferenceLines
from games.rules.sowing.view import SowingPosition, SowingView

if TYPE_CHECKING:
    from random import Random

P = TypeVar("P", bound=SowingPosition)


class SowingRuleset(Ruleset[P, SowingView[P]]):
    """A ruleset with one option, whose values are texts. The kinds of sowing, capture and end are its own."""

    @abstractmethod
    def beginning(self, choice: str) -> P:
        """The first position, where the option has this value."""

    def start(self, options: Options, seats: int) -> P:
        """Four stones in each pit."""
        [option] = self.facts.options
        choice = complete(self.facts, options)[option.name]
        if not isinstance(choice, str) or choice not in [value for value, _ in option.offered]:
            raise no_value(option.name, choice)
        for_two(self.facts, seats)
        return self.beginning(choice)

    def to_move(self, position: P) -> int | None:
        """The seat whose ply is due."""
        return None if position.termination else position.mover

    def turn(self, position: P) -> int:
        """Extra moves belong to the same turn."""
        return position.turn

    def canonical(self, position: P, text: str) -> str:
        """The number of the pit."""
        self.play(position, text)
        return read_pit(text)

    def time_out(self, position: P) -> Forfeit:
        """The seat to move loses."""
        return Forfeit(position.mover)

    def leave(self, position: P, seat: int) -> Forfeit:
        """Who leaves loses."""
        return Forfeit(seat)

    def outcome(self, position: P) -> Outcome | None:
        """More stones win, as many on both sides are a draw."""
        return decided(position.termination, self.scores(position)) if position.termination else None

    def scores(self, position: P) -> tuple[Fraction, ...]:
        """The stones in South's and North's store."""
        return tuple(Fraction(position.holes[store]) for store in STORES)

    def proposals(self, position: P) -> tuple[str, ...]:
        """A draw may be offered while the game goes on."""
        return () if position.termination else ("draw",)

    def settle(self, position: P, proposal: str) -> Outcome:
        """An agreed draw."""
        if proposal != "draw":
            return super().settle(position, proposal)
        return Outcome("agreement", (DRAW, DRAW), self.scores(position))

    @property
    def dialects(self) -> Mapping[str, Dialect]:
        """The lines of the reference games, and what mancala players write."""
        return {"reference": self.reference_lines(), "mancala": transcript.Transcripts(self)}

    def reference_lines(self) -> ReferenceLines:
        """The dialect of the reference games."""
        return ReferenceLines(self.facts.name, self.facts.version)

    def respelled(self, record: Record) -> Record:
        """Reads what mancala players write: see `transcript`."""
        return transcript.read_plies(self, record) if transcript.is_transcribed(record) else record

    def view(self, position: P, seat: int | None, *, moment: Moment = Moment.NOW) -> SowingView[P]:
        """Nothing is hidden: the whole position, from one's own side."""
        half = self.scores(position)[0].denominator > 1
        return SowingView(position, seat, Moment.OVER if position.termination else moment, half)

    def imagine(self, view: SowingView[P], random: Random) -> P:
        """The position itself."""
        return view.position

    def describe(self, view: SowingView[P], say: Say) -> str:
        """See `words.describe`."""
        return words.describe(view, say)

    def diagram(self, view: SowingView[P]) -> str:
        """See `words.diagram`."""
        return words.diagram(view)

    def picture(self, view: SowingView[P], marks: Marks, say: Say) -> str:
        """See `picture.picture`."""
        return picture.picture(self.facts, view, marks, say)

    def miniature(self, view: SowingView[P], say: Say) -> str:
        """See `picture.miniature`."""
        return picture.miniature(self.facts, view, say)

    def marks(self, events: Sequence[Event]) -> Marks:
        """The way of the last sowing, and what was captured."""
        path = next((event.places for event in reversed(events) if event.kind == "sown"), ())
        return replace(super().marks(events), last=path)

    def place_of(self, view: SowingView[P], move: str) -> str | None:
        """The mover's own pit."""
        return pit_place(view.position.mover, int(move))


def decided(termination: str, scores: tuple[Fraction, ...]) -> Outcome:
    """The outcome by the stones of South and North."""
    south, north = scores
    if south == north:
        return Outcome(termination, (DRAW, DRAW), scores)
    return Outcome(termination, (WIN, LOSS) if south > north else (LOSS, WIN), scores)
