"""A seat: a player's place at a game, and what the game brought him."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Seat(models.Model):
    """Seat `number` (from 0: South, North, ...) of a game. `points` (1, 1/2, 0) and `score` (stones) are in half units.

    `seen` is the number of the last position in which it was to move and that a page has shown to its player.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE)
    number = models.PositiveSmallIntegerField(_("number"))
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, verbose_name=_("player"), related_name="seats")
    points = models.PositiveSmallIntegerField(_("points, in halves"), null=True, blank=True)
    score = models.PositiveIntegerField(_("score, in halves"), null=True, blank=True)
    seen = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering: ClassVar[list[str]] = ["number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "number"], name="a_seat_number_once"),
            models.UniqueConstraint(fields=["game", "player"], name="a_player_has_one_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number}"
