"""Celery's part in games: ticks. Every task is safe to repeat and to lose."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

from celery import shared_task
from django.utils import timezone

from games.services import analysis, chance, daily, engine, expiry, freeze, guests, notices, reflection, rights

THINKS: Final = 1.0
"""Seconds of thought for a move at most."""
IN_HAND: Final = 2.0
"""Seconds for which an analysis is in hand before others have their turn."""


@shared_task(name="games.sweep")
def sweep() -> None:
    """Ends the turns whose time is over, unless the database was put back from a backup."""
    if not freeze.freeze_if_put_back():
        reflection.sweep(now=timezone.now(), monotonic=monotonic())
        engine.ask_again(timezone.now())
        analysis.ask_again(timezone.now())
        freeze.remember()


@shared_task(name="games.warm_up", time_limit=600)
def warm_up() -> None:
    """Compiles what computers think with, which takes a while when it is done for the first time on a machine."""
    engine.warm_up()


@shared_task(name="games.think", soft_time_limit=100, time_limit=110)
def think(game: int) -> None:
    """What computers have to do in a game. On a queue of its own: letters and sweeps never wait for it."""

    def clock() -> Callable[[], bool]:
        end = monotonic() + THINKS
        return lambda: monotonic() > end

    engine.act(game=game, now=timezone.now, expired=clock)


@shared_task(name="games.analyse", soft_time_limit=100, time_limit=110)
def analyse(game: int) -> None:
    """A part of the analysis of a game, on the queue of what thinks."""
    end = monotonic() + IN_HAND
    analysis.work(game=game, now=timezone.now, left=lambda: end - monotonic())


@shared_task(name="games.daily")
def post_daily() -> None:
    """Owes the daily letters whose hour has come."""
    daily.post_due(timezone.now())


@shared_task(name="games.notices")
def check_notices() -> None:
    """Counts who is to move and was not told, and games that have lost a seed."""
    notices.check(timezone.now())
    chance.check(timezone.now())


@shared_task(name="games.expire")
def expire() -> None:
    """Ends the challenges that nobody answered in time, after a reminder; forgets whom old ones had invited, and old rights."""
    now = timezone.now()
    expiry.expire(now)
    expiry.remind(now)
    expiry.forget_addresses(now)
    rights.forget_old(now)
    guests.forget_keys(now)
