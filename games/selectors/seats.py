"""Seats: who sits at the tables of games, read with as little as pages tell of a player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS
from django.db.models import QuerySet

from accounts.models import Player
from games.models import Seat
from games.selectors.prepared import prepared

_TOLD: Final = ("id", "display_name", "is_active", "leaving_at", "erased_at")
"""In the model's order, which `from_db` expects."""

ASKED: Final = ("game_id", "number", *(f"player__{name}" for name in _TOLD))
"""What a query of seats asks for, for `sitting` to read."""


class Sitting(NamedTuple):
    """A seat of a game and the player in it."""

    game: int
    number: int
    player: Player


def sitting(rows: Iterable[Sequence[Any]]) -> Iterator[Sitting]:
    """The seats of rows that hold what is ASKED; a player of several is one object."""
    met: dict[int, Player] = {}
    for game, number, *told in rows:
        player = met.get(told[0])
        if player is None:
            player = met[told[0]] = Player.from_db(DEFAULT_DB_ALIAS, _TOLD, told)
        yield Sitting(game, number, player)


def sitting_at(game_id: int) -> list[Sitting]:
    """The seats of one game in their order."""
    return list(sitting(_seats(game_id)))


@prepared
def _seats(game: int) -> QuerySet[Seat, Any]:
    return Seat.objects.filter(game=game).order_by("number").values_list(*ASKED)
