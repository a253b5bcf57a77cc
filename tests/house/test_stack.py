"""The stack: it starts, says what it does, heals itself, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.stack import valkey, whole
from tests.stack.whole import BASE, Stack

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


def children(stack: Stack) -> dict[str, int]:
    """The pids of the stack's processes by what they are."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().decode().split("\0")
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError):
            continue
        if parent == stack.parent.pid:
            names = {"gunicorn": "web", "engine": "engine", "worker": "worker", "beat": "beat"}
            name = next((names[one] for one in names if one in command), "redis")
            found[name] = int(folder.name)
    return found


def until(condition: object, seconds: float = 40) -> bool:
    assert callable(condition)
    end = monotonic() + seconds
    while monotonic() < end:
        if condition():
            return True
        sleep(0.2)
    return False


def runs(pid: int) -> bool:
    """Whether a process has not ended; one that its new parent has not asked about yet has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"
    except OSError:
        return False


def test_it_starts_heals_and_stops(tmp_path: Path) -> None:
    with whole.running(tmp_path / "data", ONE_WORKER="") as stack:
        said = stack.log.read_text()
        for words in (stack.url, "/mailbox/", "make administrator"):
            assert words in said
        assert until(lambda: json.load(urllib.request.urlopen(f"{stack.url}/healthz"))["sweep_late"] is not None)
        health = json.load(urllib.request.urlopen(f"{stack.url}/healthz"))
        assert all(health[name] is True for name in ("database", "broker", "worker", "engine", "beat"))
        assert health["sweep_late"] < 5

        before = children(stack)
        assert set(before) == {"redis", "web", "worker", "engine", "beat"}
        for pid in before.values():
            os.kill(pid, signal.SIGKILL)
        assert until(lambda: len(children(stack)) == 5 and not set(children(stack).values()) & set(before.values()))
        stack.wait()
        for name in before:
            assert f"{name} died (exit status -9); starting it again" in stack.log.read_text()
        last = children(stack)
    assert "Stopped" in stack.log.read_text()
    assert until(lambda: not any(map(runs, last.values())), 10)


def test_it_starts_again_after_its_parent_was_killed_and_ends_the_children_that_outlived_it(tmp_path: Path) -> None:
    with whole.running(tmp_path / "data") as stack:
        orphans = children(stack)
        stack.parent.kill()
        assert until(lambda: not any(map(runs, orphans.values())), 90)
    # Without setpriv on PATH nothing binds them to their parent.
    with whole.running(tmp_path / "data", PATH=str(tmp_path)) as stack:
        orphans = children(stack)
        stack.parent.kill()
        stack.parent.wait()
        assert all(map(runs, orphans.values()))
    with whole.running(tmp_path / "data", port=int(stack.url.rsplit(":", 1)[1])) as again:
        # The web server that was left behind answered for the new one.
        assert until(lambda: not any(map(runs, orphans.values())), 90)
        ended = "Ended what a killed server had left behind: 4 of its children"
        assert until(lambda: ended in again.log.read_text()), again.log.read_text()


def test_a_redis_that_is_given_is_used_and_none_is_started(tmp_path: Path) -> None:
    with valkey.running(tmp_path / "redis") as url, whole.running(tmp_path / "data", REDIS_URL=url) as stack:
        assert set(children(stack)) == {"web", "worker", "beat"}
        assert stack.health() == 200


def start(**environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "config.stack"]
    return subprocess.run(command, cwd=BASE, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


def test_a_taken_port_is_told_with_the_way_out(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = start(PORT=str(port), DATA_DIR=str(tmp_path))
    assert refused.returncode == 1
    assert f"Port {port} is taken" in refused.stderr
    assert f"make serve PORT={port + 1}" in refused.stderr


@pytest.mark.parametrize("port", ["x", "0", "70000"])
def test_a_port_that_is_none_is_told(tmp_path: Path, port: str) -> None:
    refused = start(PORT=port, DATA_DIR=str(tmp_path))
    assert refused.returncode == 1
    assert "a number from 1 to 65535" in refused.stderr


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """One that runs below a folder with a long name, too long for a socket."""
    with whole.running(tmp_path_factory.mktemp("data") / ("long" * 30)) as stack:
        yield stack


def test_it_finds_its_socket_below_a_folder_with_a_long_name(stack: Stack) -> None:
    assert "redis" in children(stack)
    assert stack.health() == 200


def test_a_second_server_on_the_same_data_is_refused(stack: Stack) -> None:
    refused = start(PORT=str(whole.free_port()), DATA_DIR=str(stack.data))
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"Perepiska already runs on the data in {stack.data}.")
    port = stack.url.rsplit(":", 1)[1]
    refused = start(PORT=port, DATA_DIR=str(stack.data))
    assert refused.stderr.startswith(f"Port {port} is taken: Perepiska already runs on the data in {stack.data}.")
    assert stack.health() == 200


def test_health_is_503_while_a_part_is_missing(stack: Stack) -> None:
    os.kill(children(stack)["beat"], signal.SIGSTOP)
    assert until(lambda: stack.health() == 503, 40)
    os.kill(children(stack)["beat"], signal.SIGCONT)
    stack.wait()
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"{stack.url}/healthz/none")


def test_nothing_starts_on_settings_that_would_be_refused(tmp_path: Path) -> None:
    refused = start(PORT=str(whole.free_port()), DATA_DIR=str(tmp_path), BIND="0.0.0.0")
    assert refused.returncode == 1
    assert "SECRET_KEY is the default one and the host is public" in refused.stderr
    assert "Starting" not in refused.stdout


def test_make_ends_with_the_stack_and_the_stack_with_make(tmp_path: Path) -> None:
    port = whole.free_port()
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "REDIS_URL": "", "DATABASE_URL": "", "ONE_WORKER": "1"}
    command = ["make", "--silent", "serve", f"PORT={port}"]
    make = subprocess.Popen(command, cwd=BASE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    stack = Stack(f"http://localhost:{port}", tmp_path, make, tmp_path / "log")  # type: ignore[arg-type]
    assert until(lambda: stack.health() == 200, 150)
    make.terminate()
    said, _ = make.communicate(timeout=60)
    assert "Stopped\n" in said
    assert stack.health() == 0


def test_it_stops_its_children_although_nobody_listens_any_more(tmp_path: Path) -> None:
    port = whole.free_port()
    alone = {"REDIS_URL": "", "DATABASE_URL": "", "ONE_WORKER": "1"}
    environment = {**os.environ, **alone, "DATA_DIR": str(tmp_path), "PORT": str(port)}
    parent = subprocess.Popen([sys.executable, "-m", "config.stack"], cwd=BASE, env=environment, stdout=subprocess.PIPE)
    stack = Stack(f"http://localhost:{port}", tmp_path, parent, tmp_path / "log")
    assert until(lambda: stack.health() == 200, 150)
    mine = children(stack)
    assert parent.stdout is not None
    parent.stdout.close()
    parent.terminate()
    parent.wait(60)
    assert not [name for name, number in mine.items() if Path(f"/proc/{number}").exists()]
