"""Writes the audit log: who ruled on what, and why."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from accounts.models import AuditEntry, Player, Reason
from notifications.message import one_line


def give_reason(text: str) -> Reason:
    """A reason that logs may refer to, as one line, inside the caller's transaction."""
    return Reason.objects.create(text=one_line(text), at=timezone.now())


def record(
    *, actor: Player | None, act: str, subject: str, subject_id: int, detail: str = "", reason: Reason | None = None
) -> None:
    """One entry, inside the transaction of the act itself. `actor` None is the house."""
    AuditEntry.objects.create(
        at=timezone.now(), actor=actor, act=act, subject=subject, subject_id=subject_id, detail=detail, reason=reason
    )


def empty_reason(*, reason_id: int, by: Player) -> None:
    """Takes the words of a reason away; the logs that refer to it stay whole. Again: nothing new."""
    with transaction.atomic():
        if Reason.objects.filter(pk=reason_id).exclude(text="").update(text=""):
            record(actor=by, act="empty_reason", subject="reason", subject_id=reason_id)


def record_of_letters(*, actor: AbstractBaseUser | None, act: str, subject: str, subject_id: int) -> None:
    """The same for acts on letters and addresses, which are told by an app that does not know players."""
    if actor is not None and not isinstance(actor, Player):
        raise TypeError("players look after letters")
    record(actor=actor, act=act, subject=subject, subject_id=subject_id)
