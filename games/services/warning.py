"""Warnings: who has a fifth of his reflection time left is written to, once for a deadline, while he has not acted (N22)."""

from __future__ import annotations

from datetime import datetime
from typing import Final, cast

from django.db import transaction
from django.db.models import F

from games.letters import table
from games.letters import warnings as letters
from games.models import Game
from games.services import pulse
from notifications import outbox

MARK: Final = "warned"
BATCH: Final = 500
"""Letters owed in one transaction."""


def warn(*, since: datetime, now: datetime) -> int:
    """Owes the letters whose time came since the last call, or since `since` at the first one; how many. Safe to repeat.

    A deadline that was moved so late that the time of its warning lay behind it already brings none: the letter about that
    gift or that pause has just told it.
    """
    since = pulse.last(MARK) or since
    games = Game.objects.to_warn(since, now).filter(seat__number=F("to_move"), seat__player__isnull=False)
    found = games.values_list("pk", "deadline", "to_move", "seat__player")
    due = cast("list[tuple[int, datetime, int, int]]", list(found))
    for start in range(0, len(due), BATCH):
        with transaction.atomic():
            for game, deadline, seat, player in due[start : start + BATCH]:
                _owe(game, deadline, seat, player)
    # A mark that a wrong clock has put into the future goes back as well.
    pulse.beat(MARK, now)
    return len(due)


def _owe(game: int, deadline: datetime, seat: int, player: int) -> None:
    outbox.post(
        key=table.warning_key(game, deadline, player),
        kind=letters.WARNING,
        source=letters.SOURCE,
        about={"game": game, "deadline": deadline.isoformat(), "seat": seat},
        recipient_id=player,
    )
