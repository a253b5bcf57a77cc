"""What a search is told of Oware: the rule for the Grand Slam, that stones count, and which boards may come again."""

from __future__ import annotations

from typing import ClassVar, Final

from games.rules.catalogue.oware import RULESET
from games.rules.catalogue.oware.play import FORBIDDEN, NO_CAPTURE, TAKES_ALL, OwarePosition
from games.rules.evaluation import USUAL, Skill, Sowing
from games.rules.phrase import Phrase, phrases
from games.rules.sowing import STORES
from games.rules.sowing.variants import OWARE_FORBIDDEN, OWARE_NO_CAPTURE, OWARE_TAKES_ALL

_VARIANTS: Final = {FORBIDDEN: OWARE_FORBIDDEN, NO_CAPTURE: OWARE_NO_CAPTURE, TAKES_ALL: OWARE_TAKES_ALL}


class OwareEvaluation(Sowing[OwarePosition]):
    """Values are hundredths of a stone."""

    unit: ClassVar[Phrase | None] = phrases("%(amount)s stone", "%(amount)s stones", 0)
    skills: ClassVar[tuple[Skill, ...]] = (*USUAL[:-1], Skill(nodes=10_000))

    def value(self, position: OwarePosition, seat: int) -> int:
        """By how many stones the seat's store is ahead."""
        return 100 * (position.holes[STORES[seat]] - position.holes[STORES[1 - seat]])

    def variant(self, position: OwarePosition) -> int:
        """The rule for the Grand Slam."""
        return _VARIANTS[position.grand_slam]

    def holes(self, position: OwarePosition) -> tuple[int, ...]:
        """As the position has them."""
        return position.holes

    def earlier(self, position: OwarePosition) -> tuple[tuple[int, ...], ...]:
        """The boards since the last capture."""
        return tuple(map(tuple, position.seen[:-1]))


EVALUATION: Final = OwareEvaluation(RULESET)
