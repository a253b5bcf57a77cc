"""Guests: people without an account, who play against a computer with nothing but a key in their browser's session."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from games import selectors
from games.models import Challenge, Game, Seat
from games.rules import registry
from games.services import owing, seating
from games.services.errors import NotAllowed
from games.services.terms import Terms, checked
from games.services.waiting import CANNOT_PLAY, locked_players

BYTES: Final = 16
KEPT: Final = timedelta(days=30)
"""So long after its end the key of a guest's game opens it."""
REFLECTION: Final = timedelta(days=3)
AT_A_TABLE: Final = 4
"""So many seats a guest's table has, where their number may be chosen."""


def terms_against_computers(ruleset: str) -> Terms:
    """A game as somebody gets it who chooses nothing but what is played: they begin, or at a table the lot decides."""
    fewest, most = registry.get(ruleset).facts.seats
    begins = Challenge.Begins.CHALLENGER if most == 2 else Challenge.Begins.LOT
    seats = fewest if fewest == most else min(most, AT_A_TABLE)
    return Terms(ruleset=ruleset, reflection=REFLECTION, options={}, seats=seats, begins=begins, public=False)


def begin(*, terms: Terms, level: int) -> tuple[Game, str]:
    """A game of a guest against computers of a level, and the key to its seat, which is kept nowhere else. Raises BadTerms."""
    terms, key = checked(terms), token_hex(BYTES)
    holders: list[seating.Holder] = [seating.Guest(selectors.digest_of(key)), *[seating.Computer(level)] * (terms.seats - 1)]
    with transaction.atomic(durable=True):
        return seating.begin(terms, holders, timezone.now()), key


def claim(*, player: Player, keys: Mapping[int, str]) -> list[int]:
    """The seats that the keys open, by game, become the player's; in which games. Again: nothing new. Raises NotAllowed for
    somebody who may not play."""
    claimed = []
    for game, key in sorted(keys.items()):
        with transaction.atomic(durable=True):
            row = Game.objects.select_for_update(no_key=True).filter(pk=game).first()
            if not selectors.may_play(locked_players([player.pk])[player.pk]):
                raise NotAllowed(CANNOT_PLAY)
            opened = Seat.objects.filter(game=game, key_digest=selectors.digest_of(key), player=None)
            if row is None or not opened.exclude(game__seat__player=player).update(player=player, key_digest=""):
                continue
            claimed.append(game)
            owing.tell_turn(row)
    return claimed


def forget_keys(now: datetime) -> int:
    """Forgets the keys of games that ended long ago; how many. Their seats are nobody's for ever."""
    return Seat.objects.exclude(key_digest="").filter(game__ended_at__lt=now - KEPT).update(key_digest="")
