"""A database that was put back from a backup: nothing goes out until an operator says so, and nobody loses time (R26)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from redis import RedisError

from accounts.models import Player
from config import desk
from games import tasks
from games.models import Freeze, Game, Pulse
from games.services import adjudicate, check, freeze, high_water, moves, proposals, pulse
from games.services.errors import NotAllowed
from notifications.nudges import redis_at
from tests.factories import GameFactory, ModeratorFactory, PlayerFactory, play
from tests.games.court import rule
from tests.games.postbag import sent, text
from tests.games.visits import of

pytestmark = pytest.mark.django_db(transaction=True)

BASE = Path(__file__).resolve().parents[2]
BACKUP = timedelta(hours=20)
"""So old is the backup."""


@pytest.fixture(autouse=True)
def _sure_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freeze, "SURE", 0.0)


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel("2026-12-01T12:00:00Z", tick=False) as clock:
        yield clock


@pytest.fixture
def game(alice: Player, bob: Player, clock: Any) -> Game:
    """Alice is to move; the service lived a day longer than this database knows."""
    made = GameFactory.create(players=[alice, bob], reflection=timedelta(hours=10))
    pulse.beat("sweep")
    clock.shift(BACKUP)
    high_water.keep(timezone.now())
    return made


def test_R26_no_letter_goes_out_and_nobodys_time_runs_out(game: Game, caplog: pytest.LogCaptureFixture) -> None:
    assert sent() == []
    for _ in range(3):
        pulse.beat("web")
        tasks.sweep()
    game.refresh_from_db()
    assert game.ended_at is None
    assert caplog.text.count("it was put back from a backup") == 1
    assert Freeze.objects.count() == 1
    assert pulse.last("sweep") != timezone.now()


def test_R26_the_operator_lets_it_go_on_and_every_turn_is_given_what_was_lost(
    game: Game, alice: Player, bob: Player, clock: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    before = game.deadline
    assert freeze.freeze_if_put_back()
    clock.shift(timedelta(hours=1))
    call_command("thaw")
    assert "1 games were given the time that was lost" in capsys.readouterr().out
    game.refresh_from_db()
    assert before is not None
    assert game.deadline == before + BACKUP + timedelta(hours=1)
    assert not [found for _, found in check.differences() if found]
    told = sent()
    assert {letter["To"] for letter in told} == {alice.email, bob.email}
    assert any("The service: gave 21 hours more for this turn" in " ".join(text(letter).split()) for letter in told)
    with pytest.raises(CommandError, match="not frozen"):
        call_command("thaw")


def test_R26_a_letter_of_a_turn_that_waited_does_not_go_beside_the_one_that_gives_time(
    game: Game, alice: Player, bob: Player
) -> None:
    freeze.freeze_if_put_back()
    freeze.thaw(by=None)
    told = sent()
    assert sorted(letter["To"] for letter in told) == [alice.email, bob.email]
    assert ["Choose your move" in text(letter) for letter in told] == [letter["To"] == alice.email for letter in told]


def test_R26_once_thawed_it_stays_so_before_the_first_sweep_too(game: Game) -> None:
    assert freeze.freeze_if_put_back()
    freeze.thaw(by=None)
    assert not freeze.freeze_if_put_back()
    tasks.sweep()
    assert Freeze.objects.count() == 1


def test_R26_an_interrupted_thaw_gives_nobody_twice(game: Game, monkeypatch: pytest.MonkeyPatch, clock: Any) -> None:
    assert freeze.freeze_if_put_back()
    with monkeypatch.context() as patch:
        patch.setattr("accounts.services.audit.record", None)
        with pytest.raises(TypeError):
            freeze.thaw(by=None)
    assert freeze.freeze_if_put_back()
    clock.shift(timedelta(minutes=9))
    assert freeze.thaw(by=None) == 0
    assert game.entries.filter(kind="clock").count() == 1


def test_R26_a_turn_that_began_since_has_time_of_its_own(game: Game) -> None:
    assert freeze.freeze_if_put_back()
    young = GameFactory.create(players=PlayerFactory.create_batch(2))
    before = young.deadline
    freeze.thaw(by=None)
    young.refresh_from_db()
    assert young.deadline == before


def test_R26_a_turn_that_was_given_time_before_is_given_what_was_lost_as_well(alice: Player, bob: Player, clock: Any) -> None:
    game = GameFactory.create(players=[alice, bob], reflection=timedelta(days=1))
    rule(adjudicate.extend_deadline, game, ModeratorFactory.create(), seconds=3 * 86_400)
    before = game.deadline
    pulse.beat("sweep")
    clock.shift(BACKUP)
    high_water.keep(timezone.now())
    assert freeze.freeze_if_put_back()
    assert freeze.thaw(by=None) == 1
    game.refresh_from_db()
    assert before is not None
    assert game.deadline == before + BACKUP


def test_R26_a_turn_taken_back_since_has_the_time_that_was_left_and_no_more(alice: Player, bob: Player, clock: Any) -> None:
    game = GameFactory.create(players=[alice, bob], reflection=timedelta(days=3))
    clock.shift(timedelta(hours=4))
    play(game, "1")
    pulse.beat("sweep")
    clock.shift(BACKUP)
    high_water.keep(timezone.now())
    assert freeze.freeze_if_put_back()
    clock.shift(timedelta(hours=1))
    asked = proposals.propose(game=game.pk, seat=0, kind="takeback", via="web", key="ask").head
    proposals.agree(game=game.pk, seat=1, number=asked, via="web", key="agree")
    assert freeze.thaw(by=None) == 0
    game.refresh_from_db()
    assert game.deadline == timezone.now() + timedelta(days=3, hours=-4)


def test_R26_a_backup_that_was_put_into_a_database_of_another_name_freezes_the_service(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict, "NAME", "restored")
    monkeypatch.setitem(connection.settings_dict, "HOST", "another-host")
    assert freeze.freeze_if_put_back()


def test_another_database_beside_the_same_mark_is_not_frozen(game: Game) -> None:
    Pulse.objects.filter(name=high_water.BEGUN).update(at=timezone.now() - BACKUP)
    assert not freeze.freeze_if_put_back()


def test_R26_healthz_says_so(client: Any, game: Game) -> None:
    assert client.get("/healthz").json()["frozen"] is False
    freeze.freeze_if_put_back()
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["frozen"]) == (503, True)


def test_R26_the_desk_says_so_and_has_the_button_for_who_may(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "second_factor_used", lambda _request: True)
    freeze.freeze_if_put_back()
    with pytest.raises(NotAllowed):
        freeze.thaw(by=ModeratorFactory.create())
    browser = of(PlayerFactory.create(is_staff=True, is_superuser=True))
    assert "was put back from a backup" in browser.get(reverse("admin:index")).content.decode()
    address = reverse("admin:games_freeze_thaw", args=[Freeze.objects.get().pk])
    assert "is given the time that was lost" in browser.get(address).content.decode()
    answer = browser.post(address, follow=True)
    assert "Done: Let the service go on." in answer.content.decode()
    assert not freeze.freeze_if_put_back()
    assert browser.post(address).status_code == 409


def test_R26_a_database_that_lost_its_last_minute_goes_on_and_games_with_chance_take_new_seeds(
    clock: Any, caplog: pytest.LogCaptureFixture
) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="rainbow")
    committed = game.entries.filter(kind="commit")
    pulse.beat("sweep")
    clock.shift(timedelta(minutes=1))
    high_water.keep(timezone.now())
    clock.shift(timedelta(seconds=5))
    for _ in range(3):
        assert not freeze.freeze_if_put_back()
    assert caplog.text.count("what was written between is lost") == 1
    assert (Freeze.objects.count(), freeze.is_frozen(), committed.count()) == (1, False, 1)
    moves.resign(game=game.pk, seat=0, via="web", key="a")
    assert committed.count() == 2
    assert list(check.differences()) == [(game.pk, [])]


# -- what is no backup ---------------------------------------------------------------------------------------------------


def test_a_service_that_was_off_for_a_week_is_not_frozen(game: Game, clock: Any) -> None:
    pulse.beat("sweep")
    clock.shift(timedelta(days=7))
    assert not freeze.freeze_if_put_back()


def test_two_machines_whose_clocks_are_some_seconds_apart_lose_nothing(game: Game, clock: Any) -> None:
    pulse.beat("sweep")
    clock.shift(timedelta(seconds=14))
    high_water.keep(timezone.now())
    assert not freeze.freeze_if_put_back()
    assert not Freeze.objects.exists()


def test_a_new_database_beside_an_old_mark_is_not_frozen(clock: Any) -> None:
    high_water.keep(timezone.now())
    assert not freeze.freeze_if_put_back()


def test_a_clock_that_was_set_right_moves_the_mark_back(game: Game, clock: Any) -> None:
    clock.shift(timedelta(days=-2))
    pulse.beat("sweep")
    freeze.remember()
    assert high_water.mark() == timezone.now()
    assert not freeze.freeze_if_put_back()


def test_D16_a_mark_that_a_clock_far_ahead_has_left_freezes_nothing(game: Game, clock: Any) -> None:
    """Here it was set right; the mark of this machine still lies a year ahead, and another one sweeps."""
    high_water.keep(timezone.now() + timedelta(days=365))
    pulse.beat("sweep")
    assert not freeze.freeze_if_put_back()
    assert not Freeze.objects.exists()


def test_asking_whether_it_is_frozen_freezes_nothing(game: Game) -> None:
    assert not freeze.is_frozen()
    assert not Freeze.objects.exists()
    assert freeze.freeze_if_put_back()
    assert freeze.is_frozen()


@pytest.mark.parametrize("text", ["", "yesterday", "2026-12-01T12:00:00", "\x00", "é"])
def test_a_mark_that_cannot_be_read_is_none(game: Game, text: str, settings: Any) -> None:
    [file] = settings.HIGH_WATER.parent.glob(f"{settings.HIGH_WATER.name}-*")
    file.write_text(text, encoding="utf-8")
    with suppress(RedisError, OSError), redis_at(high_water.PATIENCE) as redis:
        redis.set(file.name, text)
    assert high_water.mark() is None
    assert not freeze.freeze_if_put_back()


# -- a real one ----------------------------------------------------------------------------------------------------------

PLAY = """
import shutil
from pathlib import Path

