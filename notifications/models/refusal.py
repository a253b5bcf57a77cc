"""Refusals: addresses whose owners want no invitations any more."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Refusal(models.Model):
    """An address (small letters) to which nobody invites again."""

    address = models.EmailField(_("e-mail address"), unique=True)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("refusal of invitations")
        verbose_name_plural = _("refusals of invitations")

    def __str__(self) -> str:
        return self.address
