"""Preferences: what a player wants of letters, asked when one is about to go, and changed on a page or by leaving."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Protocol, cast
from zoneinfo import ZoneInfo

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext_noop

from notifications import hours
from notifications.models import Letter, Preference
from notifications.sources import Waiting
from notifications.topics import PACES, Pace, Topic, manner_of

OFF: Final = gettext_noop("its reader wants none of these")
GATHERED: Final = gettext_noop("it goes into the daily letter")
ONCE: Final = gettext_noop("its reader was told of a turn and has not come since")
SEEN: Final = gettext_noop("its reader has seen it")
REASONS: Final = (OFF, GATHERED, ONCE, SEEN)
"""Why a letter is dropped although what it tells is still so."""
QUIET: Final = gettext_noop("it waits for the end of quiet hours")
BEHIND: Final = gettext_noop("another letter about a turn is on its way")
SHORTLY: Final = timedelta(hours=1)
"""A letter that is of no use an hour after quiet hours have ended does not wait for their end."""
MEANWHILE: Final = timedelta(minutes=1)
"""So long a letter waits for what becomes of another one, that may take its place."""


class Reader(Protocol):
    """What must be known of a player to whom letters go: the zone of the wall clock, and since when a letter about a turn
    waits for a visit (`told_at`; empty after every visit)."""

    @property
    def pk(self) -> Any:
        """The number of the player."""

    @property
    def zone(self) -> ZoneInfo:
        """The time zone."""

    told_at: datetime | None


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a player chose: a pace for each topic, quiet hours, the hour of the daily letter."""

    paces: Mapping[str, str] = field(default_factory=lambda: {str(topic): str(Pace.EACH) for topic in PACES})
    quiet_from: int | None = None
    quiet_until: int | None = None
    digest_hour: int = 8

    @property
    def gathered(self) -> frozenset[str]:
        """The topics that the daily letter tells."""
        return frozenset(topic for topic, pace in self.paces.items() if pace == Pace.DAILY)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a letter that is still true: it goes, unless it is `dropped` for a reason, or `held` until then for the
    reason `why`."""

    dropped: str = ""
    held: datetime | None = None
    why: str = ""


def wishes_of(player_id: int) -> Wishes:
    """What the player chose."""
    return _wishes(Preference.objects.filter(player=player_id).first())


def wants_none(field: str, topic: Topic) -> Exists:
    """For a query of a higher app: whether the player in this field of its rows wants no letters of a topic."""
    return Exists(Preference.objects.filter(player=OuterRef(field), **{str(topic): Pace.NONE}))


def change(*, player_id: int, zone: ZoneInfo, wishes: Wishes) -> None:
    """The player wants letters so from now on. Raises IntegrityError for a pace that a topic does not have."""
    with transaction.atomic():
        row = _locked(player_id)
        for topic in PACES:
            setattr(row, topic, wishes.paces[topic])
        row.quiet_from, row.quiet_until, row.digest_hour = wishes.quiet_from, wishes.quiet_until, wishes.digest_hour
        _save(row, zone)


def leave(*, player_id: int, zone: ZoneInfo, topic: Topic) -> None:
    """No more letters of this topic; of the daily letter: none of what it gathers either. Again: nothing new."""
    with transaction.atomic():
        row = _locked(player_id)
        left = _wishes(row).gathered if topic == Topic.DAILY else {str(topic)}
        for one in left:
            setattr(row, one, Pace.NONE)
        _save(row, zone)


def move_to(*, player_id: int, zone: ZoneInfo) -> None:
    """The player's wall clock is that of another zone."""
    with transaction.atomic():
        row = Preference.objects.select_for_update(no_key=True).filter(player=player_id, digest_at__isnull=False).first()
        if row is not None:
            _save(row, zone)


def forget(player_id: int) -> None:
    """Inside the caller's transaction: what the player chose is not kept."""
    Preference.objects.filter(player=player_id).delete()


def verdict(letter: Letter, waiting: Waiting, now: datetime) -> Verdict:
    """What its reader wants of a letter that is about to go. `letter` comes with its recipient and the preferences."""
    manner, reader = manner_of(letter.source, letter.kind), letter.recipient
    if manner is None or reader is None:
        return Verdict()
    wishes = _wishes(getattr(reader, "preference", None))
    pace = wishes.paces.get(manner.topic, Pace.EACH)
    if pace == Pace.NONE:
        return Verdict(dropped=OFF)
    if pace == Pace.DAILY:
        return Verdict(dropped=GATHERED)
    if pace != Pace.ALWAYS and manner.seen(waiting):
        return Verdict(dropped=SEEN)
    if pace == Pace.ONCE and _known(reader).told_at is not None:
        return Verdict(dropped=ONCE)
    end = _end_of_quiet(wishes, _known(reader).zone, now)
    if end is not None:
        useful = manner.useful_until(waiting)
        if useful is None or useful > end + SHORTLY:
            return Verdict(held=end, why=QUIET)
    return _the_one(letter, reader, now) if pace == Pace.ONCE else Verdict()


