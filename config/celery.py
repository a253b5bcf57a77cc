"""The Celery app. Celery is the alarm clock: every due time is a row, every task takes ids and may run twice."""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import Any, Final

from celery import Celery
from celery.signals import beat_init, worker_init, worker_process_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

ENGINE: Final = "engine"
"""The queue of what thinks, and the name of its worker's pulse."""
LARGEST: Final = 1 << 30

app = Celery("perepiska")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def _writes_no_unprotected_log(**_: Any) -> None:
    from accounts import append_only

    try:
        append_only.require()
    except append_only.Unprotected as unprotected:
        # Celery logs the errors of receivers and goes on.
        raise SystemExit(str(unprotected)) from unprotected


def _queues() -> set[str]:
    """What this worker takes tasks from."""
    return set(app.amqp.queues.consume_from)


@worker_process_init.connect
def _thinks_within_bounds(**_: Any) -> None:
    """A worker for computers alone may grow so far; a mistake there takes no memory from others. Endgame tables count,
    although they lie in files: one of 20 stones is 225 MB; one that finds no room is done without."""
    if _queues() == {ENGINE}:
        resource.setrlimit(resource.RLIMIT_DATA, (LARGEST, LARGEST))


@worker_ready.connect
def _worker_lives(**_: Any) -> None:
    from games.services import pulse

    if ENGINE in _queues():
        pulse.keep_beating(ENGINE)
        if not any(Path(os.environ.get("NUMBA_CACHE_DIR") or ".").rglob("*.nbc")):
            app.send_task("games.warm_up", expires=60)
    if _queues() - {ENGINE}:
        pulse.keep_beating("worker")


@beat_init.connect
def _beat_lives(**_: Any) -> None:
    from games.services import pulse

    pulse.keep_beating("beat")
