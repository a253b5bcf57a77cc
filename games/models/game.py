"""A game: what was agreed, and a projection of its log."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from datetime import datetime

    from accounts.models import Player


class GameQuerySet(models.QuerySet["Game"]):
    """Games by state and by who may see them."""

    def running(self) -> GameQuerySet:
        """Those that have not ended."""
        return self.filter(ended_at__isnull=True)

    def ended(self) -> GameQuerySet:
        """Those that have ended, whatever the way."""
        return self.filter(ended_at__isnull=False)

    def of(self, player: Player) -> GameQuerySet:
        """Those in which the player has a seat."""
        return self.filter(seat__player=player)

    def due(self, now: datetime) -> GameQuerySet:
        """Running games whose deadline is over. One indexed read: `deadline` is null in a game that has ended."""
        return self.filter(deadline__lte=now).order_by("deadline")

    def to_warn(self, since: datetime, until: datetime) -> GameQuerySet:
        """Running games whose time for a warning came after `since`, up to `until`, while some time is left. One indexed read."""
        return self.filter(warn_at__gt=since, warn_at__lte=until, deadline__gt=until).order_by("warn_at")


class Game(models.Model):
    """A contest. All fields below `created_at` are the projection, written by `services.log.project` alone.

    `position` is the cached head position (JSON of `ruleset.dump`), `position_number` and `turn_number` are entry
    numbers (see `rules.standing.Standing`), `head` is the number of the last entry, `plies` counts moves played.
    `engine_asked_at`: since when a computer has to move or to answer, null while none has.
    """

    challenge = models.OneToOneField("games.Challenge", on_delete=models.PROTECT, null=True, blank=True, related_name="game")
    ruleset = models.CharField(_("rules"), max_length=40)
    ruleset_version = models.PositiveSmallIntegerField(_("version of the rules"))
    options = models.JSONField(default=dict)
    seats = models.PositiveSmallIntegerField()
    reflection = models.PositiveIntegerField(help_text=_("seconds a turn"))
    public = models.BooleanField(_("Everybody may watch"), default=True)
    created_at = models.DateTimeField(_("begun"))

    head = models.PositiveIntegerField(default=0)
    position_number = models.PositiveIntegerField(default=0)
    turn_number = models.PositiveIntegerField(default=0)
    position = models.JSONField(null=True, blank=True)
    standing = models.JSONField(default=dict, help_text=_("the rest of the standing: completed, left, proposals, since"))
    plies = models.PositiveIntegerField(_("moves played"), default=0)
    turn = models.PositiveIntegerField(_("turn"), default=1)
    to_move = models.SmallIntegerField(null=True, blank=True, help_text=_("the seat that decides; empty when the game is over"))
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    warn_at = models.DateTimeField(
        null=True, blank=True, help_text=_("when the seat that decides is warned; empty when time is too short for a letter")
    )
    engine_asked_at = models.DateTimeField(null=True, blank=True)
    termination = models.CharField(_("why it ended"), max_length=24, blank=True)
    result = models.CharField(_("result"), max_length=80, default="*")
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    objects = GameQuerySet.as_manager()

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        permissions = [("rule_games", _("May rule on games"))]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(ended_at=None) | models.Q(deadline=None, to_move=None), name="an_ended_game_has_no_deadline"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["deadline"], condition=models.Q(deadline__isnull=False), name="live_deadlines"),
            models.Index(fields=["engine_asked_at"], condition=models.Q(engine_asked_at__isnull=False), name="computers_to_move"),
            models.Index(fields=["warn_at"], condition=models.Q(warn_at__isnull=False), name="live_warnings"),
            models.Index(
                fields=["-ended_at", "-id"], condition=models.Q(public=True, ended_at__isnull=False), name="finished_to_watch"
            ),
            models.Index(fields=["-id"], condition=models.Q(public=True, ended_at__isnull=True), name="running_to_watch"),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.pk}"
