"""Daily letters: owed at each player's own hour, once a day; whether there is anything to say is asked when one goes out."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from games.letters import daily as letters
from notifications import outbox, preferences
from notifications.nudges import nudge


def post_due(now: datetime) -> int:
    """Owes the letters whose hour has come, a transaction for each; how many. Safe to repeat and to interrupt."""
    return sum(_post(player, now) for player in preferences.due_daily(now))


def _post(player: int, now: datetime) -> bool:
    with transaction.atomic(durable=True):
        day = preferences.take_daily(player, now)
        if day is None:
            return False
        key = f"{letters.DAILY}:{player}:{day}"
        outbox.post(key=key, kind=letters.DAILY, source=letters.SOURCE, about={"day": day}, recipient_id=player)
        transaction.on_commit(lambda: nudge("notifications.deliver", key), robust=True)
    return True
