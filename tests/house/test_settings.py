"""Settings: what production needs, and what it refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "SECRET_KEY": "a-long-random-text-of-more-than-fifty-characters-for-one-site-only",
    "ALLOWED_HOSTS": "games.example.org",
    "SITE_URL": "https://games.example.org",
    "EMAIL_URL": "smtp+tls://user:password@mail.example.org:587",
    "DATABASE_URL": "postgresql://user:password@db.example.org/games",
    "REDIS_URL": "redis://cache.example.org:6379/0",
}


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "DATA_DIR")}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=BASE, env={**kept, **environment}, capture_output=True, text=True, check=False)


def test_a_production_environment_passes_djangos_deployment_checks() -> None:
    checked = manage("check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize(
    ("change", "why"),
    [({"SECRET_KEY": ""}, "SECRET_KEY"), ({"DEBUG": "true"}, "DEBUG is on"), ({"EMAIL_URL": ""}, "EMAIL_URL is not set")],
)
def test_a_public_host_does_not_start_half_configured(change: dict[str, str], why: str) -> None:
    environment = {name: value for name, value in {**PRODUCTION, **change}.items() if value}
    started = manage("check", **environment)
    assert started.returncode != 0
    assert why in started.stderr


def test_on_this_machine_alone_nothing_need_be_set() -> None:
    assert manage("check").returncode == 0


def test_no_migration_is_missing() -> None:
    made = manage("makemigrations", "--check", "--dry-run")
    assert made.returncode == 0, made.stdout
