"""The analysis of a game that is over: asked for by a button, worked out bit by bit, kept.

A worker takes it in hand for a short time, keeps what it found, and asks for its next turn: moves of computers, which wait in
the same queue, never wait longer than that. What a killed worker left is found by the sweep.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from games import selectors
from games.engines.budget import Budget
from games.engines.choice import analyse
from games.models import Analysis, Game
from games.rules.phrase import phrase
from games.rules.position import CHANCE
from games.rules.ruleset import AnyRuleset
from games.services.engine import tables
from games.services.errors import Gone, Refused
from notifications.nudges import nudge_all

alarm = logging.getLogger("games.alarm")

TASK: Final = "games.analyse"
PATIENCE: Final = timedelta(seconds=30)
"""So long a worker that was asked may take."""
BATCH: Final = 20
LONGEST: Final = 60.0
"""Seconds that the analysis of a game may take, and of one position at most:"""
OF_ONE: Final = 0.5
FURTHEST: Final = 10_000_000
"""So many positions are looked at, unless the time is over before."""
MOST_TRIES: Final = 2
"""After so many workers that found nothing and were killed the next position is given up,"""
MOST_GIVEN_UP: Final = 3
"""and after so many of these all others."""


class StillPlayed(Refused):
    """The game is not over."""

    reason = phrase("A game is analysed when it is over.")
    status = 409


def patience(seconds: float) -> Callable[[], bool]:
    """What tells that so many seconds have passed since now."""
    end = monotonic() + seconds
    return lambda: monotonic() > end


def ask(*, game: int) -> None:
    """Has a game that is over analysed; asked again: nothing new. Raises Gone, StillPlayed."""
    now = timezone.now()
    with transaction.atomic(durable=True):
        row = Game.objects.select_for_update(no_key=True).filter(pk=game).first()
        if row is None:
            raise Gone
        line = selectors.line_of(row)
        if line is None:
            raise StillPlayed
        kept = Analysis.objects.filter(game=row).first()
        if kept is not None and kept.head == row.head:
            return
        fresh = {"head": row.head, "total": len(line.stops), "findings": {}, "asked_at": now, "at": now, "done_at": None}
        fresh |= {"begun_at": None, "tries": 0}
        Analysis.objects.update_or_create(game=row, defaults=fresh)
    nudge_all(TASK, [game])


def ask_again(now: datetime) -> int:
    """Asks the workers for what nobody has in hand; how many. One indexed read if there is none."""
    waiting = Analysis.objects.filter(done_at=None, at__lte=now - PATIENCE).order_by("at")
    found = list(waiting.values_list("pk", flat=True)[:BATCH])
    Analysis.objects.filter(pk__in=found).update(at=now, begun_at=None)
    nudge_all(TASK, found, lasts=PATIENCE)
    return len(found)


def work(*, game: int, now: Callable[[], datetime], left: Callable[[], float]) -> bool:
    """Works on an analysis while some seconds are `left`; whether it is done. Safe to repeat: one worker at a time has it in
    hand, and what is found twice is kept once."""
    row = Analysis.objects.select_related("game").filter(game=game, done_at=None).first()
    if row is None:
        return True
    tries = _begun(row, now())
    if tries is None:
        return False
    try:
        line = selectors.line_of(row.game)
        if line is None or row.head != row.game.head:
            # Its end was taken back: there is nothing to find, nor to ask for again.
            Analysis.objects.filter(pk=row.pk, head=row.head).delete()
            return True
        done = _keep(row, _more(row, line, tries, left), {str(stop.step.number) for stop in line.stops}, now())
    except BaseException:
        Analysis.objects.filter(pk=row.pk).update(begun_at=None)
        raise
    if not done:
        nudge_all(TASK, [game])
    return done


def _more(row: Analysis, line: selectors.Line, tries: int, left: Callable[[], float]) -> dict[str, Any]:
    """What is found in some seconds, and at least of one position.

    To read a long game may take longer than a turn: then one is found in each. So it is after a worker was killed, which tells
    the position that kills.
    """
    seconds = min(OF_ONE, LONGEST / max(1, row.total))
    todo = [stop for stop in line.stops if str(stop.step.number) not in row.findings]
    if tries >= MOST_TRIES:
        given_up = sum(one is False for one in row.findings.values())
        lost = todo if given_up >= MOST_GIVEN_UP else todo[:1]
        alarm.error("%s positions of game %s were given up: what looked at them was killed", len(lost), row.pk)
        return dict.fromkeys((str(stop.step.number) for stop in lost), False)
    found: dict[str, Any] = {}
    for stop in todo:
        if (left() <= 0 or tries) and found:
            break
        found[str(stop.step.number)] = _found(row.pk, line.ruleset, stop.position, left, seconds)
    return found


def _begun(row: Analysis, now: datetime) -> int | None:
    """Notes that a worker has it in hand; how many did since something was found. None while another one has."""
    analyses = Analysis.objects.filter(pk=row.pk, done_at=None)
    free = Q(begun_at=None) | Q(begun_at__lte=now - PATIENCE)
    if not analyses.filter(free).update(at=now, begun_at=now, tries=F("tries") + 1):
        return None
    return (analyses.values_list("tries", flat=True).first() or 1) - 1


def _found(game: int, ruleset: AnyRuleset, position: Any, left: Callable[[], float], seconds: float) -> Any:
    """What there is to find out about a position, as JSON; None for nothing."""
    seat = ruleset.to_move(position)
    if seat is None or seat == CHANCE or ruleset.outcome(position) is not None:
        return None
    end = left() - seconds
    budget = Budget(FURTHEST, lambda: left() < end)
    try:
        return analyse(ruleset, position, budget=budget, tables=tables()).to_json()
    except Exception:  # noqa: BLE001 - it is logged, and the other positions are looked at
        alarm.exception("a position of game %s could not be analysed", game)
        return None


def _keep(row: Analysis, found: dict[str, Any], every: Collection[str], now: datetime) -> bool:
    """Adds what was found; whether that is all. Another worker may have found some of it."""
    with transaction.atomic(durable=True):
        kept = Analysis.objects.select_for_update(no_key=True).filter(pk=row.pk, head=row.head).first()
        if kept is None:
            return True
        # What somebody gave up does not take the place of what another one found.
        kept.findings = {**found, **kept.findings} if False in found.values() else {**kept.findings, **found}
        kept.at, kept.begun_at, kept.tries = now, None, 0
        if kept.findings.keys() >= set(every):
            kept.done_at = kept.done_at or now
        kept.save(update_fields=["findings", "at", "begun_at", "tries", "done_at"])
        return kept.done_at is not None