def sent(letter: Letter) -> None:
    """The letter is accepted: who wants one letter until the next visit has had it. Called while it still counts as in flight,
    so that no other one goes between."""
    manner, reader = manner_of(letter.source, letter.kind), letter.recipient
    if manner is None or reader is None or manner.topic != Topic.TURNS:
        return
    if _wishes(getattr(reader, "preference", None)).paces[Topic.TURNS] == Pace.ONCE:
        get_user_model()._default_manager.filter(pk=reader.pk).update(told_at=timezone.now())


def came_back(letter: Letter) -> None:
    """The letter did not arrive after all: who wants one letter until the next visit has not had it."""
    manner = manner_of(letter.source, letter.kind)
    if manner is not None and manner.topic == Topic.TURNS and letter.recipient_id is not None:
        get_user_model()._default_manager.filter(pk=letter.recipient_id, told_at__isnull=False).update(told_at=None)


def due_daily(now: datetime, most: int = 500) -> list[int]:
    """The players whose hour of the daily letter has come, those who wait longest first."""
    due = Preference.objects.filter(digest_at__lte=now).order_by("digest_at")
    return list(due.values_list("player_id", flat=True)[:most])


def take_daily(player_id: int, now: datetime) -> str | None:
    """Inside the caller's transaction: the day, in the player's zone, whose letter is to be written now; None when somebody else
    took it, or it is so late that the next one is nearer. Sets the hour of the next one."""
    due = Preference.objects.select_for_update(no_key=True, of=("self",)).filter(player=player_id, digest_at__lte=now)
    row = due.select_related("player").first()
    if row is None:
        return None
    zone = _known(row.player).zone
    last, row.digest_at = hours.last_at(now, zone, row.digest_hour), hours.next_at(now, zone, row.digest_hour)
    row.save(update_fields=["digest_at"])
    is_late = now - last > row.digest_at - now
    return None if is_late else last.astimezone(zone).date().isoformat()


def _the_one(letter: Letter, reader: AbstractBaseUser, now: datetime) -> Verdict:
    """Of several letters about turns that want to go in the same second, one may.

    1. Another that is in flight has been let go: this one waits for what becomes of it.
    2. A conditional update lets this one go; its row count decides between two workers.
    3. Only then is the reader asked again: the other may have gone out since he was read.
    """
    last = Letter.objects.filter(pk__in=Preference.objects.filter(player=reader.pk).values("let_go")).first()
    if last is not None and last.pk != letter.pk and last.state == Letter.State.IN_FLIGHT:
        return Verdict(held=now + MEANWHILE, why=BEHIND)
    if not Preference.objects.filter(player=reader.pk, let_go=last).update(let_go=letter):
        return Verdict(held=now + MEANWHILE, why=BEHIND)
    waits = get_user_model()._default_manager.filter(pk=reader.pk, told_at__isnull=False)
    return Verdict(dropped=ONCE) if waits.exists() else Verdict()


def _wishes(row: Preference | None) -> Wishes:
    if row is None:
        return Wishes()
    paces = {str(topic): str(getattr(row, topic)) for topic in PACES}
    return Wishes(paces, row.quiet_from, row.quiet_until, row.digest_hour)


def _end_of_quiet(wishes: Wishes, zone: ZoneInfo, now: datetime) -> datetime | None:
    if wishes.quiet_from is None or wishes.quiet_until is None:
        return None
    return hours.quiet_until(now, zone, wishes.quiet_from, wishes.quiet_until)


def _locked(player_id: int) -> Preference:
    Preference.objects.get_or_create(player_id=player_id)
    return Preference.objects.select_for_update(no_key=True).get(player=player_id)


def _save(row: Preference, zone: ZoneInfo) -> None:
    row.digest_at = hours.next_at(timezone.now(), zone, row.digest_hour) if _wishes(row).gathered else None
    row.save()


def _known(reader: AbstractBaseUser) -> Reader:
    return cast(Reader, reader)
