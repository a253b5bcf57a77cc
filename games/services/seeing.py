"""Seeing: which position a player was shown last, so that no letter tells what its reader has seen (N15)."""

from __future__ import annotations

from django.db.models import Q

from games.models import Seat


def note(*, game: int, seat: int, position_number: int) -> None:
    """A page showed this position to the player of the seat, who is to move. Written once for a position."""
    earlier = Seat.objects.filter(Q(seen__lt=position_number), game=game, number=seat)
    # A page is looked at much more often than a position changes: SQLite takes its one lock for an update of nothing, too.
    if earlier.exists():
        earlier.update(seen=position_number)
