"""The worker: it writes the log, too, so it starts on no log that is unprotected."""

from __future__ import annotations

import pytest
from celery.signals import worker_init
from django.db import connection

from accounts import append_only

pytestmark = pytest.mark.django_db


def test_S10_a_worker_does_not_start_on_a_log_that_could_be_changed() -> None:
    worker_init.send(sender=None)
    with append_only.lifted(connection), pytest.raises(SystemExit, match="not append-only"):
        worker_init.send(sender=None)
