"""The outbox: a letter is owed by the same transaction that made it due."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.db.models import Q
from django.utils import timezone

from notifications import preferences, statements
from notifications.message import domain, write
from notifications.models import Letter
from notifications.sources import Rendered


def post(
    *,
    key: str,
    kind: str,
    source: str,
    about: Mapping[str, Any],
    recipient_id: int | None = None,
    address: str = "",
    later: timedelta | None = None,
) -> None:
    """Owes a letter to a player or to a bare address, inside the caller's transaction, by one statement. It goes at once, or so
    much `later`.

    A key that was posted before is the same letter: it stays as it is.
    """
    letter = _owed(key=key, kind=kind, source=source, address=address)
    letter.about, letter.recipient_id = dict(about), recipient_id
    if later is not None and letter.due_at is not None:
        letter.due_at += later
    statements.insert(letter, ignore_conflicts=True)


def post_written(*, key: str, kind: str, source: str, rendered: Rendered, address: str) -> None:
    """Owes a bare address a letter that is written already, because what it says cannot be had again: a code, a link.

    Its source is only asked whether it is still wanted. The MIME is blanked once it is accepted or no longer wanted.
    """
    letter = _owed(key=key, kind=kind, source=source, address=address)
    letter.mime = write(rendered, recipient=address, message_id=letter.message_id)
    statements.insert(letter, ignore_conflicts=True)


def write_anew(*, recipient_id: int) -> int:
    """What was written to a player and is not sent yet is written once more when it goes: it holds links that are dead by now.
    How many letters there are.

    One in flight may be half written: it is taken from its worker, who finds that out before he keeps or sends it. What the mail
    server has by then it keeps; the page behind a dead link says what to do.
    """
    unsent = Letter.objects.filter(recipient=recipient_id, due_at__isnull=False)
    taken = unsent.filter(state=Letter.State.IN_FLIGHT).update(state=Letter.State.QUEUED, due_at=timezone.now(), mime=b"")
    return taken + unsent.exclude(mime=b"").update(mime=b"")


def goes_or_went(key: str) -> bool:
    """Whether a letter is owed and may still go, or went out."""
    return Letter.objects.filter(key=key).exclude(state__in=[Letter.State.DROPPED, Letter.State.FAILED]).exists()


def last_sent(*, recipient_id: int, source: str) -> datetime | None:
    """When the last letter of a source went to a player."""
    gone = Letter.objects.filter(recipient=recipient_id, source=source, state=Letter.State.SENT)
    return gone.order_by("-sent_at").values_list("sent_at", flat=True).first()


def is_last(key: str) -> bool:
    """Whether no later letter of the same source is owed to the same player."""
    letter = Letter.objects.get(key=key)
    return not Letter.objects.filter(recipient=letter.recipient_id, source=letter.source, pk__gt=letter.pk).exists()


def untold(keys: Collection[str], late: datetime) -> set[str]:
    """Those of these letters of which somebody should know: that were never owed, failed, were dropped otherwise than by their
    reader's wish, or should have gone before `late` and are still here."""
    fine = Q(state=Letter.State.SENT) | Q(reason__in=preferences.REASONS) | Q(due_at__gte=late)
    return {*keys} - {*Letter.objects.filter(fine, key__in=keys).values_list("key", flat=True)}


def _owed(*, key: str, kind: str, source: str, address: str) -> Letter:
    now = timezone.now()
    return Letter(
        key=key,
        kind=kind,
        source=source,
        address=address,
        message_id=f"<{uuid4().hex}@{domain()}>",
        created_at=now,
        due_at=now,
    )
