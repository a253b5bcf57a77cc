"""The outbox: a letter is owed by the same transaction that made it due."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from django.conf import settings
from django.utils import timezone

from notifications.models import Letter


def post(*, key: str, kind: str, source: str, about: Mapping[str, Any], recipient_id: int) -> None:
    """Owes a letter, inside the caller's transaction. A key that was posted before is the same letter."""
    now = timezone.now()
    letter = Letter(
        key=key,
        kind=kind,
        source=source,
        about=dict(about),
        recipient_id=recipient_id,
        message_id=f"<{uuid4().hex}@{urlsplit(settings.SITE_URL).hostname}>",
        created_at=now,
        due_at=now,
    )
    Letter.objects.bulk_create([letter], ignore_conflicts=True)
