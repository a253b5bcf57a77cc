"""A seat: the place of a player, a computer or a guest at a game, and what the game brought them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Seat(models.Model):
    """Seat `number` (from 0: South, North, ...) of a game. `points` (1, 1/2, 0) and `score` (stones) are in half units.

    It is held by a `player`, by a computer of the level `engine`, or, when it has neither, by a guest: by whoever has the key
    whose hash is `key_digest`, until that is forgotten. `seen` is the number of the last position in which it was to move and
    that a page has shown to its player.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE)
    number = models.PositiveSmallIntegerField(_("number"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        verbose_name=_("player"),
        related_name="seats",
    )
    engine = models.PositiveSmallIntegerField(_("level of the computer"), null=True, blank=True)
    key_digest = models.CharField(max_length=64, blank=True)
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
            models.CheckConstraint(
                condition=models.Q(player=None, engine=None)
                | models.Q(player=None, engine__isnull=False, key_digest="")
                | models.Q(player__isnull=False, engine=None, key_digest=""),
                name="a_seat_has_one_holder",
            ),
            models.UniqueConstraint(fields=["key_digest"], condition=~models.Q(key_digest=""), name="a_key_opens_one_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number}"
