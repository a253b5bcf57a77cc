"""Races: processes that act on the test's database at the same instant, and what is asked of it afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import connection

from games.models import Game
from games.services.check import differences

BASE = Path(__file__).resolve().parents[2]
RUNS = 1000 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 16


def on_the_test_database() -> dict[str, str]:
    """The environment of a process of its own that works on the test's database."""
    database = settings.DATABASES["default"]
    if connection.vendor == "sqlite":
        url = f"sqlite:///{database['NAME']}"
    else:
        url = f"postgresql://{database['USER']}@/{database['NAME']}?host={database['HOST'] or database['OPTIONS']['host']}"
    return {**os.environ, "DATABASE_URL": url, "PYTHONPATH": str(BASE), "DJANGO_SETTINGS_MODULE": "config.settings"}


class Racers:
    """Processes with connections of their own to the test's database. One loads the program, and the others are its forks."""

    def __init__(self, number: int) -> None:
        environment = on_the_test_database()
        orders, answers = [os.pipe() for _ in range(number)], [os.pipe() for _ in range(number)]
        theirs = [(order[0], answer[1]) for order, answer in zip(orders, answers, strict=True)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.games.racer", *(f"{reads}:{writes}" for reads, writes in theirs)],
            pass_fds=[one for pair in theirs for one in pair],
            env=environment,
            cwd=BASE,
        )
        for one in (end for pair in theirs for end in pair):
            os.close(one)
        self.orders = [os.fdopen(writes, "w") for _, writes in orders]
        self.answers = [os.fdopen(reads) for reads, _ in answers]
        assert [answer.readline() for answer in self.answers] == ["ready\n"] * number

    def race(self, *acts: dict[str, Any]) -> list[str]:
        """What each of the acts, done at the same instant, came to."""
        at = monotonic() + 0.01
        for order, act in zip(self.orders, acts, strict=False):
            order.write(json.dumps({**act, "at": at}) + "\n")
            order.flush()
        return [answer.readline().strip() for answer, _act in zip(self.answers, acts, strict=False)]

    def close(self) -> None:
        """Ends the processes that are still there."""
        for end in (*self.orders, *self.answers):
            end.close()
        self.process.wait()


def agreed() -> bool:
    return all(not found for _, found in differences())


def move(game: Game, text: str, key: str, seat: int = 0) -> dict[str, Any]:
    return {"do": "move", "game": game.pk, "seat": seat, "text": text, "position_number": game.position_number, "key": key}
