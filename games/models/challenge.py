"""A challenge: the terms of a game that waits for its players."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Block, Player

STANDS: Final = timedelta(days=14)
"""So long a challenge waits; then it expires."""
REMINDED: Final = timedelta(days=2)
"""So long before that those who still have to answer are reminded."""


def apart_from(player: Player | None) -> Exists:
    """Whether a block stands between a challenge's challenger and the player, whoever blocked whom; a part of queries."""
    either = Q(blocker=player, blocked=OuterRef("challenger")) | Q(blocker=OuterRef("challenger"), blocked=player)
    return Exists(Block.objects.filter(either))


class ChallengeQuerySet(models.QuerySet["Challenge"]):
    """Challenges by what may happen to them."""

    def open(self) -> ChallengeQuerySet:
        """Those that still wait."""
        return self.filter(state=Challenge.State.OPEN)

    def to_anyone(self) -> ChallengeQuerySet:
        """Those that any player may accept; a rematch is for the players of its game, an invitation for an address. At a larger
        table invited addresses are only some of those who may come."""
        return self.filter(Q(seats__gt=2) | Q(invitation=None), opponent=None, rematch_of=None, listed=True).distinct()

    def alive(self) -> ChallengeQuerySet:
        """Those of challengers who may play: the challenge of anybody else is gone (F41)."""
        return self.filter(
            challenger__is_active=True,
            challenger__suspended_at=None,
            challenger__leaving_at=None,
            challenger__erased_at=None,
        )

    def not_apart_from(self, player: Player) -> ChallengeQuerySet:
        """Those of challengers whom no block keeps apart from the player."""
        return self.exclude(apart_from(player))

    def to_remind(self, since: datetime, until: datetime) -> ChallengeQuerySet:
        """Open ones by name whose last days began after `since`, up to `until`."""
        spent = STANDS - REMINDED
        lately = self.open().filter(created_at__gt=since - spent, created_at__lte=until - spent)
        return lately.exclude(opponent=None, rematch_of=None).order_by("created_at")

    def too_old(self, now: datetime) -> ChallengeQuerySet:
        """Open ones that have stood as long as a challenge stands, the oldest first."""
        return self.open().filter(created_at__lte=now - STANDS).order_by("created_at")


class Challenge(models.Model):
    """Terms and state. It has as many acceptances as seats when it starts its one game; the challenger's is the first. If it
    starts early, `seats` become as many as are taken. `declined_by` are those who do not come to a rematch of more than two."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        STARTED = "started", _("started")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")
        EXPIRED = "expired", _("expired")

    class Begins(models.TextChoices):
        LOT = "lot", _("by lot")
        CHALLENGER = "challenger", _("the challenger")
        OPPONENT = "opponent", _("the opponent")

    challenger = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, verbose_name=_("challenger"), related_name="challenges_made"
    )
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        verbose_name=_("opponent"),
        related_name="challenges_received",
    )
    ruleset = models.CharField(_("rules"), max_length=40)
    ruleset_version = models.PositiveSmallIntegerField()
    options = models.JSONField(_("options"), default=dict)
    seats = models.PositiveSmallIntegerField(_("seats"))
    reflection = models.PositiveIntegerField(_("reflection time"), help_text=_("seconds a turn"))
    begins = models.CharField(_("Who begins"), max_length=12, choices=Begins, default=Begins.LOT)
    public = models.BooleanField(_("Everybody may watch"), default=True)
    listed = models.BooleanField(
        _("Anyone may join"), default=True, help_text=_("anyone may accept; else who has the link or an invitation")
    )
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.OPEN)
    key = models.CharField(max_length=64, help_text=_("the hidden key of the form that made it"))
    rematch_of = models.ForeignKey(
        "games.Game", on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("rematch of"), related_name="rematches"
    )
    declined_by = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="+", help_text=_("who does not come to the rematch of a larger table")
    )
    created_at = models.DateTimeField(_("made"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    objects = ChallengeQuerySet.as_manager()

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["challenger", "key"], name="one_challenge_per_form_key"),
            models.UniqueConstraint(
                fields=["rematch_of"], condition=models.Q(state__in=["open", "started"]), name="one_rematch_of_a_game"
            ),
            models.CheckConstraint(condition=models.Q(reflection__gte=120, reflection__lte=30 * 86400), name="reflection_2m_30d"),
            models.CheckConstraint(condition=models.Q(seats__gte=2), name="challenge_of_two_or_more"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["-created_at"], condition=models.Q(state="open"), name="open_challenges")
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.pk} ({self.state})"

    @property
    def asks_a_table(self) -> bool:
        """Whether it is a rematch of more than two, which each of them answers for himself."""
        return self.rematch_of_id is not None and self.opponent_id is None

    @property
    def stands_until(self) -> datetime:
        """When it expires, if nobody answers before."""
        return self.created_at + STANDS


class Acceptance(models.Model):
    """One player who takes part in a challenge, or a computer of the level `engine` that its owner has put there. A player
    accepts once; places are 0 (the challenger), 1, 2 ..."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="acceptances")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="acceptances"
    )
    engine = models.PositiveSmallIntegerField(null=True, blank=True)
    place = models.PositiveSmallIntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["place"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["challenge", "player"], name="a_player_accepts_once"),
            models.UniqueConstraint(fields=["challenge", "place"], name="a_place_is_taken_once"),
            models.CheckConstraint(
                condition=Q(player=None, engine__isnull=False) | Q(player__isnull=False, engine=None),
                name="a_place_has_one_holder",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.challenge_id}: {self.place}"
