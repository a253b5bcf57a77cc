"""A submission: the hidden key of a form that acted on a game, with the answer it got."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Submission(models.Model):
    """The same key with the same payload gets the stored answer again; with another payload it is refused (C16, C17)."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="submissions")
    key = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    answer = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "key"], name="one_submission_per_form_key")
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.key}"
