"""The daily check: whoever is to move has been told so, or wished not to be; anything else is an alarm (N19)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import F

from games.letters import rulings, table
from games.models import Finding, Game, LogEntry
from notifications import outbox

alarm = logging.getLogger("games.alarm")

UNTOLD: Final = "untold"
GRACE: Final = timedelta(hours=1)
"""A letter may be so late before somebody should know."""
TELL_A_TURN: Final = (rulings.TAKEN_BACK, rulings.RESUMED, rulings.EXTENDED, rulings.OUTAGE)
"""Letters about rulings that say whose turn it is."""
CHUNK: Final = 500


class Mover(NamedTuple):
    """Who is to move in a game, since which entry, the last entry, and until when."""

    game: int
    player: int
    turn_number: int
    head: int
    deadline: datetime


def check(now: datetime) -> int:
    """How many players are to move and were not told; alarms if there are any."""
    found = [mover.game for chunk in _chunks() for mover in _untold(chunk, now - GRACE)]
    Finding.objects.update_or_create(name=UNTOLD, defaults={"at": now, "count": len(found)})
    if found:
        alarm.error("%s players are to move and were not told, in games %s", len(found), found[:20])
    return len(found)


def last_count(name: str = UNTOLD) -> int | None:
    """What the last check of this name counted; None before the first one."""
    return Finding.objects.filter(name=name).values_list("count", flat=True).first()


def _chunks() -> Iterator[list[Mover]]:
    moving = Game.objects.running().filter(deadline__isnull=False, seat__number=F("to_move"), seat__player__isnull=False)
    rows = moving.order_by("pk").values_list("pk", "seat__player", "turn_number", "head", "deadline")
    last = 0
    while chunk := list(map(Mover._make, rows.filter(pk__gt=last)[:CHUNK])):
        yield chunk
        last = chunk[-1].game


def _untold(movers: list[Mover], late: datetime) -> list[Mover]:
    letters = {table.key_of(table.TURN, one.game, one.turn_number, one.player): one for one in movers}
    missing = [letters[key] for key in outbox.untold(letters, late)]
    return sorted(one for one in missing if not _is_new(one, late) and not _was_told_otherwise(one, late))


def _is_new(mover: Mover, late: datetime) -> bool:
    return LogEntry.objects.filter(game=mover.game, number=mover.turn_number, at__gte=late).exists()


def _was_told_otherwise(mover: Mover, late: datetime) -> bool:
    """By a letter about a ruling, or by the warning, which takes the place of a letter that is late."""
    numbers = range(mover.turn_number, mover.head + 1)
    keys = [table.key_of(kind, mover.game, number, mover.player) for number in numbers for kind in TELL_A_TURN]
    keys.append(table.warning_key(mover.game, mover.deadline, mover.player))
    return len(outbox.untold(keys, late)) < len(keys)
