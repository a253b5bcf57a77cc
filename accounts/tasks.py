"""Celery's part in accounts. Every task may run twice, and be lost: the rows of players know what is to be done."""

from __future__ import annotations

from contextlib import suppress

from celery import shared_task
from django.utils import timezone

from accounts.hooks import NotYet
from accounts.services import erasure, suspension, unconfirmed


@shared_task(name=erasure.TASK)
def erase(player_id: int) -> None:
    """Forgets one player who asked for it."""
    with suppress(NotYet):
        erasure.erase(player_id=player_id)


@shared_task(name="accounts.erase_waiting")
def erase_waiting() -> None:
    """Finishes what was interrupted."""
    erasure.erase_waiting()


@shared_task(name="accounts.finish_suspensions")
def finish_suspensions() -> None:
    """Lets what a suspension or restoration brings be done where it was interrupted."""
    suspension.finish_interrupted()


@shared_task(name="accounts.forget_unconfirmed")
def forget_unconfirmed() -> None:
    """Frees names and addresses that nobody confirmed."""
    unconfirmed.forget_unconfirmed(timezone.now())
