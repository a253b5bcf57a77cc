"""Nudges: a word to the workers after a commit. The sweep finds what a nudge missed, so a nudge may fail, but not wait."""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from time import monotonic
from typing import Any, Final

import celery.app.amqp  # noqa: F401 - loaded now, not during somebody's first move
import kombu.transport.redis  # noqa: F401
from celery import current_app
from django.conf import settings
from kombu.pools import producers
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger(__name__)

PATIENCE: Final = 0.02
"""Seconds for connecting and for each answer: a broker that is away costs a web request less than 50 ms."""
PAUSE: Final = 1.0
"""Seconds for which a process leaves a broker alone that was away: a burst of nudges must not ask it one by one."""
BREATH: Final = 0.05
"""Seconds between two nudges of a process. A nudge costs more than the move that it is about; in a burst the sweep, which
comes each second, is as good."""


@dataclass(slots=True)
class Broker:
    """What this process knows of the broker: when to try it again, on the monotonic clock."""

    try_at: float = 0.0


broker: Final = Broker()


def nudge(task_name: str, id: int | str) -> None:  # noqa: A002 - a task takes an id
    """Asks a worker to run a task now. Gives up within 50 ms when the broker is away; never raises."""
    if monotonic() >= broker.try_at:
        nudge_all(task_name, [id])


def nudge_all(task_name: str, ids: Collection[int | str], *, lasts: timedelta | None = None) -> None:
    """The same for several things, from a sweep, however soon after another. What `lasts` so long is forgotten then."""
    if not ids:
        return
    broker.try_at = monotonic() + BREATH
    expires = lasts.total_seconds() if lasts is not None else None
    try:
        with _producers(settings.REDIS_URL).acquire(block=True, timeout=PATIENCE) as producer:
            for one in ids:
                told = {"retry": False, "ignore_result": True, "producer": producer, "expires": expires}
                current_app.send_task(task_name, args=[one], **told)
    except Exception as problem:  # noqa: BLE001 - the change that made us speak is committed
        broker.try_at = monotonic() + PAUSE
        logger.warning("the nudge %s %s was lost; the sweep will find what it was about: %s", task_name, [*ids], problem)


@lru_cache(maxsize=4)
def _producers(url: str) -> Any:
    """Kept connections that never wait: Celery's own would try a dead broker again and again for seconds."""
    hurry = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE, "max_retries": 0}
    return producers[current_app.connection_for_write(url=url, transport_options=hurry)]


def broker_answers(patience: float = PATIENCE) -> bool:
    """Whether the broker answers a ping within so many seconds, and as many for connecting."""
    try:
        with redis_at(patience) as redis:
            return bool(redis.ping())
    except (RedisError, OSError):
        return False


def redis_at(patience: float) -> Redis:
    """The broker as a store: connects at the first question and never waits longer. Raises RedisError, OSError then."""
    url = settings.REDIS_URL.replace("redis+socket://", "unix://")
    hurry = {"socket_timeout": patience, "socket_connect_timeout": patience, "retry": Retry(NoBackoff(), 0)}
    # No greeting: each answer to it would be waited for as long as the one to the question.
    return Redis.from_url(url, protocol=2, driver_info=None, **hurry)
