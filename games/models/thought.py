"""A thought: that a worker thinks about a computer's move, so that no other one does and a killed one is noticed."""

from __future__ import annotations

from django.db import models


class Thought(models.Model):
    """The last time, `at`, that a worker was asked for what a computer does in a game after its entry `head`, and how many
    times one began there: the last one at `begun_at`, which is None when that one counts as killed."""

    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, primary_key=True, related_name="thought")
    head = models.PositiveIntegerField()
    tries = models.PositiveSmallIntegerField(default=0)
    at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.game_id}: {self.head}"
