"""A PostgreSQL server of one's own, run by a user without privileges."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep


def binary(name: str) -> str | None:
    """Where a program of PostgreSQL is: on PATH, or where Debian puts it."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    return shutil.which(name) or (str(versions[-1]) if versions else None)


def version() -> str:
    """What the server calls itself."""
    program = binary("postgres")
    return subprocess.run([str(program), "--version"], capture_output=True, text=True, check=True).stdout.strip()


@contextmanager
def running() -> Iterator[str]:
    """The URL of an empty database on a server that ends with the block. Root hands it to `nobody`."""
    account = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    # A plain path: root's own temporary folder may not be reached by others.
    folder = Path(tempfile.mkdtemp(prefix="perepiska-pg-", dir="/tmp"))
    os.chown(folder, account.pw_uid, account.pw_gid)
    user, group = (account.pw_uid, account.pw_gid) if os.geteuid() == 0 else (None, None)
    data = folder / "data"
    subprocess.run(
        f"{binary('initdb')} -D {data} -U perepiska -A trust -E UTF8 --locale C.UTF-8 --no-sync".split(),
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=folder,
        user=user,
        group=group,
    )
    settings = "-c listen_addresses= -c max_connections=100 -c fsync=off -c shared_buffers=64MB"
    server = subprocess.Popen(
        f"{binary('postgres')} -D {data} -k {folder} {settings}".split(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        user=user,
        group=group,
    )
    try:
        _wait(folder)
        yield f"postgresql://perepiska@/postgres?host={folder}"
    finally:
        server.terminate()
        server.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _wait(folder: Path) -> None:
    import psycopg

    until = monotonic() + 30
    while True:
        try:
            psycopg.connect(f"postgresql://perepiska@/postgres?host={folder}").close()
        except psycopg.OperationalError:
            if monotonic() > until:
                raise
            sleep(0.05)
        else:
            return
