"""Nudges: a word to the workers after a commit. The sweep finds what a nudge missed, so a nudge may fail, but not wait."""

from __future__ import annotations

import logging
from typing import Final

from celery import current_app
from django.conf import settings
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger(__name__)

PATIENCE: Final = 0.02
"""Seconds for connecting and again for answering: together under the 50 ms that a web request may lose."""


def nudge(task_name: str, id: int | str) -> None:  # noqa: A002 - a task takes an id
    """Asks a worker to run a task now. Gives up within 50 ms when the broker is away; never raises."""
    try:
        if broker_answers():
            current_app.send_task(task_name, args=[id], retry=False, ignore_result=True)
    except Exception:
        logger.warning("the nudge %s %s was lost; the sweep will find it", task_name, id, exc_info=True)


def broker_answers(patience: float = PATIENCE) -> bool:
    """Whether the broker answers a ping. Publishing to a dead one would block for seconds, even without retries."""
    url = settings.REDIS_URL.replace("redis+socket://", "unix://")
    try:
        with Redis.from_url(url, socket_connect_timeout=patience, socket_timeout=patience, retry=Retry(NoBackoff(), 0)) as redis:
            return bool(redis.ping())
    except (RedisError, OSError):
        return False
