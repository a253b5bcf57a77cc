"""What a visitor writes to others with a form: counted, and shown again when it was refused."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest

from accounts.limits import limited
from accounts.models import Player
from games.rules.phrase import phrase
from games.services.errors import Refused
from games.views.buttons import player_of

KEPT = 10_000
"""So many characters of a refused text are shown again."""


class TooManyMessages(Refused):
    """One message more than one player or one network address may send."""

    status = 429
    reason = phrase("You have written many messages. Please wait a little, then send this one again.")


class TooManyChallenges(Refused):
    """One challenge more than one player or one network address may send."""

    status = 429
    reason = phrase("You have sent many challenges. Please wait a little, then send this one again.")


def message_in(request: HttpRequest, player: Player | None = None) -> str:
    """The message in a form that was sent, by who is logged in if it is not said by whom; empty if there is none.
    A guest's goes to nobody, which is told by whatever would write it.

    Raises TooManyMessages.
    """
    text, writer = request.POST.get("message", ""), player or player_of(request)
    if text.strip() and writer is not None and limited(request, "message", player):
        raise TooManyMessages
    return text


def unsent(request: HttpRequest) -> Mapping[str, str]:
    """Texts of a form that was refused, by the names of their fields."""
    return {name: request.POST.get(name, "")[:KEPT] for name in ("message", "note")}
