"""`make setup`: quick when there is nothing to do, thorough when there is, and plain about what it lacks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parents[2]
PYTHON = str(getattr(sys, "_base_executable", sys.executable))
UV = """#!{python}
import os, pathlib, sys
with open({said!r}, "a") as said:
    print(*sys.argv[1:], "index:", os.environ.get("UV_DEFAULT_INDEX"), file=said)
if sys.argv[1] == "venv":
    program = pathlib.Path(sys.argv[-1], "bin", "python")
    program.parent.mkdir(parents=True, exist_ok=True)
    program.unlink(missing_ok=True)
    program.symlink_to({python!r})
"""


class Checkout:
    """A checkout in a folder of its own, whose uv only tells what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "config").mkdir()
        for name in ("Makefile", "config/bootstrap.py", "requirements.txt", "requirements-dev.txt", "requirements-uv.txt"):
            shutil.copy(BASE / name, folder / name)
        version = (folder / "requirements-uv.txt").read_text().split()[0].removeprefix("uv==")
        self.said = folder / "said"
        self.uv = folder / ".tools" / f"uv-{version}" / "bin" / "uv"
        self.uv.parent.mkdir(parents=True)
        self.uv.write_text(UV.format(python=PYTHON, said=str(self.said)))
        self.uv.chmod(0o755)

    def make(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        command = ["make", "--silent", f"PYTHON={PYTHON}", *arguments]
        return subprocess.run(command, cwd=self.folder, env={**kept, **environment}, capture_output=True, text=True, check=False)

    def asked(self) -> list[str]:
        """What uv was asked since the last look: the first words."""
        lines = self.said.read_text().splitlines() if self.said.exists() else []
        self.said.unlink(missing_ok=True)
        return [line.split(" --")[0] for line in lines]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_it_makes_the_environment_once(checkout: Checkout) -> None:
    made = checkout.make("setup")
    assert made.returncode == 0, made.stderr
    assert "Setting up .venv from requirements-dev.txt" in made.stdout
    assert checkout.asked() == ["venv", "pip sync"]
    again = checkout.make("setup")
    assert (again.stdout, again.stderr, checkout.asked()) == ("", "", [])


def test_another_lock_file_or_a_changed_one_is_installed_into_the_same_environment(checkout: Checkout) -> None:
    checkout.make("setup")
    checkout.asked()
    checkout.make("setup", "REQUIREMENTS=requirements.txt")
    assert checkout.asked() == ["pip sync"]
    with (checkout.folder / "requirements-dev.txt").open("a") as lock:
        lock.write("# another one\n")
    checkout.make("setup")
    assert checkout.asked() == ["pip sync"]


def test_an_environment_whose_python_is_gone_is_made_anew(checkout: Checkout) -> None:
    checkout.make("setup")
    checkout.asked()
    (checkout.folder / ".venv" / "bin" / "python").unlink()
    checkout.make("setup")
    assert checkout.asked() == ["venv", "pip sync"]


def test_an_installation_that_was_cut_off_is_repeated(checkout: Checkout) -> None:
    checkout.uv.write_text(f"#!{PYTHON}\nraise SystemExit(2)\n")
    failed = checkout.make("setup")
    assert failed.returncode != 0
    assert "That failed: " in failed.stderr
    checkout.uv.write_text(UV.format(python=PYTHON, said=str(checkout.said)))
    assert checkout.make("setup").returncode == 0
    assert checkout.asked() == ["venv", "pip sync"]


def test_uv_asks_the_index_that_pip_is_told_to_ask(checkout: Checkout) -> None:
    checkout.make("setup", PIP_INDEX_URL="https://mirror.example.org/simple", PIP_USER="1", PIP_REQUIRE_VIRTUALENV="1")
    assert "index: https://mirror.example.org/simple" in checkout.said.read_text()


def test_a_python_without_pip_is_told_with_the_way_out(checkout: Checkout) -> None:
    shutil.rmtree(checkout.folder / ".tools")
    bare = checkout.folder / "bare"
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", str(bare)], check=True)
    # As such a python sees itself, when it is the machine's own.
    machines = "sys._base_executable = sys.executable; sys.argv = ['bootstrap']"
    program = f"import runpy, sys; {machines}; runpy.run_path('config/bootstrap.py', run_name='__main__')"
    command = [str(bare / "bin/python"), "-c", program]
    told = subprocess.run(command, cwd=checkout.folder, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert "has no pip; run: sudo apt-get install python3-pip" in told.stderr


def test_no_lock_file_names_an_address() -> None:
    for lock in BASE.glob("requirements*.txt"):
        assert "://" not in lock.read_text(), lock.name


def test_every_lock_line_has_a_hash() -> None:
    for lock in BASE.glob("requirements*.txt"):
        for package in lock.read_text().replace("\\\n", " ").splitlines():
            assert package.lstrip().startswith("#") or "--hash=sha256:" in package, f"{lock.name}: {package}"
