"""Bounces: addresses whose letters were refused for good, came back, or were late."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Bounce(models.Model):
    """What is known against an address (small letters).

    It is marked from `since` on; `at` is when a letter last failed; both are empty while letters were only late, which `delays`
    counts. `tried_at` is when the mail server took one again after that: of an address whose letters came `returned` in
    reports that proves nothing yet, for the server took those as well.
    """

    address = models.EmailField(_("e-mail address"), unique=True)
    since = models.DateTimeField(_("since"), null=True, blank=True)
    at = models.DateTimeField(_("time"), null=True, blank=True)
    tried_at = models.DateTimeField(_("tried since"), null=True, blank=True)
    returned = models.BooleanField(_("letters came back"), default=False)
    reason = models.TextField(_("reason"), blank=True)
    delays = models.PositiveIntegerField(_("late letters"), default=0)
    seen_at = models.DateTimeField(_("last heard of"))

    class Meta:
        verbose_name = _("bouncing address")
        verbose_name_plural = _("bouncing addresses")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(since=None, at=None, tried_at=None) | Q(since__isnull=False, at__isnull=False),
                name="a_mark_has_a_beginning",
            ),
        ]

    def __str__(self) -> str:
        return self.address
