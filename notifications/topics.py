"""Topics: letters as their readers think of them. What a reader may choose, he chooses for a topic.

A letter whose kind no app files under a topic is never off and never late: codes, links, rulings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from notifications.sources import Waiting


class Topic(models.TextChoices):
    """The rows of the page on which a player chooses, and the daily letter that gathers the others."""

    TURNS = "turns", _("It is my turn")
    WARNINGS = "warnings", _("My time is running out")
    PROPOSALS = "proposals", _("Proposals and answers to mine")
    CHALLENGES = "challenges", _("Challenges and answers to mine")
    ENDS = "ends", _("A game has ended")
    DAILY = "daily", _("The daily letter")


class Pace(models.TextChoices):
    """How letters of a topic come."""

    ALWAYS = "always", _("Each time, even if I have seen it")
    EACH = "each", _("Each time")
    ONCE = "once", _("Once, until I visit again")
    DAILY = "daily", _("Once a day, all in one letter")
    NONE = "none", _("Never")


PACES: Final[Mapping[str, tuple[Pace, ...]]] = {
    Topic.TURNS: (Pace.EACH, Pace.ALWAYS, Pace.ONCE, Pace.DAILY, Pace.NONE),
    Topic.WARNINGS: (Pace.EACH, Pace.NONE),
    Topic.PROPOSALS: (Pace.EACH, Pace.DAILY, Pace.NONE),
    Topic.CHALLENGES: (Pace.EACH, Pace.DAILY, Pace.NONE),
    Topic.ENDS: (Pace.EACH, Pace.DAILY, Pace.NONE),
}
"""What may be chosen for each topic; the field of a topic has its name. A warning in a daily letter would come too late."""


def _seen_by_nobody(_letter: Waiting) -> bool:
    return False


def _never_too_late(_letter: Waiting) -> datetime | None:
    return None


@dataclass(frozen=True, slots=True)
class Manner:
    """How letters of a kind go: their topic, whether the reader has `seen` on a page what one tells, and until when it is of
    use (`useful_until`; None: whenever)."""

    topic: Topic
    seen: Callable[[Waiting], bool] = _seen_by_nobody
    useful_until: Callable[[Waiting], datetime | None] = _never_too_late


_manners: Final[dict[tuple[str, str], Manner]] = {}


def file(source: str, manners: Mapping[str, Manner]) -> None:
    """Files the kinds of a source; the same kind again replaces its manner."""
    _manners.update({(source, kind): manner for kind, manner in manners.items()})


def manner_of(source: str, kind: str) -> Manner | None:
    """How letters of this kind go; None for those that nobody may choose about."""
    return _manners.get((source, kind))


def filed() -> Q:
    """The letters of kinds that are filed."""
    return Q(*(Q(source=source, kind=kind) for source, kind in _manners), _connector=Q.OR) if _manners else Q(pk__in=())
