"""How a game began, for letters to somebody who has not moved in it yet."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.models import Challenge
from games.rules import entry as kinds
from games.selectors import GamePage
from notifications.message import one_line


def begun(page: GamePage, seat: int) -> str:
    """That the game has begun, and who accepted the challenge of this seat; empty once it has moved or lost a turn."""
    if any(turn.seat == seat for turn in page.log if turn.kind in (kinds.MOVE, kinds.TIMEOUT)):
        return ""
    if len(page.players) > 2:
        return _("All seats are taken: the game has begun.")
    own = Challenge.objects.filter(game=page.pk, challenger__seats__game=page.pk, challenger__seats__number=seat)
    if own.exists():
        [accepted] = [one.name for number, one in enumerate(page.players) if number != seat]
        return _("%(who)s has accepted your challenge: the game has begun.") % {"who": one_line(accepted)}
    return _("The game has begun.")
