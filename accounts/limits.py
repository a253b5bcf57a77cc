"""How often one player, and one network address, may do what others have to put up with."""

from __future__ import annotations

from typing import Literal

from allauth.core import ratelimit
from django.conf import settings
from django.http import HttpRequest

from accounts.models import Player

Action = Literal["analysis", "challenge", "export", "guest", "invitation", "letters_again", "message", "report"]


def limited(request: HttpRequest, action: Action, player: Player | None = None) -> bool:
    """Counts an act of a player, who is logged in if it is not said who it is; True when it is one too many, by the rates of
    ACCOUNT_RATE_LIMITS.

    Only what would act is counted: a GET never is. Raises KeyError for an action without a rate.
    """
    if action not in settings.ACCOUNT_RATE_LIMITS:
        raise KeyError(action)
    return not ratelimit.consume(request, action=action, user=player)
