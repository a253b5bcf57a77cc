"""/healthz: which parts answer, and how late the sweep is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from config import health
from games.services import pulse
from tests.factories import PulseFactory

WELL = {"database": True, "broker": True, "worker": True, "engine": True, "beat": True}


@pytest.fixture(autouse=True)
def _a_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "broker_answers", lambda patience: True)


def everything_lives(**silent_for: timedelta) -> None:
    """Each process and the sweep beat just now, or so long ago."""
    for name in health.PULSES:
        PulseFactory.create(name=name, at=timezone.now() - silent_for.get(name, timedelta()))


def ask(client: Client) -> tuple[int, dict[str, Any]]:
    answer = client.get("/healthz")
    assert "no-store" in answer["Cache-Control"]
    assert not answer.cookies
    return answer.status_code, answer.json()


@pytest.mark.django_db
def test_all_is_well(client: Client) -> None:
    everything_lives()
    status, said = ask(client)
    assert status == 200
    assert said.pop("sweep_late") < 5
    assert said == {**WELL, "frozen": False, "untold": None, "seedless": None}


@pytest.mark.parametrize("name", ["worker", "engine", "beat"])
@pytest.mark.django_db
def test_a_process_that_fell_silent_is_told(client: Client, name: str) -> None:
    everything_lives(**{name: timedelta(minutes=1)})
    status, said = ask(client)
    assert status == 503
    assert {part: said[part] for part in WELL} == {**WELL, name: False}


@pytest.mark.django_db
def test_R5_a_sweep_that_comes_no_more_is_told_although_every_process_lives(client: Client) -> None:
    everything_lives(sweep=timedelta(minutes=5))
    status, said = ask(client)
    assert status == 503
    assert {part: said[part] for part in WELL} == WELL
    assert 299 < said["sweep_late"] < 310


@pytest.mark.django_db
def test_nothing_is_known_of_a_house_that_never_ran(client: Client) -> None:
    assert ask(client) == (
        503,
        {
            "database": True,
            "broker": True,
            "worker": False,
            "engine": False,
            "beat": False,
            "sweep_late": None,
            "frozen": False,
            "untold": None,
            "seedless": None,
        },
    )


@pytest.mark.django_db
def test_a_broker_that_is_away_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    everything_lives()
    monkeypatch.setattr(health, "broker_answers", lambda patience: False)
    status, said = ask(client)
    assert status == 503
    assert said["broker"] is False


@pytest.mark.django_db
def test_a_database_that_is_away_is_told_and_nothing_else_of_it(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(name: str) -> None:
        raise OperationalError("password authentication failed for user secret")

    monkeypatch.setattr(pulse, "last", gone)
    assert ask(client) == (
        503,
        {
            "database": False,
            "broker": True,
            "worker": False,
            "engine": False,
            "beat": False,
            "sweep_late": None,
            "frozen": None,
            "untold": None,
            "seedless": None,
        },
    )
