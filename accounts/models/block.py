"""Blocks: whom a player wants nothing to do with."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class BlockQuerySet(models.QuerySet["Block"]):
    """Blocks by the two whom they keep apart."""

    def between(self, one: int, other: int) -> BlockQuerySet:
        """Those that keep these two players apart, whoever blocked whom."""
        return self.filter(Q(blocker=one, blocked=other) | Q(blocker=other, blocked=one))


class Block(models.Model):
    """No challenges and no messages between the two; running games go on."""

    blocker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocked_by")
    at = models.DateTimeField()

    objects = BlockQuerySet.as_manager()

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="one_block_of_a_player"),
            models.CheckConstraint(condition=~Q(blocker=models.F("blocked")), name="nobody_blocks_himself"),
        ]

    def __str__(self) -> str:
        return f"{self.blocker_id} blocks {self.blocked_id}"
