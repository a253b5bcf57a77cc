"""The sweep: what claiming and ending 1,000 due games costs among 10,000 and among 1,000,000 running ones."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from time import perf_counter
from typing import Any

import django
from django.db import connection
from django.utils import timezone

SIZES = (10_000, 1_000_000)
DUE = 1_000
COPIES = {
    "sqlite": "strftime('%%Y-%%m-%%d %%H:%%M:%%S', 'now', (86400 + n) || ' seconds')",
    "postgresql": "now() + interval '1 day' + n * interval '1 second'",
}
"""A deadline for the nth copy of a game, each a second after the other."""


def main() -> None:
    """A line for each size, and how far they are apart."""
    warnings.simplefilter("ignore")
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    claims, ended = [], []
    for size in SIZES:
        fill(size)
        nothing = typical(claim)
        due = make_due()
        claims.append(typical(claim))
        began = perf_counter()
        end_all(due)
        ended.append(perf_counter() - began)
        print(
            f"{connection.vendor}, {size:9,} games: none due, claim {nothing:.3f} ms (goal: under 1); "
            f"{DUE:,} due, claim {claims[-1]:.2f} ms, all ended in {ended[-1]:.1f} s",
            flush=True,
        )
    apart = f"{claims[1] / claims[0]:.2f} times apart (goal: at most 1.6); ended {ended[1] / ended[0]:.2f} times apart"
    print(f"{connection.vendor}: claims {apart}", flush=True)


def fill(size: int) -> None:
    """Copies a running game in one statement until there are so many."""
    from games.models import Game

    model = Game.objects.filter(ended_at=None).first() or a_game()
    columns = [field.column for field in Game._meta.concrete_fields if not field.primary_key]
    values = [COPIES[connection.vendor] if column == "deadline" else f'game."{column}"' for column in columns]
    values[columns.index("challenge_id")] = "NULL"
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < %s) "
            f"INSERT INTO games_game ({names}) SELECT {', '.join(values)} FROM numbers, games_game game WHERE game.id = %s",
            [size - Game.objects.count(), model.pk],
        )
        cursor.execute("ANALYZE")


def make_due() -> list[int]:
    """Lets the time of some games run out, and seats players at them."""
    from games.models import Game, Seat

    games = list(Game.objects.filter(ended_at=None, seat=None).order_by("deadline").values_list("pk", flat=True)[:DUE])
    seats = list(Seat.objects.order_by("pk").values("number", "player_id")[:2])
    Seat.objects.bulk_create(Seat(game_id=game, **seat) for game in games for seat in seats)
    Game.objects.filter(pk__in=games).update(deadline=timezone.now() - timedelta(seconds=1))
    return games


def claim() -> list[int]:
    """What a tick reads of the games, with room for all that are due."""
    from games.models import Game

    return list(Game.objects.due(timezone.now()).values_list("pk", flat=True)[:DUE])


def end_all(games: list[int]) -> None:
    """Ends them as the sweep does, one transaction each."""
    from games.models import Game
    from games.services import reflection

    when = timezone.now() + timedelta(days=30)  # the copies began just now, whatever their deadline says
    for game in games:
        reflection.run_out(game_id=game, now=when)
    left = Game.objects.filter(pk__in=games, ended_at=None).count()
    if left:
        raise RuntimeError(f"{left} games were not ended")


def typical(act: Callable[[], Any]) -> float:
    """Milliseconds: the median of some runs, for the machine is shared."""
    times = []
    for _ in range(15):
        began = perf_counter()
        act()
        times.append(perf_counter() - began)
    return median(times) * 1000


def a_game() -> Any:
    from tests.factories import GameFactory

    return GameFactory.create()


if __name__ == "__main__":
    main()
