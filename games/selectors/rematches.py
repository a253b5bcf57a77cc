"""The rematch of a game that is over: offered by somebody at its table, or begun."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.models import Player
from games.models import Challenge

LIVING = (Challenge.State.OPEN, Challenge.State.STARTED)


@dataclass(frozen=True, slots=True)
class Rematch:
    """The challenge `pk`, by whom; whether the viewer takes part in it; and the game that it became."""

    pk: int
    who: str
    joined: bool
    game: int | None


def rematch_of(game_id: int, viewer: Player) -> Rematch | None:
    """The one rematch of a game, for somebody who sits at it; None while nobody has offered one that still stands."""
    found = Challenge.objects.filter(rematch_of=game_id, state__in=LIVING).select_related("challenger", "game").first()
    if found is None:
        return None
    joined = found.challenger_id == viewer.pk or found.acceptances.filter(player=viewer).exists()
    return Rematch(found.pk, found.challenger.name, joined, found.game.pk if hasattr(found, "game") else None)
