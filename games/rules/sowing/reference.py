"""The lines of the reference games: one JSON object a line, a pit choice an entry (see their README)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.rules import entry as kinds
from games.rules.entry import Entry, Json, Options, Record, Unreadable
from games.rules.sowing import SIDES


def _as_they_are(line: dict[str, Json]) -> Options:
    return _object(line, "options") if "options" in line else {}


def _written_as_they_are(options: Options) -> dict[str, Json]:
    return {"options": dict(options)}


@dataclass(frozen=True, slots=True)
class ReferenceLines:
    """The dialect for one ruleset; `options_in` reads its options from a line and `options_out` writes the keys for them."""

    name: str
    version: int
    options_in: Callable[[dict[str, Json]], Options] = _as_they_are
    options_out: Callable[[Options], dict[str, Json]] = _written_as_they_are

    def reads(self, text: str) -> bool:
        """Whether this is a JSON object that names the game."""
        return text.lstrip().startswith("{") and f'"{self.name}"' in text

    def read(self, text: str) -> Record:
        """The record of a line. Raises Unreadable."""
        try:
            line = json.loads(text)
        except json.JSONDecodeError as problem:
            raise Unreadable(f"not JSON: {problem.msg}", problem.lineno, problem.colno) from problem
        except (ValueError, RecursionError) as problem:
            raise Unreadable(f"not JSON: {problem}", 1, 1) from problem
        if not isinstance(line, dict) or line.get("game") != self.name:
            raise Unreadable(f"not a game of {self.name}", 1, 1)
        moves = _moves(line)
        return Record(
            ruleset=self.name,
            version=self.version,
            options=self.options_in(line),
            seats=2,
            entries=tuple(
                Entry(number, kinds.MOVE, seat, move)
                for number, (move, seat) in enumerate(zip(moves, _seats(line, len(moves)), strict=True), start=1)
            ),
            tags={"Id": str(line["id"])} if "id" in line else {},
            result=_text(line, "result"),
            termination=_text(line, "end"),
            final=_object(line, "final"),
        )

    def write(self, record: Record) -> str:
        """The line of a record that holds moves only. Raises ValueError for one that holds anything else."""
        if any(one.kind != kinds.MOVE for one in record.entries):
            raise ValueError("a reference line holds nothing but moves")
        line: dict[str, Any] = {"id": record.tags["Id"]} if "Id" in record.tags else {}
        line |= {"game": self.name, **self.options_out(record.options), "moves": [one.text for one in record.entries]}
        line |= {"final": dict(record.final or {}), "result": record.result}
        movers = [SIDES[one.seat] for one in record.entries if one.seat is not None]
        if len(movers) == len(record.entries):
            line["movers"] = "".join(movers)
        return json.dumps(line | {"end": record.termination})


def _moves(line: dict[str, Any]) -> list[str]:
    moves = line.get("moves")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise Unreadable("moves is not a list of texts", 1, 1)
    return moves


def _seats(line: dict[str, Any], moves: int) -> list[int] | list[None]:
    movers = line.get("movers")
    if movers is None:
        return [None] * moves
    if not isinstance(movers, str) or len(movers) != moves or not set(movers) <= set(SIDES):
        raise Unreadable("movers is not a letter, S or N, for each move", 1, 1)
    return [SIDES.index(mover) for mover in movers]


def _text(line: dict[str, Any], name: str) -> str:
    text = line.get(name)
    if not isinstance(text, str):
        raise Unreadable(f"{name} is not a text", 1, 1)
    return text


def _object(line: dict[str, Any], name: str) -> dict[str, Any]:
    found = line.get(name)
    if not isinstance(found, dict):
        raise Unreadable(f"{name} is not an object", 1, 1)
    return found
