"""A right: what the link in a letter allows its holder, and nothing else."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from accounts.models import Player

TOKEN_BYTES: Final = 16
KEPT: Final = timedelta(days=120)
"""So long after its letter a spent right still leads to "already played": 90 days after the longest turn."""


class RightQuerySet(models.QuerySet["Right"]):
    """Rights by their token and by what became of them."""

    def mint(self, *, game: int, seat: int, player: int, turn_number: int, purpose: Right.Purpose) -> str:
        """A new right of a letter that is about to go; its token: 128 random bits in hex, of which only the hash is kept.

        `turn_number` is that of the standing for MOVE, the number of the proposal's entry for ANSWER.
        """
        token = token_hex(TOKEN_BYTES)
        self.create(
            digest=_digest(token),
            game_id=game,
            seat=seat,
            player_id=player,
            turn_number=turn_number,
            purpose=purpose,
        )
        return token

    def with_token(self, token: str) -> RightQuerySet:
        """The one whose letter holds this token, in whatever case a mail program left it."""
        return self.filter(digest=_digest(token))

    def of(self, player: Player) -> RightQuerySet:
        """Those that went to the player."""
        return self.filter(player=player)

    def open(self) -> RightQuerySet:
        """Those that were not made void."""
        return self.filter(void_at=None)

    def outlived(self, now: datetime) -> RightQuerySet:
        """Those of old letters that nobody can use any more."""
        turn_lasts = Q(purpose=Right.Purpose.MOVE, game__turn_number=F("turn_number"), void_at=None)
        return self.filter(minted_at__lt=now - KEPT).exclude(turn_lasts, game__ended_at=None)


def _digest(token: str) -> str:
    return sha256(token.lower().encode(errors="replace")).hexdigest()


class Right(models.Model):
    """The hash of a token, and the one thing that it allows: the `player` who has this seat may move in this turn, or answer
    this proposal. `void_at` is set when something about the player changed; whether the turn lasts the game's row tells."""

    class Purpose(models.TextChoices):
        MOVE = "move", _("to move")
        ANSWER = "answer", _("to answer a proposal")

    digest = models.CharField(max_length=64, unique=True)
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="rights")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rights")
    turn_number = models.PositiveIntegerField()
    purpose = models.CharField(max_length=8, choices=Purpose)
    minted_at = models.DateTimeField(auto_now_add=True, db_index=True)
    void_at = models.DateTimeField(null=True, blank=True)

    objects = RightQuerySet.as_manager()

    class Meta:
        verbose_name = _("right")
        verbose_name_plural = _("rights")

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat}: {self.purpose} {self.turn_number}"
