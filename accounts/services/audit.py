"""Writes the audit log: who ruled on what, and why."""

from __future__ import annotations

from unicodedata import normalize

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import AuditEntry, Player, Reason
from accounts.services.errors import Refused
from notifications.message import one_line


def require_reason(text: str) -> str:
    """The reason of an act that a player is told of, as one line. Raises Refused without one."""
    told = one_line(text)
    if not told:
        raise Refused(_("Give a reason: the player reads it."))
    return told


def give_reason(text: str) -> Reason:
    """A reason that logs may refer to, as one line, inside the caller's transaction. Its letters are composed (NFC): the
    database lets words be taken out of it, but not be written in another way."""
    return Reason.objects.create(text=normalize("NFC", one_line(text)), at=timezone.now())


def record(
    *, actor: Player | None, act: str, subject: str, subject_id: int, detail: str = "", reason: Reason | None = None
) -> None:
    """One entry, inside the transaction of the act itself. `actor` None is the house. Raises ValueError for an act or a
    subject that the log has no words for."""
    AuditEntry.objects.create(
        at=timezone.now(),
        actor=actor,
        act=AuditEntry.Act(act),
        subject=AuditEntry.Subject(subject),
        subject_id=subject_id,
        detail=detail,
        reason=reason,
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
