"""A secret: the seed of a running game. It lies apart from all that is shown, and is deleted when the log reveals it."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Secret(models.Model):
    """The seed that entry `number` of the game's log commits to, in hexadecimal digits, which logs and reports mask.

    `services.chance` alone reads this table.
    """

    game = models.ForeignKey("games.Game", on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    seed = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "number"], name="one_seed_per_commitment"),
            models.UniqueConstraint(fields=["seed"], name="a_seed_is_used_once"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.number}"
