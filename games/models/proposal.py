"""A proposal: an agreement that somebody offered, as a projection of the log."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Proposal(models.Model):
    """What entry `number` of the game's log proposed, and what became of it."""

    class State(models.TextChoices):
        OPEN = "open", _("waits for an answer")
        AGREED = "agreed", _("agreed")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", _("withdrawn")
        LAPSED = "lapsed", _("lapsed")

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="proposals")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)
    seat = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=12, choices=State, default=State.OPEN)
    made_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")
        ordering: ClassVar[list[str]] = ["number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "number"], name="one_proposal_per_entry"),
            models.UniqueConstraint(
                fields=["game", "seat", "kind"], condition=models.Q(state="open"), name="one_open_proposal_of_a_kind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.kind} ({self.state})"
