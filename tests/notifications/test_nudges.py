"""Nudges: quick when the broker is there, quick when it is not."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import pytest
from celery import current_app
from django.core import mail
from redis import Redis

from notifications import delivery, nudges
from notifications.models import Letter
from notifications.nudges import broker_answers, nudge
from tests.factories import GameFactory, play
from tests.stack import valkey


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path: a Unix socket's has to be."""
    with TemporaryDirectory(prefix="nudge-") as name:
        yield Path(name)


def seconds() -> float:
    began = perf_counter()
    nudge("notifications.deliver", "key")
    return perf_counter() - began


def best_of_five() -> float:
    """The least that a nudge takes which knows nothing of the one before: the machine may be busy."""
    found = []
    for _ in range(5):
        nudges.broker.try_at = 0.0
        found.append(seconds())
    return min(found)


def tasks_at(url: str) -> list[tuple[str, list[Any]]]:
    with current_app.connection_for_write(url) as connection, connection.SimpleQueue("celery") as queue:
        messages = [queue.get(timeout=5) for _ in range(queue.qsize())]
        for message in messages:
            message.ack()
        return [(message.headers["task"], message.payload[0]) for message in messages]


def test_R6_a_broker_that_is_away_costs_less_than_50_ms(settings: Any, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings.REDIS_URL = f"redis+socket://{folder}/nothing.sock"
    assert not broker_answers()
    assert best_of_five() < 0.05
    assert {record.levelno for record in caplog.records} == {logging.WARNING}


def test_R6_a_broker_that_accepts_and_never_answers_costs_less_than_50_ms(settings: Any, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        settings.REDIS_URL = f"redis://127.0.0.1:{deaf.getsockname()[1]}/0"
        assert not broker_answers()
        assert best_of_five() < 0.05
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(f"{folder}/deaf.sock")
        deaf.listen()
        settings.REDIS_URL = f"redis+socket://{folder}/deaf.sock"
        assert best_of_five() < 0.05


def test_R6_a_burst_asks_a_broker_that_is_away_only_once(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        settings.REDIS_URL = f"redis://127.0.0.1:{deaf.getsockname()[1]}/0"
        nudge("notifications.deliver", "first")
        began = perf_counter()
        for number in range(500):
            nudge("notifications.deliver", number)
        assert perf_counter() - began < 0.1
    assert len(caplog.records) == 1


@pytest.mark.locking
def test_a_nudge_reaches_the_broker_also_after_its_restart(settings: Any, folder: Path) -> None:
    with valkey.running(folder) as url:
        settings.REDIS_URL = url
        assert broker_answers(patience=1)
        nudge("notifications.deliver", "turn:1:3:1")
        assert tasks_at(url) == [("notifications.deliver", ["turn:1:3:1"])]
    nudge("notifications.deliver", "lost")
    with valkey.running(folder) as url:
        nudges.broker.try_at = 0.0
        nudge("notifications.deliver", "turn:1:5:1")
        assert tasks_at(url) == [("notifications.deliver", ["turn:1:5:1"])]


@pytest.mark.locking
def test_a_burst_of_nudges_is_few_for_the_sweep_finds_the_rest(
    settings: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It is not about a broker that is slow, as it may be beside other tests.
    monkeypatch.setattr(nudges, "PATIENCE", 5.0)
    with valkey.running(folder) as url:
        settings.REDIS_URL = url
        nudges.broker.try_at = 0.0
        for number in range(500):
            nudge("notifications.deliver", number)
        assert 1 <= len(tasks_at(url)) < 50


def test_a_nudge_never_raises_whatever_the_address_is(settings: Any) -> None:
    settings.REDIS_URL = "redis://["
    nudge("notifications.deliver", "key")


@pytest.mark.locking
@pytest.mark.django_db(transaction=True)
def test_R6_with_the_broker_away_a_move_succeeds_and_its_letter_waits(settings: Any, folder: Path) -> None:
    settings.REDIS_URL = f"redis+socket://{folder}/nothing.sock"
    game = GameFactory.create()
    assert play(game, "1").moved == ("1",)
    assert list(Letter.objects.values_list("kind", "state")) == [("turn", "queued")] * 2


@pytest.mark.locking
@pytest.mark.django_db(transaction=True)
def test_R6_a_redis_that_is_flushed_after_the_commit_loses_and_doubles_no_letter(settings: Any, folder: Path) -> None:
    with valkey.running(folder) as url:
        settings.REDIS_URL = url
        nudges.broker.try_at = 0.0
        play(GameFactory.create(), "1")
        with Redis.from_url(url.replace("redis+socket://", "unix://")) as redis:
            assert redis.llen("celery") > 0
            redis.flushall()
        for _ in range(2):
            delivery.deliver_waiting()
    assert len(mail.outbox) == Letter.objects.filter(state=Letter.State.SENT).count() == 1
