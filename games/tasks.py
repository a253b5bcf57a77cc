"""Celery's part in games: ticks. Every task is safe to repeat and to lose."""

from __future__ import annotations

from time import monotonic

from celery import shared_task
from django.utils import timezone

from games.services import chance, daily, expiry, freeze, notices, reflection, rights


@shared_task(name="games.sweep")
def sweep() -> None:
    """Ends the turns whose time is over, unless the database was put back from a backup."""
    if not freeze.freeze_if_put_back():
        reflection.sweep(now=timezone.now(), monotonic=monotonic())
        freeze.remember()


@shared_task(name="games.daily")
def post_daily() -> None:
    """Owes the daily letters whose hour has come."""
    daily.post_due(timezone.now())


@shared_task(name="games.notices")
def check_notices() -> None:
    """Counts who is to move and was not told, and games that have lost a seed."""
    notices.check(timezone.now())
    chance.check(timezone.now())


@shared_task(name="games.expire")
def expire() -> None:
    """Ends the challenges that nobody answered in time, after a reminder; forgets whom old ones had invited, and old rights."""
    now = timezone.now()
    expiry.expire(now)
    expiry.remind(now)
    expiry.forget_addresses(now)
    rights.forget_old(now)
