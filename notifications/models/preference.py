"""Preferences: which letters a player wants, how many of them, and when none."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from notifications.models.letter import Letter
from notifications.topics import PACES, Pace

HOURS = [MaxValueValidator(23)]


class Preference(models.Model):
    """What one player chose. Who has no row chose nothing: each letter, at any hour.

    Hours are those of the player's wall clock. From `quiet_from` to `quiet_until` nothing goes out, both empty or both given;
    `digest_at` is when the next daily letter is due, empty for who wants none. `let_go` is the last letter about a turn that was
    let go to a player who wants one until the next visit; no other goes while it is in flight.
    """

    player = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="preference")
    turns = models.CharField(max_length=8, choices=Pace, default=Pace.EACH)
    warnings = models.CharField(max_length=8, choices=Pace, default=Pace.EACH)
    proposals = models.CharField(max_length=8, choices=Pace, default=Pace.EACH)
    challenges = models.CharField(max_length=8, choices=Pace, default=Pace.EACH)
    ends = models.CharField(max_length=8, choices=Pace, default=Pace.EACH)
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True, validators=HOURS)
    quiet_until = models.PositiveSmallIntegerField(null=True, blank=True, validators=HOURS)
    digest_hour = models.PositiveSmallIntegerField(default=8, validators=HOURS)
    digest_at = models.DateTimeField(null=True, blank=True)
    let_go = models.ForeignKey(Letter, on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="+")

    class Meta:
        verbose_name = _("preference")
        verbose_name_plural = _("preferences")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            *(
                models.CheckConstraint(condition=Q(**{f"{topic}__in": [str(pace) for pace in paces]}), name=f"a_pace_of_{topic}")
                for topic, paces in PACES.items()
            ),
            models.CheckConstraint(
                condition=Q(quiet_from=None, quiet_until=None)
                | Q(quiet_from__lte=23, quiet_until__lte=23) & ~Q(quiet_from=F("quiet_until")),
                name="quiet_hours_begin_and_end",
            ),
            models.CheckConstraint(condition=Q(digest_hour__lte=23), name="a_day_has_24_hours"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["digest_at"], condition=Q(digest_at__isnull=False), name="daily_letters_due"),
        ]

    def __str__(self) -> str:
        return f"preferences of {self.player_id}"
