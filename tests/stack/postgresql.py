"""A PostgreSQL server of one's own, run by a user without privileges."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep


def program(name: str) -> str | None:
    """Where a program of PostgreSQL is: on PATH, or where Debian puts it; all of them from one version."""
    on_path = shutil.which("postgres")
    packaged = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: _numbers(folder.parent.name), reverse=True)
    for folder in [*([Path(on_path).resolve().parent] if on_path else []), *packaged]:
        if (folder / "postgres").exists() and (folder / "initdb").exists():
            return str(folder / name)
    return None


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def version() -> str:
    """What the server calls itself."""
    command = [str(program("postgres")), "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def account() -> pwd.struct_passwd:
    """Whose server it is: PostgreSQL refuses root, who hands it to `nobody`."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())


@contextmanager
def running(*, durable: bool = False) -> Iterator[str]:
    """The URL of an empty database on a server that ends with the block; `durable` makes it wait for the disk, as in life."""
    owner = account()
    # A plain path: root's own temporary folder may not be reached by others.
    folder = Path(tempfile.mkdtemp(prefix="perepiska-pg-", dir="/tmp"))
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    data, log = folder / "data", folder / "log"
    options = "-U perepiska -A trust -E UTF8 --locale C.UTF-8 --no-sync"
    create = [str(program("initdb")), "-D", str(data), *options.split()]
    serve = [str(program("postgres")), "-D", str(data), "-k", str(folder)]
    for setting in ("listen_addresses=", "max_connections=100", f"fsync={'on' if durable else 'off'}", "shared_buffers=64MB"):
        serve += ["-c", setting]
    user, group = (owner.pw_uid, owner.pw_gid) if os.geteuid() == 0 else (None, None)
    try:
        with log.open("wb") as out:
            subprocess.run(create, check=True, stdout=out, stderr=out, cwd=folder, user=user, group=group)
            server = subprocess.Popen(serve, stdout=out, stderr=out, cwd=folder, user=user, group=group)
        url = f"postgresql://perepiska@/postgres?host={folder}"
        try:
            _wait(server, url)
            yield url
        finally:
            server.send_signal(signal.SIGINT)  # at once, whoever is still connected
            server.wait(30)
    except (subprocess.CalledProcessError, TimeoutError) as problem:
        raise RuntimeError(f"PostgreSQL did not start: {log.read_text()}") from problem
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(server: subprocess.Popen[bytes], url: str) -> None:
    import psycopg

    until = monotonic() + 30
    while True:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError as problem:
            if monotonic() > until or server.poll() is not None:
                raise TimeoutError from problem
            sleep(0.05)
        else:
            return
