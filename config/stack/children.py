"""Children: processes that a parent starts, listens to, restarts when they die, and ends."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Thread
from time import monotonic
from typing import IO, Final

PATIENCE: Final = 10.0
"""Seconds that a child may take to end before it is killed."""
STEADY: Final = 20.0
"""A child that lived so long is restarted at once; one that died sooner waits longer each time."""


def say(line: str) -> None:
    """Prints a line at once, also into a pipe. A terminal that was closed must not keep the children from being stopped."""
    with suppress(OSError):
        print(line, flush=True)


@dataclass(slots=True)
class Child:
    """A command under a name, which ends at the signal `asked_by`. `failures` counts quick deaths in a row."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    asked_by: signal.Signals = signal.SIGTERM
    process: subprocess.Popen[str] | None = None
    started: float = 0.0
    failures: int = 0
    due: float = 0.0

    def start(self) -> None:
        """Starts the process; its output comes out line by line behind its name."""
        self.process = subprocess.Popen(
            [*_bound_to_parent(), *self.command],
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            process_group=0,
        )
        self.started = monotonic()
        if self.process.stdout is not None:
            Thread(target=_relay, args=(self.name, self.process.stdout), daemon=True).start()

    def look(self) -> bool:
        """Notices a death, says so, and starts the child again when its wait is over; whether it was started now."""
        if self.process is not None and self.process.poll() is not None:
            lived = monotonic() - self.started
            self.failures = 0 if lived >= STEADY else self.failures + 1
            wait = min(2.0**self.failures, 30.0) if self.failures > 1 else 0.0
            say(
                f"{self.name} died (exit status {self.process.returncode}); starting it again"
                + (f" in {wait:.0f} s" if wait else "")
            )
            self._end_group()
            self.process, self.due = None, monotonic() + wait
        if self.process is not None or monotonic() < self.due:
            return False
        self.start()
        return True

    def stop(self) -> None:
        """Ends the process: asks, waits, kills."""
        if self.process is None:
            return
        self.process.send_signal(self.asked_by)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            say(f"{self.name} does not end; killing it")
            self.process.kill()
            self.process.wait()
        self._end_group()

    def _end_group(self) -> None:
        """Ends what the process started and left behind, such as a web worker that holds the port."""
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)


def _relay(name: str, lines: IO[str]) -> None:
    for line in lines:
        say(f"{name:>6} | {line.rstrip()}")


def _bound_to_parent() -> list[str]:
    """What makes the kernel end a child whose parent was killed outright: util-linux has it on every Debian."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM"] if setpriv else []
