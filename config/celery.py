"""The Celery app. Celery is the alarm clock: every due time is a row, every task takes ids and may run twice."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

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


@worker_ready.connect
def _worker_lives(**_: Any) -> None:
    from games.services import pulse

    pulse.keep_beating("worker")


@beat_init.connect
def _beat_lives(**_: Any) -> None:
    from games.services import pulse

    pulse.keep_beating("beat")
