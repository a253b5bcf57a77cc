"""Expiry: a challenge that nobody answered in 14 days ends, and everybody whom it concerns is told, those who still have to
answer two days before; invited addresses go."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from games.letters import challenges as letters
from games.models import Challenge, Invitation
from games.models.challenge import REMINDED
from games.services import pulse, waiting

BATCH: Final = 200
MARK: Final = "reminded"
KEPT: Final = timedelta(days=30)
"""So long after a challenge was closed the address that it went to is known."""


def expire(now: datetime) -> int:
    """Ends the challenges that are too old, the oldest first, at most a batch; how many. Safe to repeat and to interrupt."""
    due = list(Challenge.objects.too_old(now).values_list("pk", flat=True)[:BATCH])
    return sum(_expire(challenge_id, now) for challenge_id in due)


def _expire(challenge_id: int, now: datetime) -> bool:
    with transaction.atomic(durable=True):
        challenge = waiting.locked(challenge_id)
        if challenge.state != Challenge.State.OPEN:
            return False
        waiting.close(challenge, Challenge.State.EXPIRED, now)
        concerned = waiting.seated_players(challenge) | waiting.asked_by_name(challenge)
        for player_id in sorted(concerned):
            waiting.owe(letters.EXPIRED, challenge, player_id=player_id)
        for invitation in challenge.invitations.filter(declined_at=None):
            waiting.owe(letters.EXPIRED, challenge, invitation=invitation)
        return True


def remind(now: datetime) -> int:
    """Owes the letters that a challenge by name is about to expire, each once, since the last call; how many challenges. An
    invited address that is no player's gets no second letter: its first one says that nothing needs to be done."""
    since = pulse.last(MARK) or now - REMINDED
    due = list(Challenge.objects.to_remind(since, now))
    for challenge in due:
        with transaction.atomic(durable=True):
            seated = waiting.seated_players(challenge)
            for player_id in sorted(waiting.asked_by_name(challenge) - seated):
                waiting.owe(letters.EXPIRING, challenge, player_id=player_id)
    pulse.beat(MARK, now)
    return len(due)


def forget_addresses(now: datetime) -> int:
    """Empties the addresses, and with them the links, of invitations that were closed long ago; how many."""
    old = Invitation.objects.filter(challenge__closed_at__lt=now - KEPT).exclude(address="")
    return old.update(address="", token_digest="")
