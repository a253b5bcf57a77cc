"""Celery's part in letters. Both tasks may run twice, and be lost: the outbox knows what is owed."""

from __future__ import annotations

from celery import shared_task

from notifications import delivery


@shared_task(name="notifications.deliver")
def deliver(key: str) -> None:
    """Delivers one letter."""
    delivery.deliver(key)


@shared_task(name="notifications.sweep")
def sweep() -> None:
    """Delivers what is due."""
    delivery.deliver_waiting()
