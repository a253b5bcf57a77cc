"""Pages a second of a player with 50 games, by two web workers and 8 connections, and how much goes over the wire."""

from __future__ import annotations

import functools
import gc
import gzip
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from statistics import median
from time import monotonic, process_time, sleep
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command

from tests.bench.visitors import visit
from tests.stack.whole import BASE, free_port

CONNECTIONS = 8
WORKERS = 2
GAMES = 50
SECONDS = 6.0
TIMES = 40
GOALS = {"game page": 250, "my games": 120}
LARGEST = 60
PLIES = "4 6 2 5 4 3 1 4 3 5"
ASSET = re.compile(rb'(?:src|href)="(/static/[^"]+)"')


def main() -> None:
    """A line of speed and a line of sizes for each page."""
    django.setup()
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    cookie, paths = a_player()
    for name, path in paths.items():
        warm, cold = processor(path, cookie)
        print(f"{name}: {warm:.1f} ms of a processor, {cold:.1f} ms when nothing of it was made before", flush=True)
    with served() as port:
        for name, path in paths.items():
            took = visit(port, {"Cookie": cookie}, path, connections=CONNECTIONS, seconds=SECONDS)
            p99 = took[int(len(took) * 0.99)] * 1000
            print(f"{name}: {len(took) / SECONDS:,.0f} pages a second (goal: {GOALS[name]}), p99 {p99:.0f} ms", flush=True)
            if etag := ask(HTTPConnection("127.0.0.1", port), path, Cookie=cookie)[0].getheader("ETag"):
                known = {"Cookie": cookie, "If-None-Match": etag}
                took = visit(port, known, path, connections=CONNECTIONS, seconds=SECONDS / 3, status=304)
                print(f"{name}: {len(took) / SECONDS * 3:,.0f} a second that have not changed (304)", flush=True)
            told = sizes(port, path, cookie)
            print(f"{name}: {told} (goal: page under {LARGEST} kB)", flush=True)


def a_player() -> tuple[str, dict[str, str]]:
    """Somebody with GAMES running games: the cookie of a login, and the addresses by name."""
    from django.test import Client
    from django.urls import reverse

    from tests.factories import GameFactory, PlayerFactory

    alice, *others = PlayerFactory.create_batch(6)
    made = [
        GameFactory.create(players=[alice, others[number % 5]][:: -1 if number % 2 else 1], plies=PLIES)
        for number in range(GAMES)
    ]
    client = Client()
    client.force_login(alice)
    waiting = next(game for game in made if [seat.player for seat in game.seat_set.all()].index(alice) == game.to_move)
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    return cookie, {"game page": reverse("games:game", args=[waiting.pk]), "my games": reverse("games:mine")}


def processor(path: str, cookie: str) -> tuple[float, float]:
    """Milliseconds that one page takes in this process, which does not wait for others as the clock does: the median of a page
    that was made before, and of one whose parts are made anew."""
    from django.test import Client

    from config.tags import KEPT

    client, kept = Client(headers={"Cookie": cookie, "Host": "localhost"}), remembered()

    def took() -> float:
        began = process_time()
        if client.get(path).status_code != 200:
            raise RuntimeError(f"{path} is not shown")
        return (process_time() - began) * 1000

    def made_anew() -> float:
        KEPT.clear()
        for one in kept:
            one.cache_clear()
        return took()

    took()
    return median(took() for _ in range(TIMES)), median(made_anew() for _ in range(TIMES))


def remembered() -> list[Any]:
    """What selectors and templates keep of what they made, beside KEPT."""
    found = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    return [one for one in found if one.__module__.startswith(("games.selectors", "config.tags"))]


@contextmanager
def served() -> Iterator[int]:
    """The port of a web server with as many workers as the goals are about."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}", "--log-level", "warning"]
    command += ["--workers", str(WORKERS), "--threads", "6", "--worker-tmp-dir", str(settings.DATA_DIR)]
    command += ["--control-socket", str(settings.DATA_DIR / "web.sock")]
    server = subprocess.Popen(command, cwd=BASE)
    try:
        until = monotonic() + 30
        while not answers(port):
            if monotonic() > until or server.poll() is not None:
                raise RuntimeError("the web server did not start")
            sleep(0.1)
        yield port
    finally:
        server.terminate()
        server.wait(30)


def answers(port: int) -> bool:
    """Whether somebody answers there."""
    try:
        ask(HTTPConnection("127.0.0.1", port, timeout=5), "/rules/mangala/")
    except OSError:
        return False
    return True


def ask(connection: HTTPConnection, path: str, **headers: str) -> tuple[HTTPResponse, bytes]:
    """An answer with its body. Raises RuntimeError for any but 200."""
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status}")
    return answer, body


def sizes(port: int, path: str, cookie: str) -> str:
    """What a browser gets that comes for the first time: the page, and the files that it names, once for a year."""
    connection = HTTPConnection("127.0.0.1", port)
    answer, page = ask(connection, path, Cookie=cookie, **{"Accept-Encoding": "gzip"})
    files = {name.decode() for name in ASSET.findall(gzip.decompress(page) if answer.getheader("Content-Encoding") else page)}
    weights = [len(ask(connection, name, **{"Accept-Encoding": "gzip"})[1]) for name in sorted(files)]
    return f"{len(page) / 1000:.1f} kB transferred, and {sum(weights) / 1000:.1f} kB in {len(weights)} files kept for a year"


if __name__ == "__main__":
    main()
