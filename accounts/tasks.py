"""Celery's part in accounts. Both tasks may run twice, and be lost: the rows of players know who asked."""

from __future__ import annotations

from contextlib import suppress

from celery import shared_task

from accounts.hooks import NotYet
from accounts.services import erasure


@shared_task(name=erasure.TASK)
def erase(player_id: int) -> None:
    """Forgets one player who asked for it."""
    with suppress(NotYet):
        erasure.erase(player_id=player_id)


@shared_task(name="accounts.erase_waiting")
def erase_waiting() -> None:
    """Finishes what was interrupted."""
    erasure.erase_waiting()
