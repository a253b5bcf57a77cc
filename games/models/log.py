"""The log: append-only entries that are the game. Triggers refuse every update and delete."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.append_only import AppendOnly
from games.rules.entry import Entry


class LogEntry(models.Model):
    """Entry `number` (from 1, without gaps) of a game. `kind` and `text` are those of `rules.entry`; a ruling refers to its
    reason, whose text may be emptied later."""

    class Via(models.TextChoices):
        WEB = "web", _("on the page")
        LINK = "link", _("by a link in a letter")
        REPLY = "reply", _("by answering a letter")
        CONDITION = "condition", _("by a condition")
        DEADLINE = "deadline", _("by the deadline")
        ENGINE = "engine", _("by a program")
        MODERATOR = "moderator", _("by a moderator")
        HOUSE = "house", _("by the house")

    game = models.ForeignKey("games.Game", on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=12)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    text = models.TextField(blank=True)
    at = models.DateTimeField(_("time"))
    via = models.CharField(_("how it came"), max_length=12, choices=Via)
    reason = models.ForeignKey(
        "accounts.Reason", on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("reason"), related_name="+"
    )

    class Meta:
        verbose_name = _("log entry")
        verbose_name_plural = _("log entries")
        ordering: ClassVar[list[str]] = ["number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "number"], name="one_entry_per_number")
        ]

    def __str__(self) -> str:
        # Not its text: this is shown to whoever looks at rows, and may be hidden.
        return f"{self.game_id}: {self.number}. {self.kind}"

    def as_entry(self) -> Entry:
        """This row as the rules read it."""
        return Entry(self.number, self.kind, self.seat, self.text, self.at)


LOG_PROTECTION = AppendOnly("games_logentry", name="games_log", unique=("game_id", "number"))
