"""The high-water mark: until when this service has lived, kept outside its database, in a file and in Redis.

A database that knows of less than its mark was put back from a backup (R26). Both places belong to one database, by the moment
at which it first kept a mark: a backup brings that along, into whatever name and host it is put back.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils import timezone
from redis import RedisError

from games.models import Pulse
from games.services import pulse
from notifications.nudges import redis_at

logger = logging.getLogger(__name__)

EVERY: Final = timedelta(seconds=10)
PATIENCE: Final = 0.1
"""Seconds for an answer of Redis."""
BEGUN: Final = "begun"
"""The name of the pulse that tells databases apart."""

kept: Final[dict[str, datetime]] = {}
"""What this process has kept last, by name."""


def keep(at: datetime) -> None:
    """Moves the mark to a moment that the database knows of, back too: a wrong clock may have been set right. Neither place is
    needed: whatever is wrong there is logged."""
    begun, _made = Pulse.objects.get_or_create(name=BEGUN, defaults={"at": timezone.now()})
    name = _name(settings.HIGH_WATER.name, begun.at)
    if name in kept and abs(at - kept[name]) < EVERY:
        return
    text = at.isoformat()
    try:
        _write(_file(name), text)
    except OSError as problem:
        logger.error("the high-water mark cannot be written: %s", problem)
    with suppress(RedisError, OSError), redis_at(PATIENCE) as redis:
        redis.set(name, text)
    kept[name] = at


def mark() -> datetime | None:
    """The later of both marks; None where there is none."""
    name = name_of(settings.HIGH_WATER.name)
    if name is None:
        return None
    found = [moment for text in (_from_file(name), _from_redis(name)) if (moment := _moment(text)) is not None]
    return max(found, default=None)


def name_of(what: str) -> str | None:
    """What something that is kept outside the database is called, for this database alone; None before it has kept a mark."""
    begun = pulse.last(BEGUN)
    return _name(what, begun) if begun is not None else None


def _name(what: str, begun: datetime) -> str:
    database = blake2b(begun.isoformat().encode(), digest_size=6).hexdigest()
    return f"{what}-{database}"


def _file(name: str) -> Path:
    return Path(settings.HIGH_WATER).with_name(name)


def _write(path: Path, text: str) -> None:
    """Whole or not at all."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="ascii")
    fresh.replace(path)


def _from_file(name: str) -> str:
    try:
        return _file(name).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""


def _from_redis(name: str) -> str:
    try:
        with redis_at(PATIENCE) as redis:
            text = redis.get(name)
    except (RedisError, OSError):
        return ""
    return text.decode("ascii", "replace") if isinstance(text, bytes) else ""


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None
