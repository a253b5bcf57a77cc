"""Leaving: a link in a letter by which its reader wants no more of its kind (RFC 2369, RFC 8058), and nothing else.

The token says who and what, and is signed: no session, no login, no row. It holds until the account is deleted, and verifies
after SECRET_KEY was changed while SECRET_KEY_FALLBACKS has the old one. It is written in hexadecimal digits, which logs mask.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from notifications import addresses, preferences
from notifications.models import Letter
from notifications.topics import Pace, Topic, manner_of

SALT: Final = "letters.leave"
INVITATIONS: Final = "invitations"
"""What a bare address leaves."""


@dataclass(frozen=True, slots=True)
class Leave:
    """What a token allows: that a player, or else a bare address, gets no more letters of a topic."""

    topic: Topic | None
    player_id: int = 0
    address: str = ""


def headers_for(letter: Letter) -> dict[str, str]:
    """What mail programs need to offer it; nothing for letters that nobody may leave."""
    manner = manner_of(letter.source, letter.kind)
    if manner is None:
        return {}
    told = f"{manner.topic}:{letter.recipient_id}" if letter.recipient_id else f"{INVITATIONS}:{letter.address}"
    return {"List-Unsubscribe": f"<{link(told)}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def link(told: str) -> str:
    """The address under which `topic:player` or `invitations:address` is left."""
    token = Signer(salt=SALT).sign(told).encode().hex()
    return f"{settings.SITE_URL}{reverse('letters:leave', args=[token])}"


def read(token: str) -> Leave | None:
    """What a token allows; None when it is not ours, not whole, or the account is gone."""
    try:
        what, _colon, whom = Signer(salt=SALT).unsign(bytes.fromhex(token).decode()).partition(":")
    except (BadSignature, ValueError):
        return None
    if what == INVITATIONS:
        return Leave(None, address=whom)
    here = get_user_model()._default_manager.filter(pk=whom, is_active=True).exists()
    return Leave(Topic(what), player_id=int(whom)) if here else None


def act(leave: Leave) -> None:
    """No more of it. Again: nothing new."""
    if leave.topic is None:
        addresses.refuse(leave.address)
        return
    player = get_user_model()._default_manager.filter(pk=leave.player_id, is_active=True).first()
    if player is not None:
        preferences.leave(player_id=player.pk, zone=player.zone, topic=leave.topic)


def is_left(leave: Leave) -> bool:
    """Whether there are none already."""
    if leave.topic is None:
        return addresses.is_refused(leave.address)
    wishes = preferences.wishes_of(leave.player_id)
    return not wishes.gathered if leave.topic == Topic.DAILY else wishes.paces[leave.topic] == Pace.NONE
