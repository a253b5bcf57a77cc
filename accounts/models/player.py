"""The player: the one user model, who logs in by e-mail and is known to others by a display name."""

from __future__ import annotations

from typing import Any, ClassVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import LONGEST, name_key, validate_display_name


class PlayerManager(BaseUserManager["Player"]):
    """Makes players; an administrator is made by `manage.py createsuperuser`."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> Player:
        """A player with a hashed password, or one that can only log in by mail when it is None."""
        player = self.model(email=self.normalize_email(email).lower(), **fields)
        player.set_password(password)
        player.save(using=self._db)
        return player

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> Player:
        """A player with every right in the admin."""
        return self.create_user(email, password, **{"is_staff": True, "is_superuser": True} | fields)

    def get_by_natural_key(self, username: str | None) -> Player:
        """The player with this address, in whatever case it was typed."""
        return self.get(email__iexact=username)


class Player(AbstractBaseUser, PermissionsMixin):
    """Somebody who plays. `name_key` makes display names unique without regard to case and look-alikes.

    `leaving_at` is when he asked to be forgotten, `erased_at` when that was done: the row stays, emptied, so that the games
    of others stay whole. While `suspended_at` is set he may read, but not play. `told_at` is when a letter about a turn went to
    a player who wants one until the next visit; the visit empties it.
    """

    email = models.EmailField(_("e-mail address"), unique=True)
    display_name = models.CharField(_("display name"), max_length=LONGEST, validators=[validate_display_name])
    name_key = models.CharField(max_length=160, unique=True, editable=False)
    language = models.CharField(_("language"), max_length=8, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    is_staff = models.BooleanField(_("may enter the admin"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)
    suspended_at = models.DateTimeField(_("suspended"), null=True, blank=True)
    suspension = models.ForeignKey(
        "accounts.Reason", on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("why suspended"), related_name="+"
    )
    leaving_at = models.DateTimeField(_("asked to be forgotten"), null=True, blank=True)
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True)
    told_at = models.DateTimeField(_("told of a turn"), null=True, blank=True, editable=False)

    objects: ClassVar[PlayerManager] = PlayerManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["display_name"]

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        permissions = [
            ("suspend_players", _("May suspend and restore players")),
            ("erase_players", _("May erase players who ask for it")),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """How others see the player; of one who left nothing is left but that."""
        return gettext("a former player") if self.erased_at else self.display_name

    @property
    def is_suspended(self) -> bool:
        """Whether he may read, but not play."""
        return self.suspended_at is not None

    @property
    def zone(self) -> ZoneInfo:
        """The player's time zone; UTC when this machine does not know it."""
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Stores the player with the key of his present display name. No name has a sign in its key, so that of an erased
        player is nobody else's."""
        self.name_key = f"erased:{self.pk}" if self.erased_at else name_key(self.display_name)
        super().save(*args, **kwargs)
