"""Prints, in one run: `play` calls a second, memory, pages a second, moves a second beside the bare SQL, the sweep's claim,
letters a second beside bare smtplib."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

from tests.bench import memory
from tests.run import say
from tests.stack import postgresql, valkey

BASE = Path(__file__).resolve().parents[2]


def main() -> None:
    """All parts, one after the other."""
    began = monotonic()
    with tempfile.TemporaryDirectory(prefix="perepiska-bench-") as folder, valkey.running(Path(folder, "redis")) as redis:
        data = Path(folder)
        say("rules, in one process")
        part("rules", DATA_DIR=str(data))
        part("lines", DATA_DIR=str(data))
        say("memory of make serve")
        memory.measure(data / "serve")
        say("pages of a player with 50 games, two web workers, 8 connections")
        part("pages", DATA_DIR=str(data / "pages"), REDIS_URL=redis)
        say("moves on SQLite (WAL, synchronous=NORMAL) and a sweep of it")
        part("moves", DATA_DIR=str(data / "moves"), REDIS_URL=redis)
        part("sweep", DATA_DIR=str(data / "sweep"), REDIS_URL=redis)
        say("letters of turns, from the outbox on SQLite and on PostgreSQL into a mail server that keeps nothing")
        part("letters", DATA_DIR=str(data / "letters"), REDIS_URL=redis)
        with postgresql.running(durable=True) as url:
            say(f"moves on {postgresql.version()} (fsync=on) and a sweep of it")
            part("moves", DATA_DIR=str(data), DATABASE_URL=url, REDIS_URL=redis)
            part("sweep", DATA_DIR=str(data), DATABASE_URL=url, REDIS_URL=redis)
        with postgresql.running(durable=True) as url:
            part("letters", DATA_DIR=str(data), DATABASE_URL=url, REDIS_URL=redis)
    say(f"took {monotonic() - began:.0f} s")


def part(name: str, **environment: str) -> None:
    """Runs one part in a process of its own, so that Django can be set up for its database."""
    unset = dict.fromkeys(("DEBUG", "DATABASE_URL", "SITE_URL", "ALLOWED_HOSTS", "EMAIL_URL"), "")
    settled = {**os.environ, **unset, "DJANGO_SETTINGS_MODULE": "config.settings", **environment}
    subprocess.run([sys.executable, "-m", f"tests.bench.{name}"], cwd=BASE, env=settled, check=True)


if __name__ == "__main__":
    main()
