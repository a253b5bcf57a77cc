"""Freezes: times when the database was found older than it had been, and nothing went out until an operator had looked."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Freeze(models.Model):
    """Found at `at`: the service had lived until `mark`, this database knows only of `known`. Once somebody lets it go on,
    `credit` is how many seconds each running turn is given for what was lost; `thawed_at` when all of them have them. A loss of
    a few minutes is written down only: it gives no time, and the service goes on at once."""

    at = models.DateTimeField(_("found"))
    mark = models.DateTimeField(_("the service had lived until"))
    known = models.DateTimeField(_("the database is of"))
    credit = models.PositiveIntegerField(_("seconds given to each turn"), null=True, blank=True)
    thawed_at = models.DateTimeField(_("went on"), null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, verbose_name=_("by"), related_name="+"
    )

    class Meta:
        verbose_name = _("freeze")
        verbose_name_plural = _("freezes")
        permissions = [("thaw", _("May let a restored service go on"))]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["mark"], name="one_freeze_of_a_mark"),
            models.CheckConstraint(condition=Q(thawed_at=None) | Q(credit__isnull=False), name="who_goes_on_is_given_time"),
        ]

    def __str__(self) -> str:
        return f"{self.known:%Y-%m-%d %H:%M} instead of {self.mark:%Y-%m-%d %H:%M}"
