"""Larger tables in the pictures: rooms, and games of Rainbow with few and with many, in play and over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final
from urllib.parse import quote
from uuid import uuid4

from accounts.models import Player
from games.models import Challenge, Game
from games.rules import entry as kinds
from games.rules import registry
from games.selectors.rooms import link_of
from games.services import challenge, proposals
from games.services import room as rooms
from tests.factories import ChallengeFactory, GameFactory, play
from tests.games.scripted import scripted
from tests.screenshots.page import Page

LONG: Final = 60
"""So many plies, and every game has rainbows and told of drops that were drawn."""


def at_tables(alice: Player, others: Sequence[Player], session: Callable[[Player], str]) -> list[Page]:
    """Alice among four and among nineteen others; `session` is that of a player."""
    hers = session(alice)
    five = [alice, *others[:4]]
    moves, asked, many, over = (
        _played(five, alice, LONG, asked=False),
        _played(five, alice, LONG, asked=True),
        _played([alice, *others[:19]], alice, 3 * LONG, asked=False),
        _stopped(five),
    )
    room, hidden, full = (_room(alice, others[: 2 + 2 * listed], listed=listed) for listed in (True, False, True))
    rooms.begin_early(challenge_id=full.pk, player=alice)
    step = over.entries.filter(kind=kinds.MOVE)[LONG // 2].number
    invite = f"/challenges/{hidden.pk}/invite/"
    chosen = next(move for move in _legal(moves) if not move.startswith("pass"))
    return [
        Page("rainbow", f"/games/{moves.pk}/", hers),
        Page("rainbow-preview", f"/games/{moves.pk}/?move={quote(chosen)}", hers),
        Page("rainbow-asked", f"/games/{asked.pk}/", hers),
        Page("rainbow-watched", f"/games/{moves.pk}/"),
        Page("rainbow-many", f"/games/{many.pk}/", hers),
        Page("rainbow-over", f"/games/{over.pk}/", hers),
        Page("rainbow-over-step", f"/games/{over.pk}/{step}/", hers),
        Page("luck", f"/games/{moves.pk}/luck/", hers),
        Page("luck-over", f"/games/{over.pk}/luck/", hers),
        Page("room", f"/challenges/{room.pk}/", session(others[10])),
        Page("room-joined", f"/challenges/{room.pk}/", session(others[0])),
        Page("room-mine", f"/challenges/{hidden.pk}/", hers),
        Page("room-by-link", f"/challenges/{hidden.pk}/?link={link_of(hidden.pk)}", session(others[10])),
        Page("room-begun", f"/challenges/{full.pk}/", hers),
        Page("room-invite-refused", f"/challenges/{hidden.pk}/", hers, 400, (invite, {"address": "no"})),
        Page("challenge-new-rainbow", "/challenges/new/?game=rainbow", hers),
    ]


def _legal(game: Game) -> list[str]:
    ruleset = registry.get(game.ruleset)
    return list(ruleset.legal_moves(ruleset.load(game.position)))


def _played(players: list[Player], until: Player, plies: int, *, asked: bool) -> Game:
    """A game after so many plies or a few more, in which one of them is to move, or is `asked`. Luck may end a game before:
    then they play another."""
    random = Random(plies)
    while True:
        game: Game = GameFactory.create(players=players, ruleset="rainbow")
        seat = game.seat_set.get(player=until).number
        while game.ended_at is None:
            if game.plies >= plies and game.to_move == seat and ("accept" in _legal(game)) == asked:
                return game
            play(game, scripted(game, random))
            game.refresh_from_db()


def _stopped(players: list[Player]) -> Game:
    game = _played(players, players[0], LONG, asked=False)
    asked = proposals.propose(game=game.pk, seat=0, kind="stop", via="web", key=uuid4().hex).head
    for seat in range(1, len(players)):
        proposals.agree(game=game.pk, seat=seat, number=asked, via="web", key=uuid4().hex)
    return game


def _room(owner: Player, joining: Sequence[Player], *, listed: bool) -> Challenge:
    made: Challenge = ChallengeFactory.create(challenger=owner, ruleset="rainbow", seats=20, listed=listed)
    for player in joining:
        challenge.accept_challenge(challenge_id=made.pk, player=player, link="" if listed else link_of(made.pk))
    return made
