"""Memory of everything that `make serve` runs, once it has answered some requests."""

from __future__ import annotations

import urllib.request
from pathlib import Path
from time import sleep

from tests.stack import whole

GOAL = 400
PAGES = ("/", "/challenges/", "/rules/mangala/", "/accounts/signup/", "/accounts/login/", "/mailbox/")


def measure(data: Path) -> None:
    """Prints a line for each process and one for all."""
    with whole.running(data, ONE_WORKER="") as stack:
        for _ in range(5):
            for page in PAGES:
                urllib.request.urlopen(f"{stack.url}{page}").read()
        sleep(5)
        sizes = {pid: size(pid) for pid in family(stack.parent.pid)}
        for pid, (resident, proportional) in sizes.items():
            print(f"  {resident:5.0f} MB resident, {proportional:5.0f} MB proportional: {name(pid)}")
    resident, proportional = (sum(one[index] for one in sizes.values()) for index in (0, 1))
    print(f"make serve: {resident:.0f} MB resident, {proportional:.0f} MB proportional (goal: under {GOAL} MB)", flush=True)


def family(ancestor: int) -> list[int]:
    """A process and all that descend from it."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(status.parent.name)] = int(status.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    found = [ancestor]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def size(pid: int) -> tuple[float, float]:
    """Resident and proportional size in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines}
    return sizes["Rss"], sizes["Pss"]


def name(pid: int) -> str:
    """What the process was started as."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
    kinds = {"config.stack": "parent", "gunicorn": "web", "engine": "engine", "worker": "worker", "beat": "beat"}
    return next((kinds[word] for word in kinds if word in words), "redis")
