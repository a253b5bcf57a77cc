"""The outbox: one row for each letter that somebody is owed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from datetime import datetime


class LetterQuerySet(models.QuerySet["Letter"]):
    """Letters by what is to be done about them."""

    def due(self, now: datetime) -> LetterQuerySet:
        """Those to be tried now. One indexed read: `due_at` is null once nothing is left to do."""
        return self.filter(due_at__lte=now)


class Letter(models.Model):
    """A letter from the moment it is owed, to a player or to a bare address.

    `key` makes it unique; a second letter of the same key is the same letter. `due_at` is when it is to be tried (again);
    of a letter in flight, when it counts as lost with its worker; null when nothing is left to do. `mime` is what was
    rendered at the first attempt: kept until it is accepted, then blanked.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        IN_FLIGHT = "in_flight", _("in flight")
        SENT = "sent", _("sent")
        WAITING = "waiting", _("waits for another try")
        FAILED = "failed", _("failed")
        DROPPED = "dropped", _("dropped: no longer wanted")

    key = models.CharField(max_length=120, unique=True)
    kind = models.CharField(_("kind"), max_length=24)
    source = models.CharField(_("what it is about"), max_length=24)
    about = models.JSONField(default=dict)
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    address = models.EmailField(blank=True, help_text=_("of somebody who is no player"))
    message_id = models.CharField(_("number of the message"), max_length=320)
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    created_at = models.DateTimeField(_("posted"))
    due_at = models.DateTimeField(_("next attempt"), null=True, blank=True)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    reason = models.TextField(_("reason"), blank=True)
    mime = models.BinaryField(blank=True)

    objects = LetterQuerySet.as_manager()

    class Meta:
        verbose_name = _("letter")
        verbose_name_plural = _("letters")
        permissions = [("retry_letters", _("May try failed letters again"))]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(state__in=["queued", "in_flight", "waiting"], due_at__isnull=False)
                | models.Q(state__in=["sent", "failed", "dropped"], due_at=None),
                name="a_letter_is_due_until_it_is_done",
            ),
            models.CheckConstraint(
                condition=models.Q(address="") | models.Q(recipient=None), name="a_letter_goes_to_a_player_or_an_address"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="letters_due"),
            models.Index(fields=["message_id"], name="letters_by_message_id"),
        ]

    def __str__(self) -> str:
        return f"{self.key} ({self.state})"
