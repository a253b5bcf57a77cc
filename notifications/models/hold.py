"""Holds: what an operator keeps back."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Hold(models.Model):
    """Letters of a kind, to an address (small letters), or both, that wait until they are released; all of them if neither is
    named."""

    kind = models.CharField(_("kind"), max_length=24, blank=True)
    address = models.EmailField(_("e-mail address"), blank=True)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("hold of letters")
        verbose_name_plural = _("holds of letters")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["kind", "address"], name="one_hold_of_the_same"),
        ]

    def __str__(self) -> str:
        return " ".join(filter(None, [self.kind, self.address])) or "*"
