"""The Celery app. Celery is the alarm clock: every due time is a row, every task takes ids and may run twice."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("perepiska")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
