"""Visitors of the tests: people with browsers, who log in and use second factors as one does."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from tests.factories import PASSWORD, EmailAddressFactory

SECRET = "JBSWY3DPEHPK3PXP"


def somebody(name: str, **facts: Any) -> Player:
    """A player with a confirmed address, who may log in."""
    facts = {"email": f"{name.lower()}@example.org", "display_name": name, **facts}
    made = EmailAddressFactory.create(**{f"user__{fact}": value for fact, value in facts.items()})
    player: Player = made.user
    return player


def logged_in(player: Player, password: str = PASSWORD, **options: Any) -> Client:
    """A browser in which the player logged in with the password."""
    client = Client(**options)
    client.post(reverse("account_login"), {"login": player.email, "password": password})
    return client


def proves_it_is_me(client: Client) -> None:
    """Types the password again, as dangerous pages ask."""
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def with_app(player: Player) -> None:
    """Gives the player an authenticator app and recovery codes."""
    totp.TOTP.activate(player, SECRET)
    RecoveryCodes.activate(player)


def code(*, again: bool = False) -> str:
    """What the app shows now; each code is good once, so `again` gives the one that it shows next."""
    _earlier, now, soon = totp.yield_hotp_counters_from_time()
    return str(totp.format_hotp_value(totp.hotp_value(SECRET, soon if again else now)))


def recovery_codes(player: Player) -> list[str]:
    """The player's unused recovery codes."""
    kept = Authenticator.objects.get(user=player, type=Authenticator.Type.RECOVERY_CODES)
    return list(kept.wrap().get_unused_codes())
