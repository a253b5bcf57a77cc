"""Moves a second through the service, by 1, 8 and 32 clients at once, beside the same SQL sent by the driver alone."""

from __future__ import annotations

import multiprocessing
import sqlite3
import warnings
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.synchronize import Barrier
from random import Random
from time import perf_counter
from typing import Any
from uuid import uuid4

import django
from django.conf import settings
from django.db import connection

CLIENTS = (1, 8, 32)
SECONDS = 4.0
WARM = 5
"""Moves of each client before the clock starts."""
GOALS = {1: 0.5, 8: 1 / 3}

Step = Callable[[], float]
"""Makes one move and returns the seconds that it took."""
Statement = tuple[str, Any]


def main() -> None:
    """A line for each number of clients."""
    warnings.simplefilter("ignore")
    django.setup()
    from django.core.management import call_command

    # What is measured is moves, not how slowly passwords are hashed for the players who make them.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    call_command("migrate", verbosity=0)
    for clients in CLIENTS:
        served, slow = race(clients, service)
        bare, slow_bare = race(clients, driver)
        goals = [f"{served / bare:.0%} of it"]
        if clients in GOALS:
            goals.append(f"goal {GOALS[clients]:.0%}")
        elif connection.vendor == "postgresql":
            goals.append("goal p99 under 50 ms")
        print(
            f"{connection.vendor}, {clients:2} clients: service {served:6,.0f} moves a second, p99 {slow:6.1f} ms; "
            f"the same SQL alone {bare:6,.0f}, p99 {slow_bare:6.1f} ms: {', '.join(goals)}",
            flush=True,
        )


def race(clients: int, kind: Callable[[int], Step]) -> tuple[float, float]:
    """Moves a second of all clients together, and the 99th percentile of one move in milliseconds."""
    connection.close()
    fork = multiprocessing.get_context("fork")
    line = fork.Barrier(clients)
    results: Any = fork.SimpleQueue()
    racers = [fork.Process(target=run, args=(kind, number, clients, line, results)) for number in range(clients)]
    for racer in racers:
        racer.start()
    took = sorted(one for _ in racers for one in results.get())
    for racer in racers:
        racer.join()
    return len(took) / SECONDS, took[int(len(took) * 0.99)] * 1000


def run(kind: Callable[[int], Step], number: int, clients: int, line: Barrier, results: Any) -> None:
    """One client, in a process of its own."""
    step = kind(clients)
    for _ in range(WARM):
        step()
    line.wait()
    took = []
    end = perf_counter() + SECONDS
    while perf_counter() < end:
        took.append(step())
    results.put(took)


def service(clients: int) -> Step:
    """Random games, played through the service; there are enough of them before the clock starts."""
    from games.rules import registry
    from games.services import moves

    mangala, random = registry.get("mangala"), Random(1)
    waiting = [a_game() for _ in range(100 // clients + 2)]

    def plies() -> Iterator[float]:
        while True:
            game = waiting.pop() if waiting else a_game()
            position, number = mangala.start({}, 2), game.position_number
            while (seat := mangala.to_move(position)) is not None:
                text, key = random.choice(list(mangala.legal_moves(position))), uuid4().hex
                began = perf_counter()
                answer = moves.play_move(game=game.pk, seat=seat, text=text, position_number=number, via="web", key=key)
                yield perf_counter() - began
                position, number = mangala.play(position, text), answer.position_number

    return plies().__next__


def driver(clients: int) -> Step:
    """The statements of one move that the service made, with fresh keys, sent through the driver as it comes."""
    tape = recorded()
    if connection.vendor == "sqlite":
        return by_sqlite(tape)
    return by_psycopg(tape)


def recorded() -> list[Statement]:
    """What the service sends for the second move of a game."""
    from games.services import moves

    game = a_game()
    tape: list[Statement] = []

    def keep(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        tape.append((sql, params))
        return execute(sql, params, many, context)

    answer = moves.play_move(game=game.pk, seat=0, text="1", position_number=game.position_number, via="web", key="first")
    with connection.execute_wrapper(keep):
        moves.play_move(game=game.pk, seat=1, text="2", position_number=answer.position_number, via="web", key="second")
    connection.close()
    return tape


def fresh(tape: Sequence[Statement], count: int) -> Iterator[Statement]:
    """The statements with an entry number, a letter's key and a submission's key that were not used before."""
    key = uuid4().hex
    for sql, params in tape:
        if sql.startswith('INSERT INTO "games_logentry"'):
            yield sql, [params[0], count, *params[2:]]
        elif sql.startswith('INSERT INTO "notifications_letter"'):
            yield sql, [key, *params[1:6], f"<{key}@localhost>", *params[7:]]
        elif '"games_submission"' in sql:
            yield sql, [params[0], key, *params[2:]]
        else:
            yield sql, params


def by_sqlite(tape: Sequence[Statement]) -> Step:
    database = settings.DATABASES["default"]
    plain = sqlite3.connect(database["NAME"], timeout=20, isolation_level=None)
    plain.executescript(database["OPTIONS"]["init_command"])
    tape = [(sql.replace("%s", "?"), params) for sql, params in tape]
    counts = iter(range(1_000, 1_000_000_000))

    def step() -> float:
        statements = list(fresh(tape, next(counts)))
        began = perf_counter()
        for sql, params in statements:
            plain.execute(sql, params or ()).fetchall()
        plain.execute("COMMIT")
        return perf_counter() - began

    return step


def by_psycopg(tape: Sequence[Statement]) -> Step:
    import psycopg

    plain = psycopg.connect(**connection.get_connection_params() | {"context": None, "cursor_factory": psycopg.Cursor})
    counts = iter(range(1_000, 1_000_000_000))

    def step() -> float:
        statements = list(fresh(tape, next(counts)))
        began = perf_counter()
        for sql, params in statements:
            cursor = plain.execute(sql, params)
            if cursor.description:
                cursor.fetchall()
        plain.commit()
        return perf_counter() - began

    return step


def a_game() -> Any:
    """A running game of two players of its own."""
    from tests.factories import GameFactory, PlayerFactory

    names = [uuid4().hex for _ in range(2)]
    players = [PlayerFactory.create(email=f"{name}@example.org", display_name=name[:30], password="!") for name in names]
    return GameFactory.create(players=players)


if __name__ == "__main__":
    main()
