"""Addresses and what they put up with: one press keeps an address free of invitations for good."""

from __future__ import annotations

from django.utils import timezone

from notifications.models import Refusal


def refuse(address: str) -> None:
    """No more invitations to this address, in whatever case it is written. Again: nothing new."""
    Refusal.objects.get_or_create(address=address.lower(), defaults={"at": timezone.now()})


def is_refused(address: str) -> bool:
    """Whether its owner wants no invitations."""
    return Refusal.objects.filter(address=address.lower()).exists()
