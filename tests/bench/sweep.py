"""The sweep's claim: 1,000 games due among 10,000 and among 1,000,000, and with nothing due."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any

import django
from django.conf import settings

SIZES = (10_000, 1_000_000)
DUE = 1_000


def main() -> None:
    """One line for each size."""
    warnings.simplefilter("ignore")
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.utils import timezone

    from games.models import Game

    call_command("migrate", verbosity=0)
    now = timezone.now()
    made = 0
    for size in SIZES:
        while made < size:
            Game.objects.bulk_create(
                [_game(now + timedelta(days=1, seconds=made + number)) for number in range(min(10_000, size - made))]
            )
            made += min(10_000, size - made)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        nothing = best(lambda: list(Game.objects.due(now).values_list("pk", flat=True)[:DUE]))
        soonest = list(Game.objects.order_by("deadline").values_list("pk", flat=True)[:DUE])
        Game.objects.filter(pk__in=soonest).update(deadline=now)
        due = best(lambda: list(Game.objects.due(now).values_list("pk", flat=True)[:DUE]))
        Game.objects.filter(pk__in=soonest).update(deadline=now + timedelta(days=1))
        print(f"{connection.vendor}, {size:,} games: {DUE} due read in {due:.2f} ms, none due in {nothing:.3f} ms", flush=True)


def _game(deadline: datetime) -> Any:
    from django.utils import timezone

    from games.models import Game

    return Game(
        ruleset="mangala", ruleset_version=1, seats=2, reflection=86400, created_at=timezone.now(), to_move=0, deadline=deadline
    )


def best(act: Callable[[], object]) -> float:
    """Milliseconds of the best of ten."""
    times = []
    for _ in range(10):
        began = perf_counter()
        act()
        times.append(perf_counter() - began)
    return min(times) * 1000


if __name__ == "__main__":
    main()
