"""Reach: whether letters arrive at the address of a player, and who may say that they do."""

from __future__ import annotations

from typing import Final

from allauth.account.authentication import get_authentication_records
from django.db import transaction
from django.http import HttpRequest

from accounts import letters
from accounts.models import Player
from notifications import bounces

LETTER: Final = "accounts/letters/reached"


def try_again(*, player: Player) -> bool:
    """The player says that the address works: a letter proves it, and what was missed goes out with it. False when nothing
    bounced."""
    with transaction.atomic():
        bounced = bounces.works(player.email)
        if bounced:
            letters.send(LETTER, player.email, {"name": player.name})
    return bounced


def proved(address: str) -> None:
    """Somebody had what only a letter to this address says."""
    bounces.works(address)


def proved_by_login(request: HttpRequest, player: Player) -> None:
    """The same for the address of a code that this session was opened with."""
    for record in get_authentication_records(request, player):
        if record["method"] == "code" and record.get("email"):
            proved(record["email"])
