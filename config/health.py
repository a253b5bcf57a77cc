"""/healthz: which parts answer, and how late the sweep is."""

from __future__ import annotations

from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.services import pulse
from notifications.nudges import broker_answers


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when database, broker, worker and beat answer, else 503; `sweep_late` is in seconds, null if it never ran."""
    now = timezone.now()
    broker = broker_answers(patience=0.5)
    try:
        beats = {name: pulse.last(name) for name in ("worker", "beat", "sweep")}
        database = True
    except DatabaseError:
        beats, database = dict.fromkeys(("worker", "beat", "sweep")), False
    parts = {"database": database, "broker": broker}
    parts |= {name: pulse.is_fresh(beats[name], now) for name in ("worker", "beat")}
    sweep = beats["sweep"]
    late = round((now - sweep).total_seconds(), 1) if sweep else None
    return JsonResponse({**parts, "sweep_late": late}, status=200 if all(parts.values()) else 503)
