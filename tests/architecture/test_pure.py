"""Rules, drawing, engines and timing are functions of what they are given: no framework, no clock, no disk, no chance."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parents[2]
PURE = ("games/rules", "games/drawing", "games/engines", "games/timing.py")
READS_THE_WORLD = frozenset({"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint", "id", "hash"})
READS_THE_CLOCK = frozenset({"now", "utcnow", "today"})

PLAY_A_GAME = """
import sys
from random import Random

class NoFramework:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("django", "celery", "allauth", "redis", "accounts", "notifications", "config"):
            raise ImportError(name)

sys.meta_path.insert(0, NoFramework())
import games.drawing.canvas, games.timing
from games.rules import record, registry
from games.rules.entry import MOVE, Entry, Record
from games.rules.phrase import in_english
from games.rules.ruleset import Marks

for name in registry.names():
    ruleset = registry.get(name)
    position, random, entries = ruleset.start({}, ruleset.facts.seats[0]), Random(7), []
    while moves := list(ruleset.legal_moves(position)):
        move = random.choice(moves)
        view = ruleset.view(position, 1)
        print(ruleset.dump(position), ruleset.events(position, move), ruleset.describe(view, in_english))
        print(ruleset.diagram(view), ruleset.picture(view, Marks(choices=tuple(moves)), in_english))
        entries.append(Entry(len(entries) + 1, MOVE, ruleset.to_move(position), move))
        position = ruleset.play(position, move)
    print(record.write(Record(name, ruleset.facts.version, {}, ruleset.facts.seats[0], tuple(entries)), ruleset))
"""


def pure_files() -> list[Path]:
    return [file for root in PURE for file in ([BASE / root] if root.endswith(".py") else sorted((BASE / root).rglob("*.py")))]


def impurities(tree: ast.AST) -> Iterator[str]:
    """What a pure module may not do, each with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in READS_THE_WORLD:
                yield f"line {node.lineno} calls {name}"
            case ast.Call(func=ast.Attribute(attr=name)) if name in READS_THE_CLOCK:
                yield f"line {node.lineno} reads the clock"
            case ast.Global() | ast.Nonlocal() | ast.AsyncFunctionDef():
                yield f"line {node.lineno} keeps state or waits"


def play_a_game(hash_seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PLAY_A_GAME],
        cwd=BASE,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("file", pure_files(), ids=lambda file: str(file.relative_to(BASE)))
def test_a_pure_module_reads_no_clock_and_no_disk_and_keeps_no_state(file: Path) -> None:
    assert list(impurities(ast.parse(file.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize(
    "line",
    [
        "open('guide.md')",
        "print(1)",
        "datetime.now(UTC)",
        "date.today()",
        "hash('a')",
        "def f():\n    global seen",
        "async def f(): ...",
    ],
)
def test_what_is_not_pure_is_noticed(line: str) -> None:
    assert len(list(impurities(ast.parse(line)))) == 1


def test_a_whole_game_needs_no_framework_and_looks_the_same_in_every_process() -> None:
    told = play_a_game("1")
    assert "<svg" in told
    assert told == play_a_game("2")
