"""Sign-ups that nobody confirmed: they occupy an address and a name until its owner comes, or a week is over."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Exists, OuterRef, ProtectedError, Q, QuerySet

from accounts.models import Player
from accounts.services import erasure
from accounts.services.credentials import credentials_changed

SIGNED_UP: Final = "signed_up"
"""Where the session of a browser keeps which player signed up in it."""
FORGOTTEN_AFTER: Final = timedelta(days=7)
"""So long a sign-up waits for its confirmation. The link in the letter has run out long before."""


def take_over(*, player: Player, session_key: str | None) -> None:
    """The owner of the address comes, and did not sign up: the password that a stranger chose is void. `session_key` is that
    of the owner."""
    player.set_unusable_password()
    player.save(update_fields=["password"])
    credentials_changed(player=player, session_key=session_key)


def free(address: str, *, owner: Player) -> int:
    """Forgets the unconfirmed sign-ups of others that hold an address which `owner` confirmed; how many there were."""
    given = EmailAddress.objects.filter(email=address.lower()).values("user")
    held = _unconfirmed().exclude(pk=owner.pk).filter(Q(email=address.lower()) | Q(pk__in=given))
    return _forget(held.values_list("pk", flat=True))


def forget_unconfirmed(now: datetime) -> int:
    """Forgets the sign-ups that were not confirmed in time; how many there were."""
    return _forget(_unconfirmed().filter(date_joined__lte=now - FORGOTTEN_AFTER).values_list("pk", flat=True))


def _unconfirmed() -> QuerySet[Player]:
    """Who signed up and never proved any address. An administrator made by the command line never signed up."""
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    return Player.objects.filter(
        Exists(addresses),
        ~Exists(addresses.filter(verified=True)),
        last_login=None,
        is_staff=False,
        is_superuser=False,
        leaving_at=None,
        erased_at=None,
    )


def _forget(players: Iterable[int]) -> int:
    return sum(_forgotten(pk) for pk in list(players))


def _forgotten(player_id: int) -> bool:
    with transaction.atomic():
        # Whoever confirms one of these addresses in this moment comes first or too late.
        list(EmailAddress.objects.select_for_update().filter(user=player_id).order_by("pk"))
        player = _unconfirmed().select_for_update().filter(pk=player_id).first()
        if player is None:
            return False
        try:
            with transaction.atomic():
                player.delete()
        except ProtectedError:
            # Somebody reported them.
            erasure.empty(player)
        return True
