"""What a search is told of Mangala: which of the sowing games it is, and that stones count."""

from __future__ import annotations

from typing import ClassVar, Final

from games.rules.catalogue.mangala import RULESET
from games.rules.catalogue.mangala.play import MangalaPosition
from games.rules.evaluation import USUAL, Skill, Sowing
from games.rules.phrase import Phrase, phrases
from games.rules.sowing import STORES
from games.rules.sowing.variants import MANGALA_FIRST25, MANGALA_PLAYOUT


class MangalaEvaluation(Sowing[MangalaPosition]):
    """Values are hundredths of a stone."""

    unit: ClassVar[Phrase | None] = phrases("%(amount)s stone", "%(amount)s stones", 0)
    skills: ClassVar[tuple[Skill, ...]] = (
        *USUAL[:3],
        # Who looks an even number of plies ahead plays no better here than with one less.
        Skill(nodes=2_000, depth=5, blur=80, slips=80, insight=600),
        Skill(nodes=4_000, depth=7, blur=10, slips=10, insight=800),
        Skill(nodes=10_000),
    )

    def value(self, position: MangalaPosition, seat: int) -> int:
        """By how many stones the seat's store is ahead."""
        return 100 * (position.holes[STORES[seat]] - position.holes[STORES[1 - seat]])

    def variant(self, position: MangalaPosition) -> int:
        """The end that was chosen."""
        return MANGALA_PLAYOUT if position.playout else MANGALA_FIRST25

    def holes(self, position: MangalaPosition) -> tuple[int, ...]:
        """As the position has them."""
        return position.holes


EVALUATION: Final = MangalaEvaluation(RULESET)
