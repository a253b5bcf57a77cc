"""Reflection time runs out: the sweep that ends turns nobody answered, and only those; and warns before.

A game is ended only if it was due at two ticks of one process whose wall clock and monotonic clock agree, while some web
process is alive (players could move). The pulse also tells when this machine's clock is not that of the others.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from games.models import Game, LogEntry
from games.rules import entry as kinds
from games.rules.standing import is_abandoned
from games.services import pulse, warning
from games.services.log import opened

alarm = logging.getLogger("games.alarm")

TOLERANCE: Final = timedelta(seconds=5)
"""Wall and monotonic clock may drift apart so far between two ticks."""
SETTLING: Final = timedelta(minutes=1)
"""How long the clocks must have agreed after a jump: a clock that is set right within that time has cost nobody a game."""
BATCH: Final = 500
"""Games ended in one tick; the others wait for the next, those due longest first."""
RETRY: Final = 60.0
"""Seconds for which a game that could not be timed out is left alone: it must not keep the others waiting."""


@dataclass(slots=True)
class Ticks:
    """What this process remembers of its last tick: wall clock, monotonic seconds, and since when it trusts them; and the
    games that are broken, each with the monotonic second when it is to be tried again."""

    wall: datetime | None = None
    monotonic: float = 0.0
    trusted_from: float = 0.0
    paused: bool = False
    broken: dict[int, float] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def previous(self, wall: datetime, monotonic: float) -> datetime | None:
        """The wall clock of the last tick; None at the first one, after a jump (which it alarms), and until it has settled."""
        with self.lock:
            before, passed = self.wall, timedelta(seconds=monotonic - self.monotonic)
            self.wall, self.monotonic = wall, monotonic
            if before is not None and abs((wall - before) - passed) > TOLERANCE:
                self.trusted_from = monotonic + SETTLING.total_seconds()
                alarm.error("the clock jumped by %s: nobody's time runs out for %s", (wall - before) - passed, SETTLING)
        return before if monotonic >= self.trusted_from else None

    def heard(self, *, web: bool) -> None:
        """Remembers whether a web process lives, and says it when that changes."""
        with self.lock:
            if not web and not self.paused:
                alarm.error("no web process is alive: nobody is timed out")
            elif web and self.paused:
                alarm.warning("a web process is alive again: turns whose time is over end")
            self.paused = not web


ticks: Final = Ticks()


def sweep(*, now: datetime, monotonic: float, memory: Ticks = ticks) -> int:
    """One tick: ends what was due at this tick and the last; returns how many games changed. Warns under the same conditions."""
    before = memory.previous(now, monotonic)
    if before is None:
        return 0
    tried = [game for game, again in memory.broken.items() if monotonic < again]
    due = list(Game.objects.due(min(before, now)).exclude(pk__in=tried).values_list("pk", flat=True)[:BATCH])
    alive = pulse.is_fresh(pulse.last("web"), now)
    memory.heard(web=alive)
    if not alive:
        return 0
    pulse.beat("sweep", now)
    changed = sum(_ended(game, now, monotonic, memory) for game in due)
    warning.warn(since=before, now=min(before, now))
    return changed


def _ended(game: int, now: datetime, monotonic: float, memory: Ticks) -> bool:
    memory.broken.pop(game, None)
    try:
        return run_out(game_id=game, now=now)
    except Exception:  # noqa: BLE001 - it is logged, and the other games go on
        alarm.exception("game %s could not be timed out", game)
        memory.broken[game] = monotonic + RETRY
        return False


def run_out(*, game_id: int, now: datetime) -> bool:
    """What the rules do when the time of the seat to move is over; False if it is not (any more). A table at which nobody plays
    any more is annulled. Raises Gone."""
    with opened(game_id, now) as log:
        if not log.time_is_over:
            return False
        log.append(kinds.TIMEOUT, seat=log.to_move, via=LogEntry.Via.DEADLINE)
        if log.standing.outcome is None and is_abandoned(log.ruleset, log.standing):
            # Turns would pass, and letters go out, for ever.
            log.append(kinds.ADJUDICATE, text=kinds.ANNUL_ABANDONED, via=LogEntry.Via.HOUSE)
        return True
