"""Addresses and what they put up with: one press keeps an address free of invitations for good."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from notifications import acts
from notifications.models import Refusal


def refuse(address: str) -> None:
    """No more invitations to this address, in whatever case it is written. Again: nothing new."""
    Refusal.objects.get_or_create(address=address.lower(), defaults={"at": timezone.now()})


def allow_again(*, refusal_id: int, by: AbstractBaseUser) -> None:
    """Its owner changed his mind and said so. Again: nothing."""
    with transaction.atomic():
        deleted, _rows = Refusal.objects.filter(pk=refusal_id).delete()
        if deleted:
            acts.record(actor=by, act="allow_invitations", subject="refusal", subject_id=refusal_id)


def is_refused(address: str) -> bool:
    """Whether its owner wants no invitations."""
    return Refusal.objects.filter(address=address.lower()).exists()
