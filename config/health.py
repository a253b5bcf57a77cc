"""/healthz: which parts answer, and how late the sweep is."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import Error
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.services import chance, freeze, notices, pulse
from notifications.nudges import broker_answers

PULSES: Final = ("worker", "engine", "beat", "sweep")


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when database, broker, worker, the worker of computers (`engine`) and beat answer and the sweep is not late, else 503.

    `sweep_late` is how many seconds ago the last sweep was, null if none is known; `frozen` says that the database was put back
    from a backup and an operator is waited for, `untold` how many players the last daily check found to move and not told,
    `seedless` how many games it found without the seed that they committed to.
    """
    now = timezone.now()
    pulses = _pulses()
    fresh = {name: pulse.is_fresh(pulses.get(name), now) for name in PULSES}
    answering = {
        "database": pulses != {},
        "broker": broker_answers(patience=0.5),
        "worker": fresh["worker"],
        "engine": fresh["engine"],
        "beat": fresh["beat"],
    }
    sweep = pulses.get("sweep")
    late = round((now - sweep).total_seconds(), 1) if sweep else None
    well = all(answering.values()) and fresh["sweep"]
    alarms = _alarms() if answering["database"] else dict.fromkeys(("frozen", "untold", "seedless"))
    return JsonResponse({**answering, "sweep_late": late, **alarms}, status=200 if well and not alarms["frozen"] else 503)


def _pulses() -> dict[str, datetime | None]:
    """The last sign of life of each; empty when the database does not answer."""
    try:
        return {name: pulse.last(name) for name in PULSES}
    except Error:
        return {}


def _alarms() -> dict[str, bool | int | None]:
    return {"frozen": freeze.is_frozen(), "untold": notices.last_count(), "seedless": notices.last_count(chance.SEEDLESS)}
