"""Celery's part in games: ticks. Every task is safe to repeat and to lose."""

from __future__ import annotations

from time import monotonic

from celery import shared_task
from django.utils import timezone

from games.services import expiry, reflection, rights


@shared_task(name="games.sweep")
def sweep() -> None:
    """Ends the turns whose time is over."""
    reflection.sweep(now=timezone.now(), monotonic=monotonic())


@shared_task(name="games.expire")
def expire() -> None:
    """Ends the challenges that nobody answered in time; forgets whom old ones had invited, and old rights."""
    now = timezone.now()
    expiry.expire(now)
    expiry.forget_addresses(now)
    rights.forget_old(now)
