"""The outbox: one row for each letter that somebody is owed."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Letter(models.Model):
    """A letter from the moment it is owed. `key` makes it unique; `mime` is kept until it is accepted, then blanked."""

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        IN_FLIGHT = "in_flight", _("in flight")
        SENT = "sent", _("sent")
        WAITING = "waiting", _("waits for another try")
        FAILED = "failed", _("failed")
        DROPPED = "dropped", _("dropped: no longer wanted")

    key = models.CharField(max_length=120, unique=True)
    kind = models.CharField(max_length=24)
    source = models.CharField(max_length=24)
    about = models.JSONField(default=dict)
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True)
    address = models.EmailField(blank=True, help_text=_("of somebody who is no player"))
    message_id = models.CharField(max_length=120)
    state = models.CharField(max_length=12, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text=_("when it is next to be tried, or given up as lost in flight"))
    sent_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)
    mime = models.BinaryField(blank=True)

    class Meta:
        verbose_name = _("letter")
        verbose_name_plural = _("letters")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at"], condition=models.Q(state__in=["queued", "waiting", "in_flight"]), name="letters_to_do"
            )
        ]

    def __str__(self) -> str:
        return f"{self.key} ({self.state})"
