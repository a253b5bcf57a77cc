"""Games that began before: `python -m tests.journeys.past SECONDS REFLECTION "MOVES" NAME NAME` plays one, prints its path."""

from __future__ import annotations

import sys
from datetime import timedelta
from time import sleep
from unittest.mock import patch

import django
from django.utils import timezone


def begun(ago: timedelta, reflection: timedelta, plies: str, *names: str) -> str:
    """The path of a game of Mangala that players, the first of whom began, played some time ago, all plies in one moment; as soon
    as its letters have gone."""
    import time_machine

    from accounts.models import Player
    from notifications.models import Letter
    from tests.factories import GameFactory

    players = [Player.objects.get(display_name=name) for name in names]
    # What a player does counts from the last sweep, which has seen the present already.
    with time_machine.travel(timezone.now() - ago), patch("games.services.pulse.clock", timezone.now):
        game = GameFactory.create(players=players, reflection=reflection, plies=plies)
    while Letter.objects.filter(about__game=game.pk).exclude(due_at=None).exists():
        sleep(0.1)
    return f"/games/{game.pk}/"


if __name__ == "__main__":
    django.setup()
    print(begun(timedelta(seconds=int(sys.argv[1])), timedelta(seconds=int(sys.argv[2])), *sys.argv[3:]))
