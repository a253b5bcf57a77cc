"""Holds: reasons to let no letter go for now. A higher app has its own, an operator keeps back what the command line names."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from notifications import acts
from notifications.models import Hold

Reason = Callable[[], bool]

_reasons: Final[dict[str, Reason]] = {}


def register(name: str, reason: Reason) -> None:
    """Makes a reason known by its name: while it answers yes, nothing goes out. Asked before each delivery."""
    _reasons[name] = reason


def unregister(name: str) -> None:
    """Forgets a reason."""
    del _reasons[name]


def is_held() -> bool:
    """Whether all letters wait for a reason of a higher app."""
    return any(reason() for reason in _reasons.values())


def hold(*, kind: str = "", address: str = "", by: AbstractBaseUser | None) -> bool:
    """Keeps back letters of a kind, to an address, or both; all of them if neither is named. False if they were already."""
    with transaction.atomic():
        row, made = Hold.objects.get_or_create(kind=kind, address=address.lower(), defaults={"at": timezone.now()})
        if made:
            acts.record(actor=by, act="hold_letters", subject="hold", subject_id=row.pk)
    return made


def release(*, kind: str = "", address: str = "", by: AbstractBaseUser | None) -> bool:
    """Lets go what `hold` with the same words keeps back; whether there was such a hold. What others keep back stays."""
    with transaction.atomic():
        row = Hold.objects.select_for_update().filter(kind=kind, address=address.lower()).first()
        if row is None:
            return False
        acts.record(actor=by, act="release_letters", subject="hold", subject_id=row.pk)
        row.delete()
    return True


def of_operators() -> list[Hold]:
    """What operators keep back, the oldest first."""
    return list(Hold.objects.order_by("pk"))


def free() -> Q:
    """The letters that no operator keeps back. One query."""
    allowed = Q()
    for kind, address in Hold.objects.values_list("kind", "address"):
        if not kind and not address:
            return Q(pk__in=())
        held = Q(kind=kind) if kind else Q()
        allowed &= ~(held & _to(address)) if address else ~held
    return allowed


def forget(addresses: Collection[str]) -> None:
    """Inside the caller's transaction: nothing is kept of these addresses."""
    Hold.objects.filter(address__in=[address.lower() for address in addresses]).delete()


def _to(address: str) -> Q:
    field = get_user_model().get_email_field_name()
    return Q(address=address) | Q(recipient__in=get_user_model()._default_manager.filter(**{field: address}).values("pk"))
