"""What Redis knows of how far seeds have drawn: what the database lost does not fall again, and Redis hurts no game (R26)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from socket import AF_UNIX, socket
from typing import Any, NoReturn

import pytest
from django.utils import timezone
from redis import RedisError

from games.models import Game
from games.services import adjudicate, check, drawn, high_water, moves
from notifications.nudges import redis_at
from tests.factories import GameFactory, ModeratorFactory, PlayerFactory
from tests.stack import valkey

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _redis(tmp_path: Path, settings: Any) -> Iterator[None]:
    drawn.server.try_at = 0.0
    with valkey.running(tmp_path / "redis") as settings.REDIS_URL:
        yield
    drawn.server.try_at = 0.0


@pytest.fixture
def game() -> Game:
    high_water.keep(timezone.now())
    return GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="rainbow")


def commitments(game: Game) -> list[int]:
    return list(game.entries.filter(kind="commit").order_by("number").values_list("number", flat=True))


def resign(game: Game, seat: int) -> None:
    moves.resign(game=game.pk, seat=seat, via="web", key=f"resign {seat}")


def test_R26_a_draw_that_the_database_lost_does_not_fall_again(game: Game) -> None:
    drawn.tell(game.pk, commitments(game)[0], 26)
    resign(game, 0)
    assert len(commitments(game)) == 2
    resign(game, 1)
    assert len(commitments(game)) == 2
    assert list(check.differences()) == [(game.pk, [])]


def test_R26_draws_that_the_log_has_are_told_and_change_no_seed(game: Game) -> None:
    [commitment] = commitments(game)
    assert drawn.is_further(game.pk, commitment, 24)
    assert not drawn.is_further(game.pk, commitment, 25)
    resign(game, 0)
    assert commitments(game) == [commitment]


def test_R26_a_seed_that_an_end_revealed_which_the_database_lost_draws_no_more(game: Game) -> None:
    [commitment] = commitments(game)
    resign(game, 0)
    resign(game, 1)
    assert drawn.is_further(game.pk, commitment, 108)


def test_an_end_that_was_taken_back_is_no_loss(game: Game) -> None:
    resign(game, 0)
    moderator = ModeratorFactory.create()
    game.refresh_from_db()
    adjudicate.adjudicate(game=game.pk, by=moderator, verdict="draw", reason="So.", head=game.head, key="a")
    game.refresh_from_db()
    adjudicate.take_back(game=game.pk, by=moderator, number=game.head, reason="So.", key="b")
    resign(game, 1)
    assert len(commitments(game)) == 2


@pytest.mark.parametrize("told", [b"", b"x", b"1 2 3", b"-", b"9" * 5000, b"\xff \xff"])
def test_what_is_no_count_is_passed_over(game: Game, told: bytes) -> None:
    name = high_water.name_of(drawn.NAME)
    with redis_at(1) as redis:
        redis.set(f"{name}-{game.pk}", told)
    resign(game, 0)
    assert len(commitments(game)) == 1


def test_redis_is_asked_in_one_step_and_no_more_so_that_a_slow_one_is_waited_for_once(tmp_path: Path, settings: Any) -> None:
    address = str(tmp_path / "slow.sock")
    settings.REDIS_URL = f"redis+socket://{address}"
    with socket(AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        with redis_at(0.01) as redis, pytest.raises(RedisError):
            redis.get("x")
        with listening.accept()[0] as asked:
            assert asked.recv(1000).startswith(b"*2\r\n$3\r\nGET")


def test_a_redis_that_is_away_is_asked_once_a_second_not_at_each_step(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def away(patience: float) -> NoReturn:
        asked.append(patience)
        raise TimeoutError

    monkeypatch.setattr(drawn, "redis_at", away)
    resign(game, 0)
    resign(game, 1)
    assert len(asked) == 1
    drawn.server.try_at = 0.0
    assert not drawn.is_further(game.pk, 0, 0)
    assert len(asked) == 2
