"""Words beside the log: what players write to each other in a game, and what each writes down for himself."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Block

if TYPE_CHECKING:
    from accounts.models import Player

LONGEST_MESSAGE = 1_000
LONGEST_NOTE = 5_000


class MessageQuerySet(models.QuerySet["Message"]):
    """Messages by who may read them."""

    def for_player(self, reader: Player) -> MessageQuerySet:
        """Those of games in which the reader has a seat, without emptied ones and those of players from whom a block keeps him
        apart."""
        pair = Q(blocker=OuterRef("author"), blocked=reader) | Q(blocker=reader, blocked=OuterRef("author"))
        return self.filter(~Exists(Block.objects.filter(pair)), game__seat__player=reader).exclude(text="")


class Message(models.Model):
    """Plain text from one seat to the others. `entry` is the number of the move that it came with, null for one that came
    alone. The text goes with its author; the row stays."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="messages")
    seat = models.PositiveSmallIntegerField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, verbose_name=_("author"), related_name="messages"
    )
    entry = models.PositiveIntegerField(null=True, blank=True)
    text = models.TextField(_("text"), max_length=LONGEST_MESSAGE, blank=True)
    at = models.DateTimeField(_("time"))

    objects = MessageQuerySet.as_manager()

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering: ClassVar[list[str]] = ["pk"]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat}: {self.at:%Y-%m-%d %H:%M}"


class Note(models.Model):
    """What a player writes down about a game for himself: nobody else reads it, moderators included. It goes with him."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="notes")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField(max_length=LONGEST_NOTE)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "player"], name="one_note_of_a_player_and_game")
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.player_id}"
