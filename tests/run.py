"""`make test`: finds or installs what the tests need, runs every checker and every suite, and says what it does.

`python -m tests.run [soak]`. Exit status 1 if anything failed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

from tests.stack import postgresql, valkey

BASE: Final = Path(__file__).resolve().parent.parent
APPS: Final = ("config", "games", "accounts", "notifications", "tests", "manage.py")
CHECKERS: Final = {
    "ruff": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy", *APPS],
    "imports": ["lint-imports"],
    "messages": [sys.executable, "-m", "config.messages", "check"],
    "migrations": [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"],
}
PACKAGES: Final = {"chromium": "chromium", "postgres": "postgresql", "xgettext": "gettext"}


def say(line: str) -> None:
    print(f"== {line}", flush=True)


def main(arguments: Sequence[str]) -> int:
    """Runs the suites that the arguments ask for."""
    missing = [program for program in PACKAGES if not found(program)]
    if missing and not install([PACKAGES[program] for program in missing]):
        return 1
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="perepiska-test-")))
        environment = {"DATA_DIR": str(data), "REDIS_URL": stack.enter_context(embedded_redis(data)), "DEBUG": ""}
        failed = [name for name, run in suites(arguments, environment, stack) if not run]
    say(f"failed: {', '.join(failed)}" if failed else "everything passed")
    return bool(failed)


def suites(arguments: Sequence[str], environment: Mapping[str, str], stack: ExitStack) -> Iterator[tuple[str, bool]]:
    """Each suite by name, and whether it passed."""
    if "soak" in arguments:
        yield "soak", pytest("soak", environment, "-m", "soak or locking", "--timeout", "3600")
        database = stack.enter_context(embedded_postgresql())
        yield (
            "soak on PostgreSQL",
            pytest("soak on PostgreSQL", {**environment, "DATABASE_URL": database}, "-m", "locking", "--timeout", "3600"),
        )
        return
    for name, command in CHECKERS.items():
        yield name, run(name, command, environment)
    yield "unit", pytest("unit, on SQLite", environment, "-m", "not soak and not browser", "-n", "2")
    database = stack.enter_context(embedded_postgresql())
    yield "locking", pytest("locking, on PostgreSQL", {**environment, "DATABASE_URL": database}, "-m", "locking and not soak")
    yield "browser", pytest("journeys, in Chromium", environment, "-m", "browser", "--timeout", "400")


def pytest(name: str, environment: Mapping[str, str], *options: str) -> bool:
    return run(name, [sys.executable, "-m", "pytest", "-q", *options], environment)


def run(name: str, command: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Runs one command; says how long it took."""
    say(name)
    began = monotonic()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(command, cwd=BASE, env={**os.environ, "PATH": path, **environment}, check=False)
    say(f"{name}: {'passed' if done.returncode == 0 else 'FAILED'} in {monotonic() - began:.0f} s")
    return done.returncode == 0


@contextmanager
def embedded_redis(data: Path) -> Iterator[str]:
    with valkey.running(data / "redis") as url:
        say("started Valkey on a socket of its own")
        yield url


@contextmanager
def embedded_postgresql() -> Iterator[str]:
    with postgresql.running() as url:
        say(f"started PostgreSQL ({postgresql.version()})")
        yield url


def found(program: str) -> bool:
    where = postgresql.binary("postgres") if program == "postgres" else shutil.which(program)
    say(f"{program}: {where or 'not found'}")
    return where is not None


def install(packages: Sequence[str]) -> bool:
    """Installs Debian packages where that is allowed, else says which command would."""
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    wanted = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    allowed = shutil.which("apt-get") and (
        not sudo or subprocess.run([*sudo, "true"], capture_output=True, check=False).returncode == 0
    )
    if not allowed:
        say(f"needed and not found; run: sudo {' '.join(wanted)}")
        return False
    say(f"installing {', '.join(packages)}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "--quiet"], wanted):
        if subprocess.run([*sudo, *command], env=environment, check=False).returncode:
            say(f"that failed; run: sudo {' '.join(wanted)}")
            return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
