"""The letter that warns: a fifth of the reader's time for this turn is left."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.utils import timezone

from games import timing
from games.letters.table import context_of, written
from games.models import Game
from notifications.sources import Rendered, Waiting

SOURCE: Final = "warnings"
WARNING: Final = "warning"


class WarningLetters:
    """To the one who must decide, about one deadline."""

    kinds = (WARNING,)

    def still_wanted(self, letter: Waiting) -> bool:
        """While this very deadline is the reader's own and some time is left: whoever has acted has no deadline, or another."""
        about, reader = letter.about, letter.recipient
        deadline = datetime.fromisoformat(about["deadline"])
        games = Game.objects.running().filter(
            pk=about["game"],
            deadline=deadline,
            to_move=about["seat"],
            seat__number=about["seat"],
            seat__player=reader.pk if reader else None,
        )
        return not timing.is_over(deadline, timezone.now()) and games.exists()

    def render(self, letter: Waiting) -> Rendered:
        """What the letter of the turn says, in the recipient's language and time zone, after the warning."""
        return written(letter, WARNING, context_of, with_moves=True)
