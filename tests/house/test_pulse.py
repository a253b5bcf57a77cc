"""The pulse of a process: written, renewed, forgiven, and taken up again after a fork."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from games.services import pulse

BASE = Path(__file__).resolve().parents[2]


@pytest.mark.django_db
def test_a_process_has_one_pulse_and_the_last_beat_counts() -> None:
    earlier = timezone.now() - timedelta(minutes=1)
    assert pulse.last("web") is None
    pulse.beat("web", earlier)
    assert pulse.last("web") == earlier
    pulse.beat("web")
    assert pulse.is_fresh(pulse.last("web"), timezone.now())
    assert pulse.last("worker") is None


@pytest.mark.django_db
def test_a_database_that_is_away_ends_no_process(caplog: pytest.LogCaptureFixture) -> None:
    def away(*_: object) -> None:
        raise OperationalError("away")

    with connection.execute_wrapper(away):
        pulse.beat("web")
    assert "the pulse of web was not written: away" in caplog.text


def test_a_web_process_forked_from_a_loaded_one_beats_too(tmp_path: Path) -> None:
    program = (
        "import os, threading; import config.wsgi\n"
        "names = lambda: [one.name for one in threading.enumerate() if 'pulse' in one.name]\n"
        "print(names(), flush=True)\n"
        "child = os.fork()\n"
        "os.waitpid(child, 0) if child else (print(names(), flush=True), os._exit(0))\n"
    )
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "DATABASE_URL": "", "DJANGO_SETTINGS_MODULE": "config.settings"}
    manage = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(manage, cwd=BASE, env=environment, check=True)
    done = subprocess.run([sys.executable, "-c", program], cwd=BASE, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["['pulse of web']"] * 2
