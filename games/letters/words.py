"""What the others at the table wrote since the reader's last letter, as letters quote it."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from accounts.models import Player
from games import selectors
from games.rules import entry as kinds
from games.selectors import GamePage
from notifications.message import one_line

QUOTED: Final = 10
"""So many messages a letter quotes at most, the latest."""
WIDTH: Final = 68
_ADDRESS: Final = re.compile(r"(?<=\w)(://|\.(?=[^\W\d])|@(?=\w))")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A message in a letter: its `lines`, and the same `wrapped` to the width of a text letter. Nothing in it looks like a link
    to a mail program."""

    who: str
    lines: tuple[str, ...]
    wrapped: tuple[str, ...]


def context_of(page: GamePage, reader: Player) -> dict[str, Any]:
    """`said` to the reader since the letter before this one, and how many more `said_earlier`."""
    said = [one for one in selectors.messages_to(page.pk, reader, after=_letter_before(page)) if not one.mine]
    quoted = [_quoted(one.who, one.text) for one in said[-QUOTED:]]
    return {"said": quoted, "said_earlier": len(said) - len(quoted)}


def _letter_before(page: GamePage) -> datetime | None:
    """When the reader's last turn began, of which a letter told him; what came later is news, however late he moved."""
    plays = [turn for turn in page.log if turn.kind in (kinds.MOVE, kinds.TIMEOUT)]
    own = [place for place, turn in enumerate(plays) if turn.seat == page.seat]
    before = [turn.at for turn in plays[: own[-1]] if turn.seat != page.seat] if own else []
    return before[-1] if before else None


def _quoted(who: str, text: str) -> Quoted:
    lines = tuple(inert(text).split("\n"))
    return Quoted(one_line(who), lines, tuple(part for line in lines for part in wrapped(line) or ("",)))


def wrapped(text: str) -> tuple[str, ...]:
    """The text in lines that leave room for a sign and a blank before them in a text letter."""
    return tuple(textwrap.wrap(text, WIDTH, break_on_hyphens=False))


def inert(text: str) -> str:
    """The text with a blank inside whatever a mail program would make a link of (S5). Browsers take no invisible sign for a
    gap, so that it is one that everybody sees."""
    return _ADDRESS.sub(r"\1 ", text)
