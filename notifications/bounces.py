"""Bounces: addresses that letters do not reach, what happens to letters to them, and how an address comes right again.

A letter that its reader may choose about is dropped while the address is marked; codes, links and rulings are always tried. Once
a day one letter is tried all the same, so that a mailbox that was out of order for an hour is not lost to a player who never
visits: who plays by letters alone would lose every game. When the mark goes, what was missed goes out, as far as it is of use.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_noop

from notifications import acts, topics
from notifications.models import Bounce, Letter, LetterQuerySet
from notifications.prepared import prepared

BOUNCES: Final = gettext_noop("the address bounces")
"""Why a letter to a marked address is dropped."""
TRIAL: Final = timedelta(days=1)
"""So long after the last failure one letter is tried; and so long a letter that was tried has to stay away to prove anything."""
FAILED_LATELY: Final = timedelta(days=7)
"""Letters that failed so long before the mark belong to it: they were tried for some days."""
KEPT: Final = timedelta(days=30)
"""So long something is remembered of an address that is no player's, or that was only slow."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Letters to a player do not arrive: since when, and how many were not sent or failed."""

    address: str
    since: datetime
    missed: int


def mark(address: str, *, reason: str, returned: bool) -> None:
    """A letter to the address was refused for good, or `returned` in a report. Again: it was so once more."""
    now = timezone.now()
    last = {"at": now, "tried_at": None, "returned": returned, "reason": reason, "seen_at": now}
    Bounce.objects.get_or_create(address=address.lower(), defaults={"seen_at": now})
    Bounce.objects.filter(address=address.lower()).update(since=Coalesce("since", now), **last)


def count_delay(address: str) -> None:
    """A letter to the address is late. Nothing follows from that, but the desk shows it."""
    now = timezone.now()
    Bounce.objects.get_or_create(address=address.lower(), defaults={"seen_at": now})
    Bounce.objects.filter(address=address.lower()).update(delays=F("delays") + 1, seen_at=now)


def mark_of(address: str) -> Bounce | None:
    """The mark of an address; None for one that is not marked."""
    return Bounce.objects.filter(address=address.lower(), since__isnull=False).first()


def keeps_back(mark: Bounce, letter: Letter, now: datetime) -> bool:
    """Whether the letter is not even tried because the address is marked."""
    if topics.manner_of(letter.source, letter.kind) is None:
        return False
    last = mark.tried_at or mark.at
    return last is not None and now - last < TRIAL


def outlived(mark: Bounce, now: datetime) -> bool:
    """Whether the address has proved itself: a letter that was tried has not come back for a while."""
    return mark.tried_at is not None and now - mark.tried_at >= TRIAL


def accepted(mark: Bounce) -> None:
    """The mail server took a letter to a marked address. Where it was the one that refused, that is proof."""
    if mark.returned:
        Bounce.objects.filter(pk=mark.pk, at=mark.at).update(tried_at=Coalesce("tried_at", timezone.now()))
    else:
        works(mark.address)


def works(address: str) -> bool:
    """The address is proved to work, or said to: its mark goes, and what was missed is owed again. Whether there was one."""
    address = address.lower()
    with transaction.atomic():
        mark = Bounce.objects.select_for_update(no_key=True).filter(address=address, since__isnull=False).first()
        if mark is None:
            return False
        _owe_again(_missed(mark))
        mark.delete()
    return True


def clear(*, bounce_id: int, by: AbstractBaseUser) -> None:
    """Somebody at the desk says that the address works. Again: nothing."""
    with transaction.atomic():
        address = Bounce.objects.filter(pk=bounce_id).values_list("address", flat=True).first()
        if address is not None and works(address):
            acts.record(actor=by, act="clear_address", subject="bounce", subject_id=bounce_id)


def bouncing(addresses: Collection[str]) -> frozenset[str]:
    """Those of these addresses that are marked, in small letters. One query."""
    asked = {address.lower() for address in addresses}
    return frozenset(Bounce.objects.filter(address__in=asked, since__isnull=False).values_list("address", flat=True))


def is_marked(address: str) -> bool:
    """Whether this address is marked, for pages that tell its owner."""
    return bool(_marked(address.lower()))


@prepared
def _marked(address: str) -> QuerySet[Bounce, Any]:
    return Bounce.objects.filter(address=address, since__isnull=False).values_list("pk")


def is_bouncing(field: str) -> Exists:
    """For a query of a higher app: whether the address in this field of its rows is marked."""
    return Exists(Bounce.objects.filter(address=OuterRef(field), since__isnull=False))


def trouble_of(address: str) -> Trouble | None:
    """What a player has to know of the address of theirs that letters go to. One query if all is well."""
    mark = mark_of(address)
    return Trouble(mark.address, mark.since, _missed(mark).count()) if mark is not None and mark.since is not None else None


def forget(addresses: Collection[str]) -> None:
    """Inside the caller's transaction: nothing is kept of these addresses."""
    Bounce.objects.filter(address__in=[address.lower() for address in addresses]).delete()


def forget_old(now: datetime) -> None:
    """Forgets addresses that are no player's, or that were only slow, after a while."""
    old = Bounce.objects.filter(seen_at__lt=now - KEPT)
    players: QuerySet[Any] = get_user_model()._default_manager.values(get_user_model().get_email_field_name())
    old.filter(Q(since=None) | ~Q(address__in=players)).delete()


def _missed(mark: Bounce) -> LetterQuerySet:
    """Letters to the address that were dropped for the mark, or failed about when it came."""
    field = get_user_model().get_email_field_name()
    players = get_user_model()._default_manager.filter(**{field: mark.address}).values("pk")
    to_it = Letter.objects.filter(Q(recipient__in=players) | Q(address=mark.address))
    failed = Q(state=Letter.State.FAILED, created_at__gte=(mark.since or mark.seen_at) - FAILED_LATELY)
    return to_it.filter(Q(state=Letter.State.DROPPED, reason=BOUNCES) | failed & topics.filed())


def _owe_again(letters: LetterQuerySet) -> None:
    letters.update(state=Letter.State.QUEUED, due_at=timezone.now(), attempts=0, reason="", mime=b"")
