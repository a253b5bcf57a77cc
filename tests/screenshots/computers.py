"""Pictures of games against computers, of a guest's game, of analyses and of the board to try moves on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import uuid4

from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games.models import Game
from games.services import analysis, moves
from tests.factories import ChallengeFactory, GameFactory, analysed
from tests.screenshots.page import Page

PLAYED: Final = "2 6 1 6-5 2 1 3 6-4 6 6-5 6-3"


def against_computers(alice: Player, bob: Player, of: Callable[[Player], str], here: dict[str, Any]) -> list[Page]:
    """The pages; `here` is what a client of Django needs to begin a session."""
    hers, guest = of(alice), Client(**here)
    guest.post(reverse("games:computer"), {"game": "mangala", "level": "1", "key": uuid4().hex})
    begun = Game.objects.latest("pk")
    seen, plain = (GameFactory.create(players=[alice, bob], plies=PLAYED) for _twice in range(2))
    for game in (seen, plain):
        moves.resign(game=game.pk, seat=1, via="web", key=uuid4().hex)
    analysis.ask(game=seen.pk)
    analysed(seen, seconds=0.05)
    room = ChallengeFactory.create(challenger=alice, ruleset="rainbow", seats=4)
    path, at = f"/games/{seen.pk}", seen.entries.filter(kind="move")[3].number
    return [
        Page("computer", "/computer/"),
        Page("computer-refused", "/computer/", hers, 400, ("/computer/", {"level": "9"})),
        Page("game-guest", f"/games/{begun.pk}/", guest.cookies["sessionid"].value),
        Page("analysis-none", f"/games/{plain.pk}/analysis/", hers),
        Page("analysis", f"{path}/analysis/"),
        Page("trying", f"{path}/try/?at={at}"),
        Page("trying-tried", f"{path}/try/?at={at}&move=1&move=2", hers),
        Page("trying-refused", f"{path}/try/?at={at}&move=9", hers, 400),
        Page("challenge-room-computers", f"/challenges/{room.pk}/", hers),
    ]
