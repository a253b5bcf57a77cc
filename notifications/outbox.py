"""The outbox: a letter is owed by the same transaction that made it due."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.utils import timezone

from notifications import statements
from notifications.message import domain
from notifications.models import Letter


def post(
    *, key: str, kind: str, source: str, about: Mapping[str, Any], recipient_id: int | None = None, address: str = ""
) -> None:
    """Owes a letter to a player or to a bare address, inside the caller's transaction, by one statement.

    A key that was posted before is the same letter: it stays as it is.
    """
    now = timezone.now()
    letter = Letter(
        key=key,
        kind=kind,
        source=source,
        about=dict(about),
        recipient_id=recipient_id,
        address=address,
        message_id=f"<{uuid4().hex}@{domain()}>",
        created_at=now,
        due_at=now,
    )
    statements.insert(letter, ignore_conflicts=True)
