"""What is written of a game: the entries of its log, and a whole record of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeAlias

OptionValue: TypeAlias = str | int | bool
Options: TypeAlias = Mapping[str, OptionValue]
Json: TypeAlias = Any

JOIN: Final = "join"
COMMIT: Final = "commit"
CHANCE_FELL: Final = "chance"
REVEAL: Final = "reveal"
LOST: Final = "lost"
"""What a reveal holds in the place of a seed that nobody has any more."""
MOVE: Final = "move"
TIMEOUT: Final = "timeout"
PROPOSE: Final = "propose"
AGREE: Final = "agree"
REFUSE: Final = "refuse"
WITHDRAW: Final = "withdraw"
RESIGN: Final = "resign"
ABORT: Final = "abort"
CLOCK: Final = "clock"
ADJUDICATE: Final = "adjudicate"
ANNUL_LOST: Final = "annul lost"
"""The house's ruling on a game whose seed is lost, so that nothing can fall any more."""
ANNUL_ABANDONED: Final = "annul abandoned"
"""The house's ruling on a table at which every player lets turn after turn pass."""
CORRECT: Final = "correct"

GIFT: Final = "gift"
PAUSE: Final = "pause"
RESUME: Final = "resume"
OUTAGE: Final = "outage"

ENGINE: Final = "engine"
"""The first word of a join by a computer; its level follows: `engine 3`. A player joins by number, a guest as GUEST."""
GUEST: Final = "guest"

TAKEBACK: Final = "takeback"
"""The proposal to go back to before the last turn of who makes it. It is the rules' own in no game, and possible in all."""

REMOVE: Final = "remove"
"""The first word of the proposal to go on without a seat; the number of the seat, from 0, follows: `remove 2`."""


def order_of_lot(joined: str) -> tuple[int, int]:
    """What those who joined are sorted by before a lot is drawn: players by number, computers by level, guests last."""
    if joined == GUEST:
        return (2, 0)
    return (1, int(joined.split()[1])) if joined.startswith(f"{ENGINE} ") else (0, int(joined))


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log. `number` counts from 1 within the game; `at` is None where no time was written."""

    number: int
    kind: str
    seat: int | None = None
    text: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A written game.

    `entries` hold what happened after the start (no `join`). `tags` are the other header tags, in order. `result`
    (`1-0`, `1/2-1/2`, `*` ...), `termination` and `final` (values of the final position's JSON, perhaps not all of
    them) are what the writer claims; None where he claims nothing.
    """

    ruleset: str
    version: int
    options: Options
    seats: int
    entries: tuple[Entry, ...]
    tags: Mapping[str, str] = field(default_factory=dict)
    result: str | None = None
    termination: str | None = None
    final: Mapping[str, Json] | None = None
    comments: Mapping[int, str] = field(default_factory=dict)
    """Comments by the number of the entry they follow; 0 before the first."""
    outcomes: Mapping[int, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """What could have fallen, each with its weight, by the number of an entry of chance, where the writer says so."""


class Unreadable(ValueError):
    """A text that is no record: `line` and `column` count from 1, `why` is an English sentence."""

    def __init__(self, why: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {why}")
        self.why, self.line, self.column = why, line, column


class Misread(ValueError):
    """A record whose moves are written in another way and do not mean what they say: `number` is the entry, `why` as above."""

    def __init__(self, why: str, number: int) -> None:
        super().__init__(why)
        self.why, self.number = why, number
