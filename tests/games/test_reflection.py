"""Reflection time: who loses on it, and who never does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Game
from games.rules.ruleset import AnyRuleset
from games.services import check, pulse, reflection
from games.services.errors import TimeIsOver
from games.services.reflection import Ticks
from notifications.models import Letter
from tests.factories import GameFactory, PlayerFactory, PulseFactory, play

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


class Clock:
    """Wall and monotonic time of one process that sweeps; a web server lives unless it is said to be down."""

    def __init__(self, now: datetime) -> None:
        self.now, self.monotonic, self.memory, self.web = now, 1000.0, Ticks(), True

    def pass_by(self, span: timedelta) -> None:
        self.now += span
        self.monotonic += span.total_seconds()

    def tick(self) -> int:
        if self.web:
            PulseFactory.create(name="web").__class__.objects.filter(name="web").update(at=self.now)
        self.pass_by(timedelta(seconds=1))
        return reflection.sweep(now=self.now, monotonic=self.monotonic, memory=self.memory)


@pytest.fixture
def game() -> Game:
    return GameFactory.create(plies="1 1", reflection=DAY)


@pytest.fixture
def clock(game: Game) -> Clock:
    assert game.deadline is not None
    clock = Clock(game.deadline - DAY)
    clock.tick()
    return clock


def ended(game: Game) -> str:
    game.refresh_from_db()
    return game.termination


def test_D2_a_game_ends_with_nobody_online_and_each_gets_one_letter(game: Game, clock: Clock) -> None:
    clock.pass_by(DAY)
    assert clock.tick() + clock.tick() + clock.tick() == 1
    assert (ended(game), game.result) == ("time_forfeit", "0-1")
    assert Letter.objects.filter(kind="over").count() == 2


def test_D1_a_game_nobody_began_lives_its_first_deadline_and_is_then_called_off() -> None:
    game = GameFactory.create(reflection=7 * DAY)
    clock = Clock(game.created_at)
    clock.tick()
    clock.pass_by(7 * DAY - timedelta(seconds=5))
    assert clock.tick() + clock.tick() == 0
    clock.pass_by(timedelta(seconds=5))
    assert clock.tick() + clock.tick() == 1
    assert (ended(game), game.result) == ("aborted", "*")
    assert Letter.objects.filter(kind="over").count() == 2


def test_F39_a_no_show_before_everybody_completed_a_turn_is_no_loss() -> None:
    game = GameFactory.create(plies="4-6", reflection=DAY)
    clock = Clock(game.created_at)
    clock.tick()
    clock.pass_by(DAY)
    clock.tick()
    clock.tick()
    assert ended(game) == "aborted"


def test_D3_R5_a_worker_that_was_away_an_hour_ends_the_game_when_it_is_back(game: Game, clock: Clock) -> None:
    clock.pass_by(DAY + timedelta(hours=1))
    back = Clock(clock.now)
    assert back.tick() == 0
    assert back.tick() == 1
    assert ended(game) == "time_forfeit"


def test_D9_two_workers_make_one_transition_and_a_late_move_is_refused(game: Game) -> None:
    assert game.deadline is not None
    late = game.deadline + timedelta(seconds=1)
    with time_machine.travel(late, tick=False), pytest.raises(TimeIsOver):
        play(game, "2")
    assert reflection.run_out(game_id=game.pk, now=late)
    assert not reflection.run_out(game_id=game.pk, now=late)
    assert game.entries.filter(kind="timeout").count() == 1


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Europe/Berlin", (2026, 3, 28)),
        ("Europe/Berlin", (2026, 10, 24)),
        ("America/New_York", (2026, 3, 7)),
        ("America/New_York", (2026, 10, 31)),
        ("Australia/Lord_Howe", (2026, 4, 4)),
        ("Australia/Lord_Howe", (2026, 10, 3)),
        ("Europe/Istanbul", (2026, 3, 28)),
    ],
)
def test_D15_a_day_is_86400_seconds_over_a_clock_change(zone: str, day: tuple[int, int, int]) -> None:
    with time_machine.travel(datetime(*day, 20, tzinfo=ZoneInfo(zone)), tick=False):
        game = GameFactory.create(plies="1 1", reflection=DAY)
        began = datetime(*day, 20, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    assert game.deadline is not None
    assert (game.deadline - began).total_seconds() == 86_400
    assert not reflection.run_out(game_id=game.pk, now=began + timedelta(seconds=86_399))
    assert reflection.run_out(game_id=game.pk, now=began + timedelta(seconds=86_400))


def test_D16_a_clock_a_year_ahead_for_one_tick_costs_nobody_a_game(
    game: Game, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    year = timedelta(days=365)
    clock.now += year
    assert clock.tick() == 0
    clock.now -= year
    assert clock.tick() + clock.tick() == 0
    assert ended(game) == ""
    assert "the clock jumped" in caplog.text


def test_D16_a_clock_that_is_wrong_for_some_seconds_costs_nobody_a_game(game: Game, clock: Clock) -> None:
    """The web server on the same machine believes it, too; ticks after the jump agree with each other."""
    year = timedelta(days=365)
    clock.now += year
    assert [clock.tick() for _ in range(20)] == [0] * 20
    clock.now -= year
    assert [clock.tick() for _ in range(90)] == [0] * 90
    clock.pass_by(DAY)
    assert clock.tick() + clock.tick() == 1


@pytest.mark.locking
def test_the_sweep_begins_with_one_read_of_the_index_of_live_deadlines(game: Game) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
    assert "live_deadlines" in Game.objects.due(game.created_at).values_list("pk", flat=True)[: reflection.BATCH].explain()


def test_a_tick_with_nothing_due_reads_the_games_twice_and_tells_that_it_ticked(game: Game, clock: Clock) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert clock.tick() == 0
    assert [("warn_at" in one["sql"]) for one in asked if "games_game" in one["sql"]] == [False, True]
    assert pulse.last("sweep") == clock.now


def test_D16_a_clock_that_is_wrong_for_good_is_found_out_by_the_pulse(game: Game) -> None:
    PulseFactory.create(name="web", at=game.created_at)
    wrong = Clock(game.created_at + timedelta(days=365))
    wrong.web = False
    assert wrong.tick() + wrong.tick() + wrong.tick() == 0
    assert ended(game) == ""


def test_D19_the_clock_stops_at_the_end(game: Game, clock: Clock) -> None:
    clock.pass_by(DAY)
    clock.tick()
    clock.tick()
    clock.pass_by(30 * DAY)
    assert clock.tick() + clock.tick() == 0
    assert game.entries.filter(kind="timeout").count() == 1


def test_R18_while_no_web_process_lives_nobody_loses(game: Game, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    clock.web = False
    clock.pass_by(DAY)
    assert clock.tick() + clock.tick() + clock.tick() == 0
    assert caplog.text.count("nobody is timed out") == 1
    clock.web = True
    assert clock.tick() + clock.tick() == 1


@pytest.mark.parametrize(
    ("away", "ticks", "workers", "forgetful"),
    [
        pytest.param(0, 40, 1, False, id="one beat"),
        pytest.param(60, 2, 1, False, id="beat restarted each minute"),
        pytest.param(0, 40, 3, False, id="three beats and three workers"),
        pytest.param(60, 2, 2, True, id="workers restarted each minute"),
        pytest.param(86_400, 2, 1, False, id="none for a day"),
    ],
)
def test_R14_however_often_the_clock_ticks_the_state_is_the_same(
    away: int, ticks: int, workers: int, forgetful: bool, game: Game, clock: Clock
) -> None:
    clock.pass_by(DAY - timedelta(seconds=30))
    others = [Clock(clock.now) for _ in range(workers - 1)]
    for _ in range(3):
        clock.pass_by(timedelta(seconds=away))
        if forgetful:
            clock.memory = Ticks()
        for _ in range(ticks):
            clock.tick()
            for other in others:
                other.now, other.monotonic = clock.now - timedelta(seconds=1), clock.monotonic - 1
                other.tick()
    assert (ended(game), game.result) == ("time_forfeit", "0-1")
    assert [(entry.kind, entry.seat) for entry in game.entries.filter(number__gt=4)] == [("timeout", 0)]
    assert Letter.objects.filter(kind="over").count() == 2
    assert [found for _, found in check.differences()] == [[]]


def test_D8_where_time_out_is_no_loss_it_costs_the_seat_its_own_turn_only(toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(4), ruleset="toy", reflection=DAY)
    for seat in (0, 1):
        game.refresh_from_db()
        assert game.to_move == seat
        assert game.deadline is not None
        assert reflection.run_out(game_id=game.pk, now=game.deadline)
    game.refresh_from_db()
    assert (game.ended_at, game.to_move) == (None, 2)
    assert [found for _, found in check.differences()] == [[]]


def test_one_broken_game_does_not_keep_the_others_from_ending(game: Game, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    broken = GameFactory.create(plies="1 1", reflection=DAY)
    Game.objects.filter(pk=broken.pk).update(ruleset="gone", deadline=game.deadline)
    clock.pass_by(DAY)
    clock.tick()
    clock.tick()
    assert ended(game) == "time_forfeit"
    assert caplog.text.count("could not be timed out") == 1
    clock.pass_by(timedelta(seconds=reflection.RETRY))
    clock.tick()
    assert caplog.text.count("could not be timed out") == 2


def test_D16_a_move_on_a_clock_that_is_behind_costs_the_opponent_nothing(game: Game, clock: Clock) -> None:
    clock.tick()
    with time_machine.travel(clock.now - timedelta(days=365), tick=False):
        play(game, "2")
    game.refresh_from_db()
    assert game.deadline == clock.now + DAY


def test_a_pulse_is_fresh_for_a_while_and_never_from_the_future() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert pulse.is_fresh(now - timedelta(seconds=10), now)
    assert not pulse.is_fresh(now - timedelta(seconds=20), now)
    assert not pulse.is_fresh(now + timedelta(days=1), now)
    assert not pulse.is_fresh(None, now)
