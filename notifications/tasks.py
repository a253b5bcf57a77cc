"""Celery's part in letters. Every task may run twice, and be lost: the outbox knows what is owed."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Final

from celery import shared_task
from django.utils import timezone

from notifications import bounces, delivery, forgetting

postman: Final = Lock()


@shared_task(name="notifications.deliver")
def deliver(key: str) -> None:
    """Delivers one letter."""
    _alone(lambda: delivery.deliver(key))


@shared_task(name="notifications.sweep")
def sweep() -> None:
    """Delivers what is due."""
    _alone(delivery.deliver_waiting)


@shared_task(name="notifications.forget_old")
def forget_old() -> None:
    """Keeps no address longer than somebody may ask for it."""
    forgetting.forget_old(timezone.now())
    bounces.forget_old(timezone.now())


def _alone(work: Callable[[], object]) -> None:
    """One thread of a process at a time writes letters: a slow mail server must not keep all of them from the deadlines.
    Whoever finds the postman away leaves his letter to the next sweep."""
    if postman.acquire(blocking=False):
        try:
            work()
        finally:
            postman.release()
