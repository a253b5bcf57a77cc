"""Samples of letters about an account: each template of ours, with made-up contents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from accounts import letters
from accounts.models import Player
from accounts.names import name_key
from accounts.services import moderators, suspension

READER: Final = "alice@samples.example.org"
JUDGE: Final = "judge@samples.example.org"
OTHER: Final = "alice@work.example.org"
TEMPLATES: Final[Mapping[str, str]] = {
    "login-code": "account/email/login_code",
    "email-confirmation": "account/email/email_confirmation",
    "password-reset": "account/email/password_reset_key",
    "already-exists": "account/email/account_already_exists",
    "unknown-account": "account/email/unknown_account",
    "email-added": "account/email/email_added",
    "email-changed": "account/email/email_changed",
    "email-deleted": "account/email/email_deleted",
    "suspended": "accounts/letters/suspended",
    "restored": "accounts/letters/restored",
    "appointed": "accounts/letters/appointed",
    "dismissed": "accounts/letters/dismissed",
    "reached": "accounts/letters/reached",
    "farewell": "accounts/letters/farewell",
}
"""By name of the sample."""
SUSPENSION: Final = (suspension.suspend, "Insults in messages, after two warnings.")
APPOINTMENT: Final = (moderators.appoint, "Fair in every dispute.")
RULINGS: Final[Mapping[str, Sequence[tuple[Callable[..., object], str]]]] = {
    "suspended": [SUSPENSION],
    "restored": [SUSPENSION, (suspension.restore, "An apology was accepted.")],
    "appointed": [APPOINTMENT],
    "dismissed": [APPOINTMENT, (moderators.dismiss, "A wish for more time to play.")],
}
"""What is done to a player for a letter, and why."""


class AccountSamples:
    """What allauth, those who rule and erasure have to say to one player."""

    samples: Mapping[str, str] = {name: letters.KINDS.get(template, letters.NOTICE) for name, template in TEMPLATES.items()}

    def bring_about(self, name: str, language: str) -> str:
        """Sends the template."""
        player = somebody("Alice", READER, language)
        if name in RULINGS:
            judge = somebody("Judge", JUDGE, language, is_superuser=True)
            for act, reason in RULINGS[name]:
                act(player_id=player.pk, by=judge, reason=reason)
        else:
            letters.send(TEMPLATES[name], player.email, _told(player))
        return player.email


def somebody(name: str, email: str, language: str, **fields: Any) -> Player:
    """A player of samples; where the name is taken, under a number behind it."""
    numbered = (name if number == 1 else f"{name} {number}" for number in count(1))
    free = next(one for one in numbered if not Player.objects.filter(name_key=name_key(one)).exists())
    zone = {"ru": "Europe/Moscow", "tr": "Europe/Istanbul"}.get(language, "Europe/London")
    return Player.objects.create_user(email, display_name=free, language=language, time_zone=zone, **fields)


def _told(player: Player) -> dict[str, Any]:
    """What the templates ask for, as allauth hands it in."""
    links = dict.fromkeys(("activate_url", "password_reset_url", "signup_url"), f"{settings.SITE_URL}/accounts/sample/")
    changes = {"added_email": OTHER, "deleted_email": OTHER, "from_email": OTHER, "to_email": player.email}
    act = {"ip": "192.0.2.7", "timestamp": timezone.now()}
    return {"user": player, "player": player, "name": player.display_name, "code": "SMPL-4711", **links, **changes, **act}
