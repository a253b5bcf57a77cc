"""Seats: who sits at the tables of games, read with as little as pages tell of a player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS
from django.db.models import QuerySet

from accounts.models import Player
from games.models import Seat
from notifications.bounces import is_bouncing
from notifications.preferences import wants_none
from notifications.prepared import prepared
from notifications.topics import Topic

_TOLD: Final = ("id", "display_name", "is_active", "leaving_at", "erased_at")
"""In the model's order, which `from_db` expects."""

ASKED: Final = ("game_id", "number", "engine", *(f"player__{name}" for name in _TOLD))
"""What a query of seats asks for, for `sitting` to read."""


class Sitting(NamedTuple):
    """A seat of a game and the player in it, or the level of its computer, or neither for a guest.

    Where it was asked: letters to the player do not arrive (`bounces`), the player wants none about turns (`unwritten`), and the
    number of the last position that they were shown (`seen`).
    """

    game: int
    number: int
    engine: int | None
    player: Player | None
    bounces: bool = False
    unwritten: bool = False
    seen: int = 0

    def is_of(self, player: Player | None) -> bool:
        """Whether it is the player's."""
        return player is not None and self.player is not None and self.player.pk == player.pk


def sitting(rows: Iterable[Sequence[Any]]) -> Iterator[Sitting]:
    """The seats of rows that hold what is ASKED, and perhaps the rest of a `Sitting`; a player of several is one object."""
    met: dict[int, Player] = {}
    for game, number, engine, *told in rows:
        pk, player = told[0], met.get(told[0])
        if player is None and pk is not None:
            player = met[pk] = Player.from_db(DEFAULT_DB_ALIAS, _TOLD, told[: len(_TOLD)])
        yield Sitting(game, number, engine, player, *told[len(_TOLD) :])


def sitting_at(game_id: int) -> list[Sitting]:
    """The seats of one game in their order, with everything that may be asked of them."""
    return list(sitting(_seats(game_id)))


@prepared
def _seats(game: int) -> QuerySet[Seat, Any]:
    reach = {"bounces": is_bouncing("player__email"), "unwritten": wants_none("player", Topic.TURNS)}
    return Seat.objects.filter(game=game).order_by("number").annotate(**reach).values_list(*ASKED, *reach, "seen")
