"""How far the seed of each game has drawn, told to Redis, outside the database.

A database that lost its last moments would let the same fall once more, which somebody may have seen: here that is noticed,
however short they were. Where Redis is away or has lost it too, nothing is noticed, and the high-water mark has to do.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from redis import RedisError

from games.services import high_water
from notifications.nudges import PATIENCE, redis_at

NAME: Final = "drawn"


def tell(game: int, commitment: int, draws: int) -> None:
    """The seed that entry `commitment` commits to has drawn so often. Never raises."""
    name = high_water.name_of(NAME)
    if name is not None:
        with suppress(RedisError, OSError), redis_at(PATIENCE) as redis:
            redis.hset(name, str(game), f"{commitment} {draws}")


def forget(game: int) -> None:
    """The seeds of the game are revealed. Never raises."""
    name = high_water.name_of(NAME)
    if name is not None:
        with suppress(RedisError, OSError), redis_at(PATIENCE) as redis:
            redis.hdel(name, str(game))


def is_further(game: int, commitment: int, draws: int) -> bool:
    """Whether more was told than that: a later draw, or one by a later seed."""
    name = high_water.name_of(NAME)
    if name is None:
        return False
    try:
        with redis_at(PATIENCE) as redis:
            told = redis.hget(name, str(game))
    except (RedisError, OSError):
        return False
    return isinstance(told, bytes) and tuple(map(int, told.split())) > (commitment, draws)
