"""How far the seed of each game has drawn, told to Redis, outside the database.

A database that lost its last moments would let the same fall once more, which somebody may have seen: here that is noticed,
however short they were. Where Redis is away or has lost it too, nothing is noticed, and the high-water mark has to do.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from time import monotonic
from typing import Final

from redis import Redis, RedisError

from games.services import high_water
from notifications.nudges import PATIENCE, PAUSE, Broker, redis_at

NAME: Final = "drawn"
KEPT: Final = timedelta(days=366)
"""Longer than anybody thinks about a turn."""

server: Final = Broker()
"""When to ask Redis again that was away: a move waits for it once, not at each step."""


def tell(game: int, commitment: int, draws: int) -> None:
    """The seed that entry `commitment` commits to has drawn so often. Never raises."""
    _ask(game, lambda redis, name: redis.set(name, f"{commitment} {draws}", ex=KEPT))


def tell_revealed(game: int, reveal: int) -> None:
    """Entry `reveal` shows all seeds so far: none of them may draw again, if the database loses that. Never raises."""
    tell(game, reveal, 0)


def is_further(game: int, commitment: int, draws: int) -> bool:
    """Whether more was told than that: a later draw, or one by a later seed."""
    told = _ask(game, lambda redis, name: redis.get(name))
    try:
        return isinstance(told, bytes) and tuple(map(int, told.split())) > (commitment, draws)
    except ValueError:
        return False


def _ask(game: int, question: Callable[[Redis, str], object]) -> object:
    """What Redis answers about a game; None where it does not."""
    database = high_water.name_of(NAME)
    if database is None or monotonic() < server.try_at:
        return None
    try:
        with redis_at(PATIENCE) as redis:
            return question(redis, f"{database}-{game}")
    except (RedisError, OSError):
        server.try_at = monotonic() + PAUSE
        return None
