"""Forgetting: what the outbox knows of somebody who leaves for good, and addresses of letters that are long done."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from typing import Final

from django.db.models import Q

from notifications import bounces, holds, preferences
from notifications.models import Letter, LetterQuerySet

GONE: Final = "the account is deleted"
KEPT: Final = timedelta(days=30)
"""So long the outbox tells to which bare address a letter went; by then nobody asks any more where it is."""


def forget(*, player_id: int, name: str, addresses: Collection[str], farewell: str, unrepeatable: str) -> None:
    """Inside the caller's transaction: drops what waits for the player, empties addresses and reasons of what was sent, forgets
    which letters the player wanted, and lets letters to others that were written with the name be written anew.

    `farewell` is the key of the one letter that still goes to an address; letters of the source `unrepeatable` cannot be
    written a second time, and name nobody but their reader.
    """
    preferences.forget(player_id)
    bounces.forget(addresses)
    holds.forget(addresses)
    his = Q(recipient=player_id)
    for address in addresses:
        his |= Q(address__iexact=address)
    letters = Letter.objects.filter(his).exclude(key=farewell)
    letters.update(address="", reason="")
    own = Letter.objects.filter(Q(recipient=player_id) | Q(address="", recipient=None), due_at__isnull=False)
    own.update(state=Letter.State.DROPPED, due_at=None, mime=b"", reason=GONE)
    _write_anew(Letter.objects.filter(state=Letter.State.WAITING).exclude(source=unrepeatable).exclude(mime=b""), name)


def forget_done(keys: Collection[str]) -> int:
    """Empties the address of these letters, as far as nothing is left to do about them; how many there were."""
    return Letter.objects.filter(key__in=keys, due_at=None).exclude(address="").update(address="", reason="")


def forget_old(now: datetime) -> int:
    """Empties bare addresses of letters that were done with long ago; how many there were."""
    old = Letter.objects.filter(due_at=None, created_at__lt=now - KEPT).exclude(address="")
    return old.update(address="", reason="")


def _write_anew(letters: LetterQuerySet, name: str) -> None:
    word = re.compile(rf"(?<!\w){re.escape(name)}", re.IGNORECASE)
    for pk, mime in letters.values_list("pk", "mime"):
        if word.search(_said(bytes(mime))):
            # Under the condition that nobody took it in the meantime.
            letters.filter(pk=pk).update(mime=b"")


def _said(mime: bytes) -> str:
    """Subject and text of a letter as its reader sees them."""
    message = message_from_bytes(mime, policy=policy.default)
    texts = [part.get_content() for part in message.walk() if part.get_content_maintype() == "text"]
    return "\n".join([str(message["Subject"]), *map(str, texts)])
