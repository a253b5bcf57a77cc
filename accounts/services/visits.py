"""Visits: what a player has come and seen ends the silence after a letter."""

from __future__ import annotations

from accounts.models import Player


def note(*, player_id: int) -> None:
    """The player came: with a page while logged in, or with a press under a right. Again: nothing."""
    Player.objects.filter(pk=player_id, told_at__isnull=False).update(told_at=None)
