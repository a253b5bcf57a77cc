"""Somebody leaves while others play on, in real processes: whatever comes first, the log agrees and all is done once."""

from __future__ import annotations

from collections import Counter

import pytest

from accounts.models import Player
from accounts.services import erasure
from games.models import Game
from notifications.models import Letter
from tests.factories import ChallengeFactory, GameFactory, PlayerFactory
from tests.games.races import RUNS, Racers, agreed, move

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.locking]


def test_S11_erased_four_times_at_once_is_erased_once(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        alice, bob = PlayerFactory.create_batch(2)
        games = [GameFactory.create(players=[alice, bob], plies="1 1").pk for _ in range(3)]
        ChallengeFactory.create(challenger=alice)
        erasure.ask_erasure(player=alice)
        told = racers.race(*({"do": "erase", "player": alice.pk} for _ in range(4)))
        assert Counter(told) == {"done": 1, "nothing": 3}
        assert Player.objects.get(pk=alice.pk).erased_at is not None
        for game in games:
            assert Game.objects.get(pk=game).entries.filter(kind="resign").count() == 1
            assert Letter.objects.filter(kind="over", recipient=bob, about__game=game).count() == 1
        assert Letter.objects.filter(key=f"farewell:{alice.pk}").count() == 1
    assert agreed()


def test_S11_the_opponent_moves_while_somebody_is_erased(racers: Racers) -> None:
    for number in range(RUNS):
        alice, bob = PlayerFactory.create_batch(2)
        game = GameFactory.create(players=[bob, alice], plies="1 1")
        erasure.ask_erasure(player=alice)
        moved, erased = racers.race(move(game, "2", f"k{number}"), {"do": "erase", "player": alice.pk})
        assert (moved in ("done", "GameIsOver"), erased) == (True, "done")
        game.refresh_from_db()
        assert (game.termination, game.result) == ("resignation", "1-0")
        assert game.entries.filter(kind="move", text="2").exists() == (moved == "done")
    assert agreed()


def test_of_the_last_two_administrators_one_stays(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        Player.objects.update(is_superuser=False)
        two = PlayerFactory.create_batch(2, is_superuser=True)
        told = racers.race(*({"do": "leave", "player": one.pk} for one in two))
        assert Counter(told) == {"done": 1, "LastAdministrator": 1}
        assert Player.objects.filter(is_superuser=True, is_active=True).count() == 1
