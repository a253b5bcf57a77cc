"""What the pictures show: a few people, their games at every stage, and the pages that they see."""

from __future__ import annotations

from typing import NamedTuple
from uuid import uuid4

from django.test import Client

from accounts.models import Player
from games.models import Challenge
from games.services import moves, proposals
from tests.factories import ChallengeFactory, EmailAddressFactory, GameFactory

WHOLE = "2 6 1 6-5 2 1 3 6-4 6 6-5 6-3 5 5 2 5 6-1 6-6-4 3 6-5"
"""A bundled game, turn by turn."""


class Page(NamedTuple):
    """A page to visit: what its pictures are called, its path, and the session of whoever looks; empty for a visitor."""

    name: str
    path: str
    session: str = ""


def made() -> list[Page]:
    """Fills the database; the pages in the order in which a newcomer would meet them."""
    alice, bob, zoe = (
        EmailAddressFactory.create(user__display_name=name, user__email=f"{name.lower()}@example.org").user
        for name in ("Alice", "Bob", "Zoë")
    )
    asks = GameFactory.create(players=[alice, bob], plies="2 6 1 6-5 2 1")
    waits = GameFactory.create(players=[alice, zoe], plies="4-6 3")
    GameFactory.create(players=[zoe, bob], plies="3 5 1 2")
    GameFactory.create(players=[bob, alice], plies="1 1 2")
    GameFactory.create(players=[alice, zoe], plies="6")
    over = GameFactory.create(players=[bob, alice], plies=WHOLE)
    resigned = GameFactory.create(players=[alice, bob], plies="4-6 3 1")
    moves.resign(game=resigned.pk, seat=1, via="web", key=uuid4().hex)
    proposals.propose(game=waits.pk, seat=1, kind="draw", via="web", key=uuid4().hex)
    open_one = ChallengeFactory.create(challenger=zoe)
    ChallengeFactory.create(challenger=bob, opponent=alice)
    mine = ChallengeFactory.create(challenger=alice, begins=Challenge.Begins.OPPONENT)
    hers = _session(alice)
    return [
        Page("home", "/"),
        Page("rules", "/rules/mangala/"),
        Page("challenges", "/challenges/"),
        Page("watch", "/games/"),
        Page("watch-finished", "/games/finished/"),
        Page("sign-up", "/accounts/signup/"),
        Page("log-in", "/accounts/login/"),
        Page("log-in-code", "/accounts/login/code/"),
        Page("password-forgotten", "/accounts/password/reset/"),
        Page("home-player", "/", hers),
        Page("mine", "/my/", hers),
        Page("mine-empty", "/my/", _session(EmailAddressFactory.create(user__display_name="Newcomer").user)),
        Page("finished", "/my/finished/", hers),
        Page("challenge-new", "/challenges/new/", hers),
        Page("challenge", f"/challenges/{open_one.pk}/", hers),
        Page("challenge-mine", f"/challenges/{mine.pk}/", hers),
        Page("game-my-turn", f"/games/{asks.pk}/", hers),
        Page("game-preview", f"/games/{asks.pk}/?move=4", hers),
        Page("game-refused", f"/games/{asks.pk}/?move=9", hers),
        Page("game-proposal", f"/games/{waits.pk}/", hers),
        Page("game-watched", f"/games/{asks.pk}/"),
        Page("game-step", f"/games/{asks.pk}/4/"),
        Page("game-over", f"/games/{over.pk}/", hers),
        Page("player", f"/players/{bob.pk}/", hers),
        Page("report", f"/players/{bob.pk}/report/", hers),
        Page("settings", "/accounts/settings/", hers),
        Page("addresses", "/accounts/email/", hers),
        Page("password", "/accounts/password/change/", hers),
        Page("second-factor", "/accounts/2fa/", hers),
        Page("sessions", "/accounts/sessions/", hers),
        Page("blocks", "/accounts/blocks/", hers),
        Page("export", "/accounts/export/", hers),
        Page("delete", "/accounts/delete/", hers),
        Page("log-out", "/accounts/logout/", hers),
        Page("mailbox", "/mailbox/"),
        Page("not-found", "/nowhere/"),
        Page("invitation-expired", "/invitations/0123456789abcdef/"),
    ]


def _session(player: Player) -> str:
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return client.cookies["sessionid"].value
