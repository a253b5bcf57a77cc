"""`make setup`: puts the locked packages into .venv. Runs under any python3 from 3.11, without a package besides pip.

`python3 -I config/bootstrap.py [requirements-dev.txt]`. The machine's own packages stay as they are: uv goes into .tools, so it
does not matter that a Debian python has no venv and a pip that refuses to install (PEP 668).
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent
VENV = BASE / ".venv"
TOOLS = BASE / ".tools"
UV_LOCK = BASE / "requirements-uv.txt"
OLDEST = (3, 11)
# The machine's own python, also when a virtual environment is active.
PYTHON = getattr(sys, "_base_executable", sys.executable)


class CannotSetUp(Exception):
    """Why it cannot go on, and what to do about it."""


def main(arguments: list[str]) -> int:
    """Exit status 1, with the way out on stderr, when the packages could not be installed."""
    if sys.version_info < OLDEST:
        print("Perepiska needs Python 3.11 or later; python3 is " + sys.version.split()[0], file=sys.stderr)
        return 1
    requirements = BASE / (arguments[0] if arguments else "requirements-dev.txt")
    try:
        TOOLS.mkdir(exist_ok=True)
        with (TOOLS / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            set_up(requirements)
    except CannotSetUp as why:
        print(why, file=sys.stderr)
        return 1
    return 0


def set_up(requirements: Path) -> None:
    """Makes .venv hold exactly the packages of a lock file; does nothing if it already does."""
    stamp = VENV / ".complete"
    wanted = hashlib.sha256(b"\0".join([requirements.read_bytes(), UV_LOCK.read_bytes(), sys.version.encode()])).hexdigest()
    if stamp.is_file() and stamp.read_text() == wanted and works(VENV / "bin" / "python"):
        return
    tool = uv()
    print(f"Setting up .venv from {requirements.name}", flush=True)
    stamp.unlink(missing_ok=True)
    if not works(VENV / "bin" / "python"):
        run([tool, "venv", "--quiet", "--clear", "--python", PYTHON, str(VENV)])
    run([tool, "pip", "sync", "--quiet", "--require-hashes", str(requirements)])
    stamp.write_text(wanted)


def uv() -> str:
    """Where uv is; fetched at the first time, as its lock file says."""
    folder = TOOLS / UV_LOCK.read_text().split(maxsplit=1)[0].replace("==", "-")
    program = folder / "bin" / "uv"
    if not program.exists():
        print(f"Fetching uv into {folder.relative_to(BASE)}", flush=True)
        if subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True, check=False).returncode:
            raise CannotSetUp(f"{PYTHON} has no pip; run: sudo apt-get install python3-pip")
        half = folder.with_name(f"{folder.name}.half")
        shutil.rmtree(half, ignore_errors=True)
        quiet = ["--quiet", "--disable-pip-version-check", "--root-user-action", "ignore"]
        run([PYTHON, "-m", "pip", "install", *quiet, "--require-hashes", "--target", str(half), "--requirement", str(UV_LOCK)])
        half.rename(folder)
    return str(program)


def works(python: Path) -> bool:
    """Whether a python is there, runs, and is of the machine's version (that one may have been replaced since)."""
    if not python.exists():
        return False
    same = f"import sys; sys.exit(sys.version_info[:2] != {tuple(sys.version_info[:2])})"
    return subprocess.run([python, "-I", "-c", same], capture_output=True, check=False).returncode == 0


def run(command: list[str]) -> None:
    """Runs a command that must succeed, in an environment in which it does what it says."""
    if subprocess.run(command, cwd=BASE, env=environment(), check=False).returncode:
        raise CannotSetUp(f"That failed: {' '.join(command)}")


def environment() -> dict[str, str]:
    """This one, without what would turn pip or uv elsewhere; uv asks the index that pip asks, and trusts whom it trusts."""
    settled = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "UV_PYTHON_DOWNLOADS": "never", "VIRTUAL_ENV": str(VENV)}
    kept = {name: value for name, value in os.environ.items() if name not in ("PIP_TARGET", "PIP_PREFIX", "UV_SYSTEM_PYTHON")}
    learned = {"UV_DEFAULT_INDEX": pip_says("index-url"), "SSL_CERT_FILE": pip_says("cert")}
    if Path("/etc/ssl/certs/ca-certificates.crt").exists():
        learned["UV_SYSTEM_CERTS"] = "true"
    return {**{name: value for name, value in learned.items() if value}, **kept, **settled}


def pip_says(name: str) -> str:
    """What pip's environment or configuration says, or nothing."""
    asked = subprocess.run([PYTHON, "-m", "pip", "config", "get", f"global.{name}"], capture_output=True, text=True, check=False)
    return os.environ.get(f"PIP_{name.upper().replace('-', '_')}") or (asked.stdout.strip() if asked.returncode == 0 else "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
