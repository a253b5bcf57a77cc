"""The analysis of a game that is over: what each of its positions was worth, as far as it has come."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Analysis(models.Model):
    """One for a game, of its log up to entry `head`. `findings` are those of `engines.finding` by the number of the step, as
    JSON, null where there is nothing to find, false where it was given up; `total` is how many there will be. `at` is when a
    worker was last asked, `begun_at` when one took it in hand: None when nobody has it. `tries` is how often one did since
    something was found."""

    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, primary_key=True, related_name="analysis")
    head = models.PositiveIntegerField()
    total = models.PositiveIntegerField()
    findings = models.JSONField(default=dict)
    asked_at = models.DateTimeField(_("asked for"))
    at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["at"], condition=Q(done_at__isnull=True), name="analyses_to_do")
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {len(self.findings)}/{self.total}"
