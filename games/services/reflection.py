"""Reflection time runs out: the sweep that ends turns nobody answered, and only those.

A game is ended only if it was due at two ticks of one process whose wall clock and monotonic clock agree, while some web
process is alive (players could move). Time is compared with the clock of the database's other writers through the pulse.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from games import timing
from games.models import Game, LogEntry
from games.rules import entry as kinds
from games.services import pulse
from games.services.log import opened

alarm = logging.getLogger("games.alarm")

TOLERANCE: Final = timedelta(seconds=5)
"""Wall and monotonic clock may drift apart so far between two ticks."""
BATCH: Final = 500


@dataclass(slots=True)
class Ticks:
    """What this process remembers of its last tick: wall clock and monotonic seconds."""

    wall: datetime | None = None
    monotonic: float = 0.0
    paused: bool = False
    lock: Lock = field(default_factory=Lock)

    def previous(self, wall: datetime, monotonic: float) -> datetime | None:
        """The wall clock of the last tick, or None at the first one and after a jump (which it alarms). Remembers this one."""
        with self.lock:
            before, passed = self.wall, timedelta(seconds=monotonic - self.monotonic)
            self.wall, self.monotonic = wall, monotonic
        if before is not None and abs((wall - before) - passed) > TOLERANCE:
            alarm.error("the clock jumped by %s: this tick ends nothing", (wall - before) - passed)
            return None
        return before


ticks: Final = Ticks()


def sweep(*, now: datetime, monotonic: float, memory: Ticks = ticks) -> int:
    """One tick: ends what was due at this tick and the last; returns how many games changed."""
    before = memory.previous(now, monotonic)
    if before is None:
        return 0
    due = list(Game.objects.due(min(before, now)).values_list("pk", flat=True)[:BATCH])
    alive = pulse.is_fresh(pulse.last("web"), now)
    if not alive and not memory.paused:
        alarm.error("no web process is alive: nobody's time runs")
    memory.paused = not alive
    pulse.beat("sweep", now)
    return sum(_ended(game, now) for game in due) if alive else 0


def _ended(game: int, now: datetime) -> bool:
    try:
        return run_out(game_id=game, now=now)
    except Exception:  # noqa: BLE001 - one broken game must not keep the others from ending
        alarm.exception("game %s could not be timed out", game)
        return False


def run_out(*, game_id: int, now: datetime) -> bool:
    """What the rules do when the time of the seat to move is over; False if it is not (any more). Raises Gone."""
    with opened(game_id, now) as log:
        deadline = log.game.deadline
        if deadline is None or not timing.is_over(deadline, now):
            return False
        log.append(kinds.TIMEOUT, seat=log.game.to_move, via=LogEntry.Via.DEADLINE)
        return True
