"""The people of the browser tests: all journeys of a process share one stack, in any order."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

JOURNEYS = Path(__file__).resolve().parents[1] / "journeys"


def people(path: Path) -> Iterator[tuple[str, str]]:
    """The names of those who come, each with the function in which they come."""
    for function in ast.walk(ast.parse(path.read_text())):
        if isinstance(function, ast.FunctionDef):
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "somebody":
                    yield from ((str(one.value), function.name) for one in call.args if isinstance(one, ast.Constant))


def test_nobody_comes_in_two_journeys_for_the_second_would_find_the_name_and_the_letters_of_the_first() -> None:
    comes = defaultdict[str, set[str]](set)
    for path in JOURNEYS.glob("test_*.py"):
        for name, function in people(path):
            comes[name].add(f"{path.name}:{function}")
    assert len(comes) > 10
    assert {name: where for name, where in comes.items() if len(where) > 1} == {}
