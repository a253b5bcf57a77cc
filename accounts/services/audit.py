"""Writes the audit log: who ruled on what, and why."""

from __future__ import annotations

from django.utils import timezone

from accounts.models import AuditEntry, Player, Reason


def give_reason(text: str) -> Reason:
    """A reason that logs may refer to, inside the caller's transaction."""
    return Reason.objects.create(text=text, at=timezone.now())


def record(
    *, actor: Player | None, act: str, subject: str, subject_id: int, detail: str = "", reason: Reason | None = None
) -> None:
    """One entry, inside the transaction of the act itself. `actor` None is the house."""
    AuditEntry.objects.create(
        at=timezone.now(), actor=actor, act=act, subject=subject, subject_id=subject_id, detail=detail, reason=reason
    )
