"""The Celery app. Celery is the alarm clock: every due time is a row, every task takes ids and may run twice."""

from __future__ import annotations

import os
from threading import Thread
from time import sleep
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("perepiska")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def _worker_lives(**_: Any) -> None:
    Thread(target=_beat, args=("worker",), name="pulse", daemon=True).start()


@beat_init.connect
def _beat_lives(**_: Any) -> None:
    Thread(target=_beat, args=("beat",), name="pulse", daemon=True).start()


def _beat(name: str) -> None:
    from django.db import connection

    from games.services import pulse

    while True:
        pulse.beat(name)
        connection.close()
        sleep(pulse.INTERVAL.total_seconds())
