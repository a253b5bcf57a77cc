"""Lines of reference games: one JSON object a line, which names its game and lists its moves; the rest is each game's own."""

from __future__ import annotations

import json
from typing import Any

from games.rules import entry as kinds
from games.rules.entry import Entry, Record, Unreadable


def is_of(name: str, text: str) -> bool:
    """Whether a text looks like a line of this game (a cheap test)."""
    return text.lstrip().startswith("{") and f'"{name}"' in text


def line_of(name: str, text: str) -> dict[str, Any]:
    """The object that a line of this game holds. Raises Unreadable."""
    try:
        line = json.loads(text)
    except json.JSONDecodeError as problem:
        raise Unreadable(f"not JSON: {problem.msg}", problem.lineno, problem.colno) from problem
    except (ValueError, RecursionError) as problem:
        raise Unreadable(f"not JSON: {problem}", 1, 1) from problem
    if not isinstance(line, dict) or line.get("game") != name:
        raise Unreadable(f"not a game of {name}", 1, 1)
    return line


def text_in(line: dict[str, Any], name: str) -> str:
    """A field that is a text. Raises Unreadable."""
    text = line.get(name)
    if not isinstance(text, str):
        raise Unreadable(f"{name} is not a text", 1, 1)
    return text


def texts_in(line: dict[str, Any], name: str) -> list[str]:
    """A field that is a list of texts. Raises Unreadable."""
    texts = line.get(name)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Unreadable(f"{name} is not a list of texts", 1, 1)
    return texts


def object_in(line: dict[str, Any], name: str) -> dict[str, Any]:
    """A field that is an object. Raises Unreadable."""
    found = line.get(name)
    if not isinstance(found, dict):
        raise Unreadable(f"{name} is not an object", 1, 1)
    return found


def entries_of(moves: list[str]) -> tuple[Entry, ...]:
    """Moves as the entries of a record: inverse of `moves_of`."""
    return tuple(Entry(number, kinds.MOVE, None, move) for number, move in enumerate(moves, start=1))


def moves_of(record: Record) -> list[str]:
    """The moves of a record that holds nothing else, for notations that know nothing else. Raises ValueError."""
    if any(one.kind != kinds.MOVE for one in record.entries):
        raise ValueError("this notation holds nothing but moves")
    return [one.text for one in record.entries]
