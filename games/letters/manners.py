"""How letters of games go: what their readers call them, and whether they know already."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from games.letters import challenges, daily, proposals, table, warnings
from games.models import Game, Seat
from notifications.sources import Waiting
from notifications.topics import Manner, Topic


def _seen(letter: Waiting) -> bool:
    """Whether a page showed the position of this turn, or a later one of it, to the reader (N15)."""
    about = letter.about
    return Seat.objects.filter(game=about["game"], number=about["seat"], seen__gte=about["position_number"]).exists()


def _deadline(letter: Waiting) -> datetime:
    return datetime.fromisoformat(letter.about["deadline"])


def _end_of_turn(letter: Waiting) -> datetime | None:
    """When the time for the turn is over: there are games whose deadline comes in one night (N17)."""
    return Game.objects.filter(pk=letter.about["game"]).values_list("deadline", flat=True).first()


MANNERS: Final[Mapping[str, Mapping[str, Manner]]] = {
    table.SOURCE: {table.TURN: Manner(Topic.TURNS, seen=_seen, useful_until=_end_of_turn), table.OVER: Manner(Topic.ENDS)},
    warnings.SOURCE: {warnings.WARNING: Manner(Topic.WARNINGS, useful_until=_deadline)},
    proposals.SOURCE: dict.fromkeys(proposals.ProposalLetters.kinds, Manner(Topic.PROPOSALS)),
    challenges.SOURCE: dict.fromkeys(challenges.ChallengeLetters.kinds, Manner(Topic.CHALLENGES)),
    daily.SOURCE: {daily.DAILY: Manner(Topic.DAILY)},
}
"""By source and kind. Rulings are missing: they always go."""
