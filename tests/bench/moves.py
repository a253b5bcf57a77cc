"""`python -m tests.bench.moves CLIENTS`: moves a second through the service, and the same SQL sent by the driver alone."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Any

import django
from django.conf import settings

BASE = Path(__file__).resolve().parents[2]
SECONDS = 4.0


def main(arguments: list[str]) -> None:
    """The parent sets the table; children (`child KIND NUMBER START`) play it."""
    warnings.simplefilter("ignore")
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    django.setup()
    if arguments[0] == "child":
        child(arguments[1], int(arguments[2]), float(arguments[3]))
        return
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    clients = int(arguments[0])
    rates = {}
    for kind in ("service", "sql"):
        start = monotonic() + 4 + clients * 1.5
        command = [sys.executable, "-m", "tests.bench.moves", "child", kind]
        racers = [
            subprocess.Popen([*command, str(number), str(start)], stdout=subprocess.PIPE, text=True, cwd=BASE)
            for number in range(clients)
        ]
        took = sorted(float(one) for racer in racers for one in racer.communicate()[0].split())
        rates[kind] = len(took) / SECONDS
        p99 = took[int(len(took) * 0.99)] * 1000 if took else 0.0
        print(f"{connection.vendor}, {clients} clients, {kind}: {rates[kind]:,.0f} moves a second, p99 {p99:.1f} ms", flush=True)
    print(
        f"{connection.vendor}, {clients} clients: the service reaches {rates['service'] / max(rates['sql'], 1):.0%} of bare SQL"
    )


def child(kind: str, number: int, start: float) -> None:
    """Plays games for SECONDS from `start` of the monotonic clock; prints how long each move took."""
    games = [a_game() for _ in range(4)] if kind == "service" else []
    act = played(games) if kind == "service" else bare(number)
    took = []
    next(act)
    sleep(max(0.0, start - monotonic()))
    end = start + SECONDS
    while monotonic() < end:
        began = perf_counter()
        next(act)
        took.append(perf_counter() - began)
    print(" ".join(f"{one:.6f}" for one in took))


def a_game() -> Any:
    from tests.factories import GameFactory

    return GameFactory.create(players=_two())


def _two() -> list[Any]:
    from uuid import uuid4

    from tests.factories import PlayerFactory

    return [
        PlayerFactory.create(email=f"{uuid4().hex}@example.org", display_name=uuid4().hex[:30], password="!") for _ in range(2)
    ]


def played(games: list[Any]) -> Any:
    """Moves through the service, one a step, in games that are replaced when they end."""
    from uuid import uuid4

    from games.rules import registry
    from games.services import moves

    mangala = registry.get("mangala")
    yield
    while True:
        for index, game in enumerate(games):
            position = mangala.load(game.position)
            text = next(iter(mangala.legal_moves(position)))
            answer = moves.play_move(
                game=game.pk, seat=game.to_move, text=text, position_number=game.position_number, via="web", key=uuid4().hex
            )
            yield
            position = mangala.play(position, text)
            game.position, game.to_move = mangala.dump(position), answer.to_move
            game.position_number = answer.position_number
            if answer.over:
                games[index] = a_game()


def bare(number: int) -> Any:
    """The statements of such a move as the service sends them, captured once and repeated by the driver alone."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from tests.factories import play

    game = a_game()
    with CaptureQueriesContext(connection) as captured:
        play(game, "1")
    kept = [one["sql"] for one in captured.captured_queries if one["sql"].startswith(("SELECT", "INSERT", "UPDATE"))]
    connection.ensure_connection()
    driver = connection.connection
    yield
    count = 0
    while True:
        cursor = driver.cursor()
        if connection.vendor == "sqlite":
            cursor.execute("BEGIN IMMEDIATE")
        for statement in kept[1:]:
            count += 1
            cursor.execute(_fresh(statement, number, count))
        cursor.execute("COMMIT") if connection.vendor == "sqlite" else driver.commit()
        yield


def _fresh(statement: str, number: int, count: int) -> str:
    """An INSERT with a key and number that were not used before."""
    unique = f"{number}-{count}"
    if "games_logentry" in statement and statement.startswith("INSERT"):
        return statement.replace(", 3, 'move'", f", {number * 1_000_000 + count + 10}, 'move'", 1)
    if "notifications_letter" in statement and statement.startswith("INSERT"):
        return statement.replace("'turn:", f"'{unique}turn:", 1)
    if "games_submission" in statement and statement.startswith("INSERT"):
        head, tail = statement.split("VALUES", 1)
        first, key, rest = tail.split("'", 2)
        return f"{head}VALUES{first}'{unique}{key[:20]}'{rest}"
    return statement


if __name__ == "__main__":
    main(sys.argv[1:])
