"""The lines of the reference games: one JSON object a line, a pit choice an entry (see their README)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.rules import entry as kinds
from games.rules.entry import Entry, Json, Options, Record, Unreadable
from games.rules.reference import is_of, line_of, moves_of, object_in, text_in, texts_in
from games.rules.sowing import SIDES


def _as_they_are(line: dict[str, Json]) -> Options:
    return object_in(line, "options") if "options" in line else {}


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
        return is_of(self.name, text)

    def read(self, text: str) -> Record:
        """The record of a line. Raises Unreadable."""
        line = line_of(self.name, text)
        moves = texts_in(line, "moves")
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
            result=text_in(line, "result"),
            termination=text_in(line, "end"),
            final=object_in(line, "final"),
        )

    def write(self, record: Record) -> str:
        """The line of a record that holds moves only. Raises ValueError for one that holds anything else."""
        moves = moves_of(record)
        line: dict[str, Any] = {"id": record.tags["Id"]} if "Id" in record.tags else {}
        line |= {"game": self.name, **self.options_out(record.options), "moves": moves}
        line |= {"final": dict(record.final or {}), "result": record.result}
        movers = [SIDES[one.seat] for one in record.entries if one.seat is not None]
        if len(movers) == len(record.entries):
            line["movers"] = "".join(movers)
        return json.dumps(line | {"end": record.termination})


def _seats(line: dict[str, Any], moves: int) -> list[int] | list[None]:
    movers = line.get("movers")
    if movers is None:
        return [None] * moves
    if not isinstance(movers, str) or len(movers) != moves or not set(movers) <= set(SIDES):
        raise Unreadable("movers is not a letter, S or N, for each move", 1, 1)
    return [SIDES.index(mover) for mover in movers]
