"""The whole stack as `make serve` runs it: Redis, web server, worker and beat under one parent, on data of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

BASE = Path(__file__).resolve().parents[2]
DATABASE = "perepiska.sqlite3"
UNSET = ("ALLOWED_HOSTS", "BIND", "DATABASE_URL", "DEBUG", "EMAIL_URL", "REDIS_URL", "SECRET_KEY", "SITE_URL")


PREPARED = "PREPARED_FOR_STACKS"
"""Names the folder of the empty database that stacks may copy."""


@dataclass
class Stack:
    """A running stack: where it answers, where its data is, its parent process; sessions of players who are there, by name."""

    url: str
    data: Path
    parent: subprocess.Popen[bytes]
    log: Path
    sessions: dict[str, str] = field(default_factory=dict)

    def health(self) -> int:
        """The status that /healthz answers; 0 when nothing answers."""
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as problem:
            return problem.code
        except OSError:
            return 0

    def told_by(self, module: str, *arguments: str) -> str:
        """What a program prints that runs on the data of the stack."""
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            cwd=BASE,
            env={**os.environ, "DATA_DIR": str(self.data), "DJANGO_SETTINGS_MODULE": "config.settings"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout

    def wait(self, seconds: float = 150) -> None:
        """Returns when everything answers; raises RuntimeError with the log when it does not in time."""
        until = monotonic() + seconds
        while self.health() != 200:
            if monotonic() > until or self.parent.poll() is not None:
                raise RuntimeError(self.log.read_text())
            sleep(0.2)


def free_port() -> int:
    """A port that nobody uses just now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def prepare(data: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Makes an empty database for many stacks to copy; what their environment must say for them to find it."""
    data.mkdir()
    command = [sys.executable, "-m", "config.stack.prepare"]
    settled = {**environment, "DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run(command, cwd=BASE, env=settled, stdout=subprocess.DEVNULL, check=True)
    return {PREPARED: str(data)}


@contextmanager
def running(data: Path, port: int | None = None, **change: str) -> Iterator[Stack]:
    """A stack on the data in a folder, stopped with the block; with changes of its environment. Its worker thinks for computers
    as well, unless ONE_WORKER is changed to nothing.

    New data begin with a copy of the database that `prepare` made, if it did: all migrations take longer than all else.
    """
    port = port or free_port()
    data.mkdir(parents=True, exist_ok=True)
    if (prepared := os.environ.get(PREPARED)) and not (data / DATABASE).exists():
        shutil.copy(Path(prepared) / DATABASE, data)
    log = data / "stack.log"
    environment = {name: value for name, value in os.environ.items() if name not in UNSET}
    with log.open("ab") as out:
        parent = subprocess.Popen(
            [sys.executable, "-m", "config.stack"],
            cwd=BASE,
            env={**environment, "ONE_WORKER": "1", "PORT": str(port), "DATA_DIR": str(data), **change},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    stack = Stack(f"http://localhost:{port}", data, parent, log)
    try:
        stack.wait()
        yield stack
    finally:
        parent.send_signal(signal.SIGTERM)
        parent.wait(60)
