"""Turkish Mangala: the ruleset that the registry finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from games.rules.catalogue.mangala import notation, play
from games.rules.catalogue.mangala.play import FIRST25, OVER24, PLAYOUT, SIDE_EMPTY, MangalaPosition
from games.rules.entry import Json
from games.rules.phrase import phrase
from games.rules.position import Event
from games.rules.ruleset import Facts, Option
from games.rules.sowing import SEAT_TITLES
from games.rules.sowing.ruleset import SowingRuleset


class Mangala(SowingRuleset[MangalaPosition]):
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
        showcase="over24",
    )

    def beginning(self, choice: str) -> MangalaPosition:
        """Four stones in each pit, South to move."""
        return play.start(choice)

    def legal_moves(self, position: MangalaPosition) -> Iterator[str]:
        """The own pits that hold stones, from the left."""
        return play.legal_moves(position)

    def play(self, position: MangalaPosition, text: str) -> MangalaPosition:
        """The position after a ply."""
        return play.sow(position, text)[0]

    def events(self, position: MangalaPosition, text: str) -> tuple[Event, ...]:
        """Sowing, captures, the sweep, an extra move or the end."""
        return notation.events(position, text)

    def dump(self, position: MangalaPosition) -> Json:
        """See `notation.dump`."""
        return notation.dump(position)

    def load(self, data: Json) -> MangalaPosition:
        """See `notation.load`."""
        return notation.load(data)


RULESET: Final = Mangala()
