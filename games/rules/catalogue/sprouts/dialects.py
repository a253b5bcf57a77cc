"""How others write whole games of Sprouts: the lines of the reference games, and those of e-mail matches.

An e-mail match of the World Game of Sprouts Association is `8+ 1(9)2 1(10)1[3,4] … I`: the spots, `+` for normal play or `-` for
misère, the moves, and the winner, I or II. Who sees the end coming stops: that is a resignation.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Final

from games.rules import entry as kinds
from games.rules.catalogue.sprouts import notation, play
from games.rules.entry import Entry, Record, Unreadable
from games.rules.position import MoveRefused
from games.rules.reference import entries_of, is_of, line_of, moves_of, text_in, texts_in

NAME: Final = "sprouts"
VERSION: Final = 1
NO_MOVE: Final = "no_move"
WINNERS: Final = {"I": "1-0", "II": "0-1"}

_MATCH: Final = re.compile(r"\s*([1-9][0-9]{0,3})([+-])\s", re.ASCII)


def _notations(record: Record) -> list[str]:
    """The moves of a record without what is stored of their drawing."""
    return [move.partition(notation.DRAWN)[0] for move in moves_of(record)]


class ReferenceLines:
    """The dialect of the reference games: one JSON object a line."""

    def reads(self, text: str) -> bool:
        """Whether this is a JSON object that names the game."""
        return is_of(NAME, text)

    def read(self, text: str) -> Record:
        """The record of a line. Raises Unreadable."""
        line = line_of(NAME, text)
        result = text_in(line, "result")
        return Record(
            ruleset=NAME,
            version=VERSION,
            options={"n": line.get("n", 5), "misere": line.get("misere", False)},
            seats=2,
            entries=entries_of(texts_in(line, "moves")),
            result=result,
            termination=None if result == "*" else NO_MOVE,
        )

    def write(self, record: Record) -> str:
        """The line of a record that holds moves only. Raises ValueError for one that holds anything else."""
        moves = _notations(record)
        return json.dumps({"game": NAME, **record.options, "moves": moves, "plies": len(moves), "result": record.result})


class EmailMatches:
    """The dialect of e-mail matches: a game on a line."""

    def reads(self, text: str) -> bool:
        """Whether the text begins with a number of spots and a sign."""
        return _MATCH.match(text) is not None

    def read(self, text: str) -> Record:
        """The record of a line. Raises Unreadable."""
        begun = _MATCH.match(text)
        if begun is None:
            raise Unreadable("a match begins with its spots and a sign, as in 8+", 1, 1)
        moves = text[begun.end() :].split()
        winner = WINNERS.get(moves[-1]) if moves else None
        if winner is not None:
            moves.pop()
        n, misere = int(begun[1]), begun[2] == "-"
        entries, termination = entries_of(moves), None
        if winner is not None:
            termination = NO_MOVE if _is_over(n, moves) else "resignation"
        if termination == "resignation":
            entries = (*entries, Entry(len(entries) + 1, kinds.RESIGN, 1 if winner == "1-0" else 0))
        return Record(NAME, VERSION, {"n": n, "misere": misere}, 2, entries, result=winner or "*", termination=termination)

    def write(self, record: Record) -> str:
        """The line of a record that holds moves, and perhaps a resignation at the end. Raises ValueError for any other."""
        if record.entries and record.entries[-1].kind == kinds.RESIGN:
            record = replace(record, entries=record.entries[:-1])
        winner = [name for name, result in WINNERS.items() if result == record.result]
        sign = "-" if record.options.get("misere") else "+"
        return " ".join((f"{record.options.get('n', 5)}{sign}", *_notations(record), *winner))


def _is_over(n: int, moves: list[str]) -> bool:
    """Whether the moves end the game; a move that is refused does not."""
    plan = play.start(n, misere=False)
    try:
        for move in moves:
            plan = play.draw(plan, notation.read(plan, move))
    except MoveRefused:
        return False
    return not play.has_line(plan)
