"""`make test`: finds or installs what the tests need, runs every checker and every suite, and says what it does.

`python -m tests.run [soak]`. Exit status 1 if anything failed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

from config import compiling
from tests.stack import chromium, postgresql, valkey, whole

BASE: Final = Path(__file__).resolve().parent.parent
APPS: Final = ("config", "games", "accounts", "notifications", "tests", "manage.py")
CHECKERS: Final = {
    "ruff": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "templates": ["djade", "--check", "--target-version", "5.2", *map(str, sorted((BASE / "templates").rglob("*.html")))],
    "mypy": ["mypy", *APPS],
    "imports": ["lint-imports"],
    "messages": [sys.executable, "-m", "config.messages", "check"],
    "migrations": [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"],
}
NEEDS: Final[dict[str, tuple[str, Callable[[], str | None]]]] = {
    "Chromium": ("chromium", chromium.program),
    "PostgreSQL": ("postgresql", lambda: postgresql.program("postgres")),
    "gettext": ("gettext", lambda: shutil.which("xgettext")),
}
"""What must be on the machine: its package in Debian, and how it is found."""


def say(line: str) -> None:
    print(f"== {line}", flush=True)


def main(arguments: Sequence[str]) -> int:
    """Runs the suites that the arguments ask for."""
    # A runner that is ended from outside must end its servers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if not everything_is_here():
        return 1
    began = monotonic()
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="perepiska-test-")))
        environment = {
            **dict.fromkeys(("DEBUG", "DATABASE_URL", "SITE_URL", "ALLOWED_HOSTS", "EMAIL_URL", "SECRET_KEY"), ""),
            "DATA_DIR": str(data),
            "REDIS_URL": stack.enter_context(embedded_redis(data)),
            "CHROMIUM": chromium.program() or "",
            # Outlives the run: compiling takes ten seconds.
            "NUMBA_CACHE_DIR": compiling.kept_in(BASE / ".tools"),
        }
        environment |= whole.prepare(data / "prepared", complete(environment))
        failed = [name for name, passed in suites(arguments, environment, stack) if not passed]
    say(f"failed: {', '.join(failed)}" if failed else f"everything passed in {monotonic() - began:.0f} s")
    return bool(failed)


def suites(arguments: Sequence[str], environment: Mapping[str, str], stack: ExitStack) -> Iterator[tuple[str, bool]]:
    """Each suite by name, and whether it passed."""

    def on_postgresql() -> dict[str, str]:
        return {**environment, "DATABASE_URL": stack.enter_context(embedded_postgresql())}

    if "soak" in arguments:
        yield "soak", pytest("soak", environment, "-m", "soak or locking", "--timeout", "3600")
        name = "soak, on PostgreSQL"
        yield name, pytest(name, on_postgresql(), "-m", "locking", "--timeout", "3600")
        return
    name = "locks, constraints, triggers and the broker, on PostgreSQL"
    # These wait for each other's locks most of the time.
    beside = stack.enter_context(begun(name, pytest_command("-m", "locking and not soak"), on_postgresql()))
    for checker, command in CHECKERS.items():
        yield checker, run(checker, command, environment)
    # More processes than this only wait for each other's fixtures.
    processes = str(max(2, min(4, os.cpu_count() or 2)))
    suite = "everything but the browser, on SQLite"
    yield suite, pytest(suite, environment, "-m", "not soak and not browser", "-n", processes, "--durations", "12")
    yield name, beside()
    name = "the whole stack and its pages, in Chromium"
    # A file to a process. They wait for letters and polls half of the time: one more than for the rest.
    browsers = ["-n", str(int(processes) + 1), "--dist", "loadfile"]
    yield name, pytest(name, environment, "-m", "browser and not soak", "--timeout", "400", *browsers, "--durations", "12")


def pytest(name: str, environment: Mapping[str, str], *options: str) -> bool:
    return run(name, pytest_command(*options), environment)


def pytest_command(*options: str) -> list[str]:
    return [sys.executable, "-m", "pytest", "-q", *options]


def run(name: str, command: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Runs one command; says how long it took."""
    say(name)
    began = monotonic()
    done = subprocess.run(command, cwd=BASE, env=complete(environment), check=False)
    return told(name, done.returncode, began)


@contextmanager
def begun(name: str, command: Sequence[str], environment: Mapping[str, str]) -> Iterator[Callable[[], bool]]:
    """Begins a command beside those that follow. What it gives waits for its end and shows what it printed."""
    say(f"{name}: begins, and is told after what runs beside it")
    began = monotonic()
    with tempfile.TemporaryFile("w+") as printed:
        child = subprocess.Popen(command, cwd=BASE, env=complete(environment), stdout=printed, stderr=subprocess.STDOUT)

        def ended() -> bool:
            code = child.wait()
            printed.seek(0)
            print(printed.read(), flush=True)
            return told(name, code, began)

        try:
            yield ended
        finally:
            child.terminate()
            child.wait()


def complete(environment: Mapping[str, str]) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return {**os.environ, "PATH": path, **environment}


def told(name: str, code: int, began: float) -> bool:
    say(f"{name}: {'passed' if code == 0 else 'FAILED'} in {monotonic() - began:.0f} s")
    return code == 0


@contextmanager
def embedded_redis(data: Path) -> Iterator[str]:
    with valkey.running(data / "redis") as url:
        say("started Valkey on a socket of its own")
        yield url


@contextmanager
def embedded_postgresql() -> Iterator[str]:
    with postgresql.running() as url:
        say(f"started {postgresql.version()} as {postgresql.account().pw_name}")
        yield url


def everything_is_here() -> bool:
    """Looks for what the tests need, installs what is missing, looks again."""
    missing = look_for(NEEDS)
    if not missing:
        return True
    if not install([NEEDS[name][0] for name in missing]):
        return False
    still = look_for(missing)
    if still:
        say(f"still not found: {', '.join(still)}")
    return not still


def look_for(names: Sequence[str] | Mapping[str, object]) -> list[str]:
    """Says where each is; returns those that are nowhere."""
    found = {name: NEEDS[name][1]() for name in names}
    for name, where in found.items():
        say(f"{name}: {where or 'not found'}")
    return [name for name, where in found.items() if where is None]


def install(packages: Sequence[str]) -> bool:
    """Installs Debian packages where that is allowed, else says which command would."""
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    wanted = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    by_hand = f"sudo apt-get install --no-install-recommends {' '.join(packages)}"
    if not shutil.which("apt-get") or (sudo and not may_use_sudo()):
        say(f"needed and not found; run: {by_hand}")
        return False
    say(f"installing {', '.join(packages)}")
    for command in (["apt-get", "update", "--quiet"], wanted):
        if subprocess.run([*sudo, "env", "DEBIAN_FRONTEND=noninteractive", *command], check=False).returncode:
            say(f"that failed; run: {by_hand}")
            return False
    return True


def may_use_sudo() -> bool:
    """Whether sudo asks for no password here."""
    return bool(shutil.which("sudo")) and not subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
