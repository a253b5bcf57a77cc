"""Standstill: whom games have not yet told that they may not play, or may again; and who plays with whom."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from accounts.models import Player
from games.models import Challenge, Game, Seat


def untold() -> set[int]:
    """The ids of suspended players who still play or wait for games, and of others for whom games are still paused."""
    return _players_on() | _players_waiting()


def _players_on() -> set[int]:
    seats = Seat.objects.filter(Q(player__suspended_at__isnull=False) | Q(game__deadline=None), game__ended_at=None)
    seats = seats.exclude(player=None)
    found = set()
    for player, suspended, number, standing in seats.values_list(
        "player_id", "player__suspended_at", "number", "game__standing"
    ).iterator():
        paused = number in standing.get("paused", ())
        if (not paused and number not in standing.get("left", ())) if suspended else paused:
            found.add(player)
    return found


def _players_waiting() -> set[int]:
    waits = Challenge.objects.open()
    mine, accepted, received = (
        waits.filter(challenger=OuterRef("pk")),
        waits.filter(acceptances__player=OuterRef("pk")),
        waits.filter(Q(opponent=OuterRef("pk")) | Q(rematch_of__seat__player=OuterRef("pk"))).exclude(declined_by=OuterRef("pk")),
    )
    suspended = Player.objects.exclude(suspended_at=None)
    return set(suspended.filter(Exists(mine) | Exists(accepted) | Exists(received)).values_list("pk", flat=True))


def play_together(one: Player, other: Player) -> bool:
    """Whether both have a seat in a game that is not over."""
    return Game.objects.running().filter(seat__player=one).filter(seat__player=other).exists()
