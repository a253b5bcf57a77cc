"""Nudges: quick when the broker is there, quick when it is not."""

from __future__ import annotations

import socket
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from celery import current_app

from games.services.log import differences
from notifications.models import Letter
from notifications.nudges import broker_answers, nudge
from tests.factories import GameFactory, play
from tests.stack import valkey


def seconds() -> float:
    began = perf_counter()
    nudge("notifications.deliver", "key")
    return perf_counter() - began


def test_R6_a_broker_that_is_away_costs_no_time(settings: Any, tmp_path: Path) -> None:
    settings.REDIS_URL = f"redis+socket://{tmp_path}/nothing.sock"
    assert not broker_answers()
    assert min(seconds() for _ in range(5)) < 0.05


def test_R6_a_broker_that_accepts_and_never_answers_costs_less_than_50_ms(settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        settings.REDIS_URL = f"redis://127.0.0.1:{deaf.getsockname()[1]}/0"
        assert min(seconds() for _ in range(5)) < 0.05


def test_a_nudge_reaches_the_broker(settings: Any, tmp_path: Path) -> None:
    with valkey.running(tmp_path) as url:
        settings.REDIS_URL = url
        assert broker_answers(patience=1)
        with current_app.connection_for_write(url) as connection, connection.SimpleQueue("celery") as queue:
            settings.CELERY_BROKER_URL = url
            current_app.send_task("notifications.deliver", args=["key"], connection=connection, retry=False)
            message = queue.get(timeout=5)
            assert message.headers["task"] == "notifications.deliver"
            message.ack()


@pytest.mark.django_db(transaction=True)
def test_R6_with_the_broker_away_a_move_succeeds_and_its_letter_waits(settings: Any, tmp_path: Path) -> None:
    settings.REDIS_URL = f"redis+socket://{tmp_path}/nothing.sock"
    game = GameFactory.create()
    began = perf_counter()
    assert play(game, "1").moved == ("1",)
    assert perf_counter() - began < 1
    assert Letter.objects.filter(kind="turn").count() == 2
    assert [found for _, found in differences()] == [[]]
