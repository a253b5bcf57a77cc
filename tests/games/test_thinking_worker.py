"""A real worker on the queue of what thinks: it answers, and when it is killed outright the game only waits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Player
from games.models import Analysis, Game
from games.services import analysis, engine, pulse
from notifications import nudges
from tests.factories import ComputerGameFactory, GameFactory, played_out
from tests.games.races import BASE, on_the_test_database
from tests.games.test_computers import play_until_turn_of_the_computer
from tests.stack import valkey

pytestmark = [pytest.mark.locking, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def broker(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A Redis of one's own, which nudges reach however busy the machine is."""
    monkeypatch.setattr(nudges, "PATIENCE", 5.0)
    monkeypatch.setattr(nudges.broker, "try_at", 0.0)
    with TemporaryDirectory(prefix="think-") as folder, valkey.running(Path(folder)) as url:
        Path(folder, "compiled.nbc").touch()
        monkeypatch.setenv("NUMBA_CACHE_DIR", folder)
        settings.REDIS_URL = url
        yield url


@contextmanager
def worker(broker: str) -> Iterator[subprocess.Popen[bytes]]:
    """The worker as the stack starts it, killed with all its processes when the block ends. It has nothing to compile."""
    options = ["--queues", "engine", "--concurrency", "1", "--loglevel", "WARNING", "--without-gossip", "--without-mingle"]
    process = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "config", "--quiet", "worker", *options],
        cwd=BASE,
        env={**on_the_test_database(), "REDIS_URL": broker},
        process_group=0,
        stderr=subprocess.DEVNULL,
    )
    try:
        begun = timezone.now()
        assert until(lambda: (pulse.last("engine") or begun) > begun), "the worker says that it lives"
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def until(condition: Callable[[], object], seconds: float = 40) -> bool:
    end = monotonic() + seconds
    while monotonic() < end:
        if condition():
            return True
        sleep(0.05)
    return False


def is_to_move(game: Game, seat: int) -> bool:
    game.refresh_from_db()
    return game.to_move == seat


def test_R2_a_worker_answers_and_one_that_is_killed_only_delays_the_game(broker: str, alice: Player, bob: Player) -> None:
    game = ComputerGameFactory.create(player=alice, ruleset="bridgit", level=1)
    over = played_out(GameFactory.create(players=[alice, bob], ruleset="bridgit", options={"n": 3}), plies=1)
    with worker(broker) as process:
        play_until_turn_of_the_computer(game)
        assert until(lambda: is_to_move(game, 0)), "a nudge is enough"
        analysis.ask(game=over.pk)
        assert until(lambda: Analysis.objects.get().done_at)
        os.killpg(process.pid, signal.SIGSTOP)
        play_until_turn_of_the_computer(game)
    assert is_to_move(game, 1)
    assert pulse.last("worker") is None, "letters have another worker"
    with worker(broker):
        assert engine.ask_again(timezone.now() + engine.PATIENCE) <= 1
        assert until(lambda: is_to_move(game, 0))
