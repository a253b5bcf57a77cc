"""Reports: what players ask those who rule to look at."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Report(models.Model):
    """A complaint about a player, in a game or without one: `game` is its id, for accounts know no games. The text is the
    reporter's and goes with him."""

    class About(models.TextChoices):
        STALLING = "stalling", _("stalling, not playing on")
        CHEATING = "cheating", _("unfair play: programs, several accounts")
        CONDUCT = "conduct", _("insults, threats, spam")
        NAME = "name", _("an offensive name")
        OTHER = "other", _("something else")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, verbose_name=_("reported by"), related_name="reports_made"
    )
    reported = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, verbose_name=_("player"), related_name="reports_received"
    )
    game = models.PositiveBigIntegerField(_("game"), null=True, blank=True)
    about = models.CharField(_("about"), max_length=12, choices=About)
    text = models.TextField(_("what happened"), blank=True)
    at = models.DateTimeField(_("time"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.OPEN)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        verbose_name=_("closed by"),
        related_name="reports_closed",
    )
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        permissions = [("close_reports", _("May close reports"))]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(state="open", closed_at=None) | models.Q(state="closed", closed_at__isnull=False),
                name="a_report_is_closed_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["reporter", "reported", "about"],
                condition=models.Q(state="open", game=None),
                name="one_open_report_of_a_player",
            ),
            models.UniqueConstraint(
                fields=["reporter", "reported", "game", "about"],
                condition=models.Q(state="open", game__isnull=False),
                name="one_open_report_in_a_game",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["at"], condition=models.Q(state="open"), name="open_reports")
        ]

    def __str__(self) -> str:
        return f"{self.about} {self.pk} ({self.state})"
