"""Leftovers: children that outlived a parent which was killed outright. They are ended before new ones start on the same data."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final

NAME: Final = "children"
PATIENCE: Final = 10.0
"""Seconds that leftovers may take to end before they are killed."""


def remember(data: Path, pids: Iterable[int]) -> None:
    """Notes the children with the time each was started: a number alone may belong to another process by the next start."""
    lines = [f"{pid} {started}\n" for pid in pids if (started := _started(pid))]
    unfinished = data / f".{NAME}"
    unfinished.write_text("".join(lines))
    unfinished.replace(data / NAME)


def end(data: Path) -> int:
    """Ends the children noted in the folder that still run, with all that they started; returns how many there were."""
    try:
        noted = [line.split() for line in (data / NAME).read_text().splitlines()]
    except FileNotFoundError:
        return 0
    alive = [int(pid) for pid, started in noted if _started(int(pid)) == started]
    _signal(alive, signal.SIGTERM)
    until = monotonic() + PATIENCE
    while monotonic() < until and any(_started(pid) for pid in alive):
        sleep(0.05)
    _signal(alive, signal.SIGKILL)
    (data / NAME).unlink()
    return len(alive)


def _signal(groups: Iterable[int], number: int) -> None:
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)


def _started(pid: int) -> str:
    """When a process was started, in the kernel's ticks; empty for one that ended, and where there is no /proc."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]
