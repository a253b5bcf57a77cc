"""Settings: what production needs, and what it refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.stack import __main__ as stack

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
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY"),
        ({"DEBUG": "true"}, "DEBUG is on"),
        ({"EMAIL_URL": ""}, "EMAIL_URL is not set"),
        ({"SITE_URL": "games.example.org"}, "SITE_URL is 'games.example.org'"),
    ],
)
def test_a_public_host_does_not_start_half_configured(change: dict[str, str], why: str) -> None:
    environment = {name: value for name, value in {**PRODUCTION, **change}.items() if value}
    started = manage("check", **environment)
    assert started.returncode != 0
    assert why in started.stderr


@pytest.mark.parametrize(
    "public",
    [
        {"ALLOWED_HOSTS": "games.example.org"},
        {"ALLOWED_HOSTS": "*"},
        {"SITE_URL": "https://games.example.org"},
        {"BIND": "0.0.0.0"},
    ],
)
@pytest.mark.parametrize("change", [{"DEBUG": "true"}, {}])
def test_one_public_name_is_enough_to_refuse_the_default_secret(public: dict[str, str], change: dict[str, str]) -> None:
    started = manage("check", **public, **change)
    assert started.returncode != 0
    assert "SECRET_KEY is the default one and the host is public" in started.stderr


def test_on_this_machine_alone_nothing_need_be_set() -> None:
    assert manage("check").returncode == 0


def test_a_variable_set_to_nothing_is_not_set() -> None:
    assert manage("check", **dict.fromkeys(PRODUCTION, "")).returncode == 0


def setting(expression: str, **environment: str) -> str:
    asked = manage("shell", "--no-imports", "-c", f"from django.conf import settings; print({expression})", **environment)
    return asked.stdout.strip()


def test_a_forwarded_address_and_scheme_are_believed_only_behind_a_known_proxy() -> None:
    both = "settings.ALLAUTH_TRUSTED_PROXY_COUNT, settings.SECURE_PROXY_SSL_HEADER"
    assert setting(both, **PRODUCTION) == "0 None"
    assert setting(both, **PRODUCTION, TRUSTED_PROXY_COUNT="1") == "1 ('HTTP_X_FORWARDED_PROTO', 'https')"


def test_the_mailbox_is_for_development_only() -> None:
    mounted = "[str(one.pattern) for one in __import__('config.urls').urls.urlpatterns if 'mailbox' in str(one.pattern)]"
    assert setting(mounted) == "['mailbox/']"
    assert setting(mounted, EMAIL_URL="smtp://localhost:1025") == "[]"
    assert setting(mounted, **PRODUCTION) == "[]"


def test_no_migration_is_missing() -> None:
    made = manage("makemigrations", "--check", "--dry-run")
    assert made.returncode == 0, made.stdout


@pytest.mark.parametrize(("bind", "host"), [("", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("192.0.2.7", "192.0.2.7")])
def test_make_serve_listens_on_this_machine_alone_unless_it_is_told_where(
    bind: str, host: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BIND", bind)
    monkeypatch.setenv("WEB_WORKERS", "")
    monkeypatch.setenv("REDIS_URL", "redis://localhost")
    web = stack._children(tmp_path, 8000)[0].command
    assert web[web.index("--bind") + 1] == f"{host}:8000"
    assert web[web.index("--workers") + 1] == "1"
