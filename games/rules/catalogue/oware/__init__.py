"""Oware: the ruleset that the registry finds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar, Final

from games.rules.catalogue.oware import notation, play
from games.rules.catalogue.oware.play import OwarePosition
from games.rules.entry import Json
from games.rules.phrase import phrase
from games.rules.position import Event, Outcome
from games.rules.ruleset import Facts, Option
from games.rules.sowing import SEAT_TITLES
from games.rules.sowing.reference import ReferenceLines
from games.rules.sowing.ruleset import SowingRuleset, decided


class Oware(SowingRuleset[OwarePosition]):
    """Oware by the rules that `play` cites."""

    facts: ClassVar[Facts] = Facts(
        name=notation.NAME,
        version=notation.VERSION,
        title=phrase("Oware"),
        seats=(2, 2),
        seat_titles=SEAT_TITLES,
        options=(
            Option(
                name="grand_slam",
                title=phrase("A Grand Slam, a move that would capture all stones of the opponent"),
                default=play.NO_CAPTURE,
                offered=(
                    (play.NO_CAPTURE, phrase("is allowed and captures nothing")),
                    (play.FORBIDDEN, phrase("is forbidden")),
                    (play.TAKES_ALL, phrase("takes all stones and ends the game")),
                ),
            ),
        ),
        terminations={
            play.OVER24: phrase("a store holds more than 24 stones"),
            play.CANNOT_FEED: phrase("no move gives the opponent a stone"),
            play.ALL_SLAMS: phrase("every move would be a Grand Slam"),
            play.GRAND_SLAM: phrase("a Grand Slam"),
            play.REPETITION: phrase("the same position for the third time"),
        },
        showcase="over24",
    )

    def beginning(self, choice: str) -> OwarePosition:
        """Four stones in each pit, South to move."""
        return play.start(choice)

    def legal_moves(self, position: OwarePosition) -> Iterator[str]:
        """The own pits that may be sown, from the left."""
        return play.legal_moves(position)

    def play(self, position: OwarePosition, text: str) -> OwarePosition:
        """The position after a ply."""
        return play.sow(position, text).position

    def scores(self, position: OwarePosition) -> tuple[Fraction, ...]:
        """The stones in South's and North's store, exact to the half."""
        return notation.scores(position)

    def proposals(self, position: OwarePosition) -> tuple[str, ...]:
        """A draw, or a division of the stones that are left, may be offered while the game goes on."""
        return () if position.termination else ("draw", "divide")

    def settle(self, position: OwarePosition, proposal: str) -> Outcome:
        """An agreed draw; or each gets half of the stones that are left."""
        if proposal != "divide":
            return super().settle(position, proposal)
        south, north = self.scores(position)
        half = Fraction(sum(position.holes[:6]) + sum(position.holes[7:13]), 2)
        return decided("agreement", (south + half, north + half))

    def events(self, position: OwarePosition, text: str) -> tuple[Event, ...]:
        """Sowing, the capture, and what becomes of the stones that are left at the end."""
        return notation.events(position, text)

    def dump(self, position: OwarePosition) -> Json:
        """See `notation.dump`."""
        return notation.dump(position)

    def load(self, data: Json) -> OwarePosition:
        """See `notation.load`."""
        return notation.load(data)

    def reference_lines(self) -> ReferenceLines:
        """Their `variant` is the option."""
        return ReferenceLines(notation.NAME, notation.VERSION, notation.options_in, notation.options_out)


RULESET: Final = Oware()
