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
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("reason")
        verbose_name_plural = _("reasons")
        permissions = [("empty_reasons", _("May empty reasons"))]

    def __str__(self) -> str:
        return self.text


class AuditEntry(models.Model):
    """Who did what to whom: ids, never names. `actor` is None for the house; `subject` is a kind of row, `subject_id` its
    number. Triggers refuse every update and delete."""

    class Act(models.TextChoices):
        """What services do, in whichever app, in words for those who read the log."""

        SUSPEND = "suspend", _("suspension")
        RESTORE = "restore", _("end of a suspension")
        ERASE = "erase", _("erasure")
        APPOINT = "appoint", _("appointment as moderator")
        DISMISS = "dismiss", _("dismissal as moderator")
        CLOSE_REPORT = "close_report", _("report closed")
        EMPTY_REASON = "empty_reason", _("reason emptied")
        EXTEND_DEADLINE = "extend_deadline", _("deadline extended")
        ADJUDICATE = "adjudicate", _("adjudication")
        TAKE_BACK = "take_back", _("end taken back")
        THAW = "thaw", _("service let go on")
        TRY_AGAIN = "try_again", _("letter tried again")
        HOLD_LETTERS = "hold_letters", _("letters held back")
        RELEASE_LETTERS = "release_letters", _("letters let go")
        ALLOW_INVITATIONS = "allow_invitations", _("invitations allowed again")
        CLEAR_ADDRESS = "clear_address", _("letters sent again")

    class Subject(models.TextChoices):
        """What was acted on."""

        PLAYER = "player", _("player")
        GAME = "game", _("game")
        REPORT = "report", _("report")
        REASON = "reason", _("reason")
        LETTER = "letter", _("letter")
        HOLD = "hold", _("hold of letters")
        BOUNCE = "bounce", _("bouncing address")
        REFUSAL = "refusal", _("refusal of invitations")
        FREEZE = "freeze", _("freeze")

    at = models.DateTimeField(_("time"))
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("who"), related_name="acts"
    )
    act = models.CharField(_("act"), max_length=32, choices=Act)
    subject = models.CharField(_("subject"), max_length=16, choices=Subject)
    subject_id = models.PositiveBigIntegerField(_("number"))
    detail = models.CharField(_("detail"), max_length=200, blank=True)
    reason = models.ForeignKey(Reason, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("reason"))

    class Meta:
        verbose_name = _("entry of the audit log")
        verbose_name_plural = _("audit log")
        ordering: ClassVar[list[str]] = ["-pk"]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["subject", "subject_id"], name="audit_by_subject")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.get_subject_display()} {self.subject_id}: {self.get_act_display()}"


AUDIT_PROTECTION = AppendOnly("accounts_auditentry", name="accounts_audit")
REASON_PROTECTION = AppendOnly("accounts_reason", name="accounts_reason", erasable="text", kept=("at",))
