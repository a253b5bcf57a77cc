"""Prints, in one run: service moves a second beside bare SQL, the sweep's claim, `play` calls a second, memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.stack import postgresql, valkey, whole

BASE = Path(__file__).resolve().parents[2]
CLIENTS = (1, 8, 32)


def part(name: str, *arguments: str, **environment: str) -> None:
    """Runs one part in a process of its own, so that Django can be set up for its database."""
    command = [sys.executable, "-m", f"tests.bench.{name}", *arguments]
    subprocess.run(
        command, cwd=BASE, env={**os.environ, "DEBUG": "", "DJANGO_SETTINGS_MODULE": "config.settings", **environment}, check=True
    )


def memory(data: Path) -> None:
    """Resident and proportional memory of everything that `make serve` runs."""
    with whole.running(data) as stack:
        group = [stack.parent.pid]
        for folder in Path("/proc").glob("[0-9]*"):
            parents = folder / "status"
            try:
                ppid = int(next(line for line in parents.read_text().splitlines() if line.startswith("PPid:")).split()[1])
            except (OSError, StopIteration):
                continue
            if ppid in group or _descends(ppid, stack.parent.pid):
                group.append(int(folder.name))
        sizes = [_size(pid) for pid in set(group)]
    rss, pss = (sum(size[index] for size in sizes) for index in (0, 1))
    print(f"memory of make serve: {rss:.0f} MB resident, {pss:.0f} MB proportional, {len(sizes)} processes (goal 400)")


def _descends(pid: int, ancestor: int) -> bool:
    while pid > 1:
        if pid == ancestor:
            return True
        pid = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return False


def _size(pid: int) -> tuple[float, float]:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    found = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines[1:]}
    return found["Rss"], found["Pss"]


def main() -> None:
    """All parts, one after the other."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="perepiska-bench-")))
        os.environ["REDIS_URL"] = stack.enter_context(valkey.running(data / "redis"))
        part("rules", DATA_DIR=str(data))
        memory(data / "serve")
        for clients in CLIENTS:
            part("moves", str(clients), DATA_DIR=str(data / f"sqlite-{clients}"))
        with postgresql.running() as url:
            for clients in CLIENTS:
                part("moves", str(clients), DATABASE_URL=url, DATA_DIR=str(data))
            part("sweep", DATABASE_URL=url, DATA_DIR=str(data))
        part("sweep", DATA_DIR=str(data / "sweep"))


if __name__ == "__main__":
    main()
