"""The daily check: who is to move and was not told (N19)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.services import suspension
from config import desk
from games.models import Game
from games.services import adjudicate, notices
from notifications.models import Letter
from notifications.topics import Pace
from tests.factories import GameFactory, ModeratorFactory, PlayerFactory, PreferenceFactory
from tests.games.court import ended_by_time, rule
from tests.games.postbag import sent
from tests.games.visits import of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel("2026-12-01T12:00:00Z", tick=False) as clock:
        yield clock


@pytest.fixture
def game(alice: Player, bob: Player, clock: Any) -> Game:
    """Alice is to move."""
    return GameFactory.create(players=[alice, bob])


def letters() -> QuerySet[Letter]:
    return Letter.objects.filter(kind="turn")


def counted(clock: Any) -> int:
    """What the check finds two hours later."""
    clock.shift(timedelta(hours=2))
    return notices.check(timezone.now())


def test_N19_a_letter_that_went_out_is_well(game: Game, clock: Any) -> None:
    sent()
    assert counted(clock) == notices.last_count() == 0


def test_N19_no_letter_at_all_is_an_alarm(game: Game, clock: Any, caplog: pytest.LogCaptureFixture) -> None:
    letters().delete()
    assert counted(clock) == notices.last_count() == 1
    assert f"1 players are to move and were not told, in games [{game.pk}]" in caplog.text


@pytest.mark.parametrize(
    ("state", "reason"), [("failed", "550 no such user"), ("dropped", "it is no longer wanted"), ("dropped", "")]
)
def test_N19_a_letter_that_failed_or_was_dropped_without_a_wish_is_an_alarm(
    game: Game, clock: Any, state: str, reason: str
) -> None:
    letters().update(state=state, reason=reason, due_at=None)
    assert counted(clock) == 1


def test_N19_a_queue_that_stands_still_is_an_alarm_after_an_hour(game: Game, clock: Any) -> None:
    assert notices.check(timezone.now()) == 0
    assert counted(clock) == 1


@pytest.mark.parametrize("pace", [Pace.NONE, Pace.DAILY])
def test_N19_who_wished_so_is_well(game: Game, alice: Player, clock: Any, pace: Pace) -> None:
    PreferenceFactory.create(player=alice, turns=pace)
    assert sent() == []
    assert counted(clock) == 0


def test_N19_who_sleeps_is_well(game: Game, alice: Player, clock: Any) -> None:
    PreferenceFactory.create(player=alice, quiet_from=11, quiet_until=20)
    assert sent() == []
    assert counted(clock) == 0


def test_N19_a_ruling_that_told_the_turn_is_well(game: Game, clock: Any) -> None:
    ended_by_time(game)
    rule(adjudicate.take_back, game, ModeratorFactory.create(), number=game.head)
    assert len(sent()) == 2
    assert counted(clock) == 0


def test_N19_a_pause_counts_nobody_and_the_letter_after_it_is_well(game: Game, bob: Player, clock: Any) -> None:
    moderator = ModeratorFactory.create()
    suspension.suspend(player_id=bob.pk, by=moderator, reason="Because.")
    assert counted(clock) == 0
    suspension.restore(player_id=bob.pk, by=moderator, reason="Because.")
    sent()
    assert counted(clock) == 0


def test_N19_the_count_is_of_all_games(alice: Player, bob: Player, clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "CHUNK", 2)
    GameFactory.create_batch(5, players=[alice, bob])
    letters().delete()
    assert counted(clock) == 5


def test_N19_the_desk_and_healthz_say_how_many(game: Game, clock: Any, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "second_factor_used", lambda _request: True)
    administrator = PlayerFactory.create(is_staff=True, is_superuser=True)
    assert client.get("/healthz").json()["untold"] is None
    letters().delete()
    counted(clock)
    assert "1 player is to move and was not told." in of(administrator).get(reverse("admin:index")).content.decode()
    assert client.get("/healthz").json()["untold"] == 1
