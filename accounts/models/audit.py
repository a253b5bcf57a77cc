"""The audit log: what those who rule did, append-only like the log of a game, and the erasable reasons that both refer to."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.append_only import AppendOnly


class Reason(models.Model):
    """Why somebody ruled so, in his own words. Logs refer to the row, so that its text can be emptied and they stay whole."""

    text = models.TextField(_("reason"), blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("reason")
        verbose_name_plural = _("reasons")
        permissions = [("empty_reasons", _("May empty reasons"))]

    def __str__(self) -> str:
        return self.text


class AuditEntry(models.Model):
    """Who did what to whom: ids, never names. `actor` is None for the house; `act` is a verb of a service; `subject` is
    player, game, report or letter, and its id. Triggers refuse every update and delete."""

    at = models.DateTimeField(_("time"))
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("who"), related_name="acts"
    )
    act = models.CharField(_("act"), max_length=32)
    subject = models.CharField(_("subject"), max_length=16)
    subject_id = models.PositiveBigIntegerField(_("number"))
    detail = models.CharField(_("detail"), max_length=200, blank=True)
    reason = models.ForeignKey(Reason, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("reason"))

    class Meta:
        verbose_name = _("entry of the audit log")
        verbose_name_plural = _("audit log")
        ordering: ClassVar[list[str]] = ["-pk"]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["subject", "subject_id"], name="audit_by_subject")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.act} {self.subject} {self.subject_id}"


AUDIT_PROTECTION = AppendOnly("accounts_auditentry", name="accounts_audit")
