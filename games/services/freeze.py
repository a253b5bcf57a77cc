"""Freezing: a database that was put back from a backup sends no letter and ends no turn until an operator lets it go on (R26).

1. The sweep keeps a mark of time outside the database. Each tick, and each delivery, compares it with the last sweep that the
   database knows of.
2. Behind by more than some minutes: a row says so, an alarm is logged, letters wait, nobody's time runs out.
   Behind by less, as a power cut leaves it: a row says so, and the service goes on. Games commit to new seeds in either case.
3. `thaw` gives every running turn the time that was lost, an entry in each log, and lets the service go on.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from math import ceil
from time import sleep
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from accounts.services import audit
from games.models import Freeze, Game, LogEntry
from games.rules import entry as kinds
from games.rules.phrase import phrase
from games.services import high_water, pulse
from games.services.errors import NotAllowed, Refused
from games.services.log import opened

alarm = logging.getLogger("games.alarm")

MAY_THAW: Final = "games.thaw"
BEHIND: Final = timedelta(minutes=5)
"""So much the database may know less than the mark: more than a power cut costs."""
APART: Final = pulse.FRESH
"""Less than this says nothing: clocks of two machines may be as far apart."""
SURE: Final = 1.0
"""Seconds after which it is looked at once more: a clock that is set right moves the two one after the other."""


class NotFrozen(Refused):
    """There is nothing to thaw."""

    reason = phrase("The service is not frozen.")
    status = 409


def freeze_if_put_back() -> bool:
    """Freezes the service if its database was put back from a backup. Whether it is frozen, since now or before."""
    return is_frozen() or _freeze()


def is_frozen() -> bool:
    """Whether the service waits for an operator."""
    return Freeze.objects.filter(thawed_at=None).exists()


def remember() -> None:
    """Keeps the mark, of what the database knows. Not while it is frozen."""
    swept = pulse.last("sweep")
    if swept is not None:
        high_water.keep(swept)


def thaw(*, by: Player | None) -> int:
    """Credits every running game with the time since the backup, then lets letters go and time run; how many games. `by` None is
    whoever has the command line. Interrupted, it may be called again: nobody is credited twice.

    Raises NotFrozen, NotAllowed.
    """
    if by is not None and not by.has_perm(MAY_THAW):
        raise NotAllowed
    with transaction.atomic():
        freeze = Freeze.objects.select_for_update(no_key=True, of=("self",)).filter(thawed_at=None).order_by("pk").first()
        if freeze is None:
            raise NotFrozen
        if freeze.credit is None:
            freeze.credit = max(1, ceil((timezone.now() - freeze.known).total_seconds()))
            freeze.save(update_fields=["credit"])
    running = Game.objects.running().filter(deadline__isnull=False).values_list("pk", flat=True)
    credited = sum(_credit(game, freeze, freeze.credit) for game in list(running))
    with transaction.atomic():
        if Freeze.objects.filter(pk=freeze.pk, thawed_at=None).update(thawed_at=timezone.now(), by=by):
            audit.record(actor=by, act="thaw", subject="freeze", subject_id=freeze.pk, detail=f"{freeze.credit} s")
    return credited


def _freeze() -> bool:
    if _behind() is None:
        return False
    sleep(SURE)
    behind = _behind()
    if behind is None:
        return False
    known, mark = behind
    if mark - known <= BEHIND:
        _note_loss(known, mark)
        return False
    Freeze.objects.get_or_create(mark=mark, defaults={"at": timezone.now(), "known": known})
    alarm.error(
        "the database is of %s, the service had lived until %s: it was put back from a backup. "
        "No letter goes out and nobody's time runs out until somebody says `manage.py thaw`",
        known,
        mark,
    )
    return True


def _note_loss(known: datetime, mark: datetime) -> None:
    """The last moments of the database are lost: somebody may have seen there what chance brings next."""
    now = timezone.now()
    Freeze.objects.get_or_create(mark=mark, defaults={"at": now, "known": known, "credit": 0, "thawed_at": now})
    alarm.error("the database is of %s, the service had lived until %s: what was written between is lost", known, mark)


def _behind() -> tuple[datetime, datetime] | None:
    """Until when the database knows and the mark, if that is later and nobody has looked at it yet. A mark that lies in the
    future was left by a clock that was ahead, here or on another machine, and says nothing: it is moved back, or overtaken."""
    # The mark first: another process may move both meanwhile.
    mark, known = high_water.mark(), pulse.last("sweep")
    if known is None or mark is None or mark - known <= APART or mark - timezone.now() > BEHIND:
        return None
    return (known, mark) if not Freeze.objects.filter(mark__gte=mark).exclude(thawed_at=None).exists() else None


def _credit(game: int, freeze: Freeze, seconds: int) -> bool:
    """Whether the game was given time just now. A turn that began since has its own."""
    text = f"{kinds.OUTAGE} {seconds}"
    try:
        with opened(game) as log:
            # Not `since`: time that was given for the turn, or that was left when it was taken back, has moved that.
            began = log.game.entries.get(number=log.standing.turn_number).at
            if log.standing.outcome is not None or log.standing.paused or began >= freeze.at:
                return False
            if log.holds(kinds.CLOCK, seat=None, text=text):
                return False
            log.append(kinds.CLOCK, text=text, via=LogEntry.Via.HOUSE)
            return True
    except Exception:  # noqa: BLE001 - it is logged, and the other games go on
        alarm.exception("game %s could not be given the time that was lost", game)
        return False