import django

django.setup()

import time_machine
from django.conf import settings
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from games import tasks
from games.models import Game
from games.services import freeze, pulse, reflection
from notifications import delivery
from tests.factories import GameFactory, PlayerFactory, play

settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
mail.outbox = []
freeze.SURE = 0.0
file = Path(connection.settings_dict["NAME"])
call_command("migrate", verbosity=0)


def at(moment):
    return time_machine.travel(f"2030-01-{moment}Z", tick=False)


def live(moment):
    with at(moment):
        reflection.ticks.wall = None  # a worker that has just started
        pulse.beat("web")
        tasks.sweep()
        tasks.sweep()
        print(delivery.deliver_waiting() > 0, freeze.freeze_if_put_back(), Game.objects.get().plies)


def put(source, target):
    connection.close()
    shutil.copy(source, target)


with at("01T11:00"):
    GameFactory.create(players=PlayerFactory.create_batch(2))
live("01T12:00")
put(file, file.with_name("backup"))
with at("02T11:00"):
    play(Game.objects.get(), "1")
live("02T12:00")
put(file.with_name("backup"), file)
live("02T13:00")
with at("02T14:00"):
    call_command("thaw")
live("02T15:00")
print(Game.objects.get().deadline)
"""


def test_R26_an_older_SQLite_file_freezes_the_service(tmp_path: Path) -> None:
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": ""}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    program = [sys.executable, "-c", PLAY]
    done = subprocess.run(program, cwd=BASE, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "True False 0",
        "True False 1",
        "False True 0",
        "1 games were given the time that was lost. Letters go out again.",
        "True False 0",
        "2030-01-05 13:00:00+00:00",
    ]
