"""Warnings: who is told that time runs short, when, and who never is (N22, D6, D16)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib import import_module

import pytest
import time_machine
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from games import timing
from games.models import Game
from games.services import adjudicate, check, notices, pulse, reflection
from games.services.reflection import Ticks
from notifications.models import Letter
from notifications.topics import Pace
from tests.factories import GameFactory, ModeratorFactory, PreferenceFactory, PulseFactory, RawGameFactory, play
from tests.games.court import agreed, rule, sent, text

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
REFLECTION = 5 * DAY


class Sweeper:
    """The sweep of one process, second by second, on a clock that the whole test shares."""

    def __init__(self, travel: time_machine.Traveller, now: datetime) -> None:
        self.travel, self.now, self.monotonic, self.memory, self.web = travel, now, 1000.0, Ticks(), True
        self.tick()
        self.tick()

    def tick(self) -> None:
        self.now += SECOND
        self.monotonic += 1
        self.travel.move_to(self.now, tick=False)
        if self.web:
            PulseFactory.create(name="web").__class__.objects.filter(name="web").update(at=self.now)
        reflection.sweep(now=self.now, monotonic=self.monotonic, memory=self.memory)

    def reach(self, moment: datetime) -> None:
        """Lets time pass, then ticks three times across the moment."""
        self.pass_by(moment - self.now - 2 * SECOND)
        for _ in range(4):
            self.tick()

    def pass_by(self, span: timedelta) -> None:
        self.now += span
        self.monotonic += span.total_seconds()


@pytest.fixture
def travel() -> Iterator[time_machine.Traveller]:
    with time_machine.travel("2026-12-01T12:00:00Z", tick=False) as travel:
        yield travel


@pytest.fixture
def game(travel: time_machine.Traveller, alice: Player, bob: Player) -> Game:
    """Alice is to move, and has five days."""
    made = GameFactory.create(players=[alice, bob], plies="1 1", reflection=REFLECTION)
    sent()
    return made


@pytest.fixture
def sweeper(game: Game, travel: time_machine.Traveller) -> Sweeper:
    return Sweeper(travel, datetime.fromisoformat("2026-12-01T12:00:00Z"))


def warning_of(game: Game) -> datetime:
    game.refresh_from_db()
    assert game.warn_at is not None
    return game.warn_at


def test_N22_whoever_has_a_fifth_of_the_time_left_is_told_once(game: Game, sweeper: Sweeper, alice: Player) -> None:
    assert game.deadline == warning_of(game) + DAY
    sweeper.reach(warning_of(game) - timedelta(minutes=1))
    assert sent() == []
    sweeper.reach(warning_of(game))
    [letter] = sent()
    assert letter["To"] == alice.email
    assert letter["Subject"] == f"Mangala no. {game.pk} against Bob"
    for kind in ("plain", "html"):
        assert "Alice, your time for this turn is running out." in text(letter, kind)
        assert "Bob played 1." in text(letter, kind)
    sweeper.reach(warning_of(game) + timedelta(hours=12))
    assert sent() == []


def test_N22_whoever_moved_before_is_told_nothing(game: Game, sweeper: Sweeper) -> None:
    before = warning_of(game)
    sweeper.pass_by(3 * DAY)
    sweeper.tick()
    play(game, "2")
    sent()
    sweeper.reach(before)
    assert sent() == []


def test_N22_whoever_moves_before_the_letter_goes_is_told_nothing(game: Game, sweeper: Sweeper, bob: Player) -> None:
    sweeper.reach(warning_of(game))
    play(game, "2")
    assert [letter["To"] for letter in sent()] == [bob.email]
    assert Letter.objects.get(kind="warning").state == Letter.State.DROPPED


def test_N22_whoever_still_has_to_move_again_is_told(game: Game, sweeper: Sweeper, alice: Player) -> None:
    sweeper.pass_by(DAY)
    sweeper.tick()
    play(game, "3")
    game.refresh_from_db()
    assert game.to_move == 0
    sweeper.reach(warning_of(game))
    assert [letter["To"] for letter in sent()] == [alice.email]


def test_N22_a_gift_of_time_moves_the_warning_with_the_deadline(game: Game, sweeper: Sweeper) -> None:
    first = warning_of(game)
    sweeper.reach(first)
    rule(adjudicate.extend_deadline, game, ModeratorFactory.create(), seconds=2 * 86_400)
    assert warning_of(game) == first + 2 * DAY
    assert len(sent()) == 2
    assert Letter.objects.get(kind="warning").state == Letter.State.DROPPED
    sweeper.reach(first + DAY)
    assert sent() == []
    sweeper.reach(warning_of(game))
    [letter] = sent()
    assert "That is in 1 day." in text(letter)
    assert agreed()


def test_N22_no_warning_during_a_pause_and_one_when_the_time_that_was_left_runs_down(
    game: Game, sweeper: Sweeper, alice: Player, bob: Player
) -> None:
    first, paused_at = warning_of(game), sweeper.now
    adjudicate.pause_games(player=bob)
    game.refresh_from_db()
    assert game.warn_at is None
    sweeper.reach(first)
    adjudicate.resume_games(player=bob)
    sent()
    assert warning_of(game) - first == sweeper.now - paused_at
    sweeper.reach(warning_of(game))
    assert [letter["To"] for letter in sent()] == [alice.email]
    assert agreed()


def test_N22_whoever_was_warned_before_a_pause_is_not_warned_again_after_it(game: Game, sweeper: Sweeper, bob: Player) -> None:
    sweeper.reach(warning_of(game) + timedelta(hours=1))
    assert len(sent()) == 1
    adjudicate.pause_games(player=bob)
    sweeper.reach(sweeper.now + DAY)
    adjudicate.resume_games(player=bob)
    sent()
    sweeper.reach(sweeper.now + timedelta(hours=1))
    assert sent() == []


def test_an_end_that_is_taken_back_brings_a_warning_of_the_new_deadline(game: Game, sweeper: Sweeper, alice: Player) -> None:
    assert game.deadline is not None
    sweeper.reach(warning_of(game))
    sweeper.reach(game.deadline)
    game.refresh_from_db()
    assert (game.termination, game.warn_at) == ("time_forfeit", None)
    rule(adjudicate.take_back, game, ModeratorFactory.create(), number=game.head)
    sent()
    sweeper.reach(warning_of(game))
    assert [letter["To"] for letter in sent()] == [alice.email]
    assert Letter.objects.filter(kind="warning").count() == 2


def test_a_letter_that_waited_until_the_time_was_over_is_not_sent(game: Game, sweeper: Sweeper) -> None:
    assert game.deadline is not None
    sweeper.reach(warning_of(game))
    sweeper.travel.move_to(game.deadline, tick=False)
    assert sent() == []


def overdue(travel: time_machine.Traveller, alice: Player, bob: Player) -> Game:
    """Alice's turn began while the mail server was away, and its warning is owed, too."""
    made = GameFactory.create(players=[alice, bob], plies="1 1", reflection=REFLECTION)
    Letter.objects.exclude(recipient=alice, kind="turn", about__position_number=made.turn_number).delete()
    sweeper = Sweeper(travel, timezone.now())
    sweeper.reach(warning_of(made) + timedelta(hours=2))
    return made


def test_N17_after_a_long_outage_the_warning_goes_in_the_place_of_the_letter_of_the_turn(
    travel: time_machine.Traveller, alice: Player, bob: Player
) -> None:
    overdue(travel, alice, bob)
    [letter] = sent()
    assert "Alice, your time for this turn is running out." in text(letter)
    assert set(Letter.objects.values_list("kind", "state")) == {("turn", "dropped"), ("warning", "sent")}
    assert notices.check(timezone.now() + DAY / 2) == 0, "she was told"


def test_N17_who_wants_no_warnings_gets_the_letter_of_the_turn(
    travel: time_machine.Traveller, alice: Player, bob: Player
) -> None:
    PreferenceFactory.create(player=alice, warnings=Pace.NONE)
    overdue(travel, alice, bob)
    [letter] = sent()
    assert "Alice, it is your turn." in text(letter)


def test_N17_a_warning_that_no_longer_stands_takes_the_place_of_nothing(
    travel: time_machine.Traveller, alice: Player, bob: Player
) -> None:
    game = overdue(travel, alice, bob)
    rule(adjudicate.extend_deadline, game, ModeratorFactory.create(), seconds=2 * 86_400)
    told = [text(letter) for letter in sent() if letter["To"] == alice.email]
    assert len([one for one in told if "Alice, it is your turn." in one]) == 1
    assert not [one for one in told if "is running out" in one]


@pytest.mark.parametrize(("hours", "warned"), [(4, None), (5, timedelta(hours=1)), (720, timedelta(hours=144))])
def test_D6_warning_and_deadline_come_from_one_place_and_a_short_time_brings_none(
    hours: int, warned: timedelta | None, travel: time_machine.Traveller
) -> None:
    game = GameFactory.create(reflection=timedelta(hours=hours))
    game.refresh_from_db()
    assert game.deadline is not None
    assert game.warn_at == timing.warning(game.deadline, timedelta(hours=hours))
    assert game.warn_at == (game.deadline - warned if warned else None)


def test_D16_a_clock_a_year_ahead_for_one_tick_warns_nobody(game: Game, sweeper: Sweeper) -> None:
    year = timedelta(days=365)
    sweeper.now += year
    sweeper.tick()
    sweeper.now -= year
    sweeper.tick()
    assert sent() == []
    sweeper.reach(warning_of(game))
    assert len(sent()) == 1


def test_R18_a_warning_that_fell_due_while_the_service_was_down_comes_late_but_comes(game: Game, sweeper: Sweeper) -> None:
    sweeper.web = False
    sweeper.reach(warning_of(game))
    assert sent() == []
    sweeper.web = True
    sweeper.reach(warning_of(game) + timedelta(hours=3))
    [letter] = sent()
    assert "That is in 21 hours." in text(letter)


def test_R14_two_sweeps_and_a_restarted_one_owe_one_letter(game: Game, sweeper: Sweeper, travel: time_machine.Traveller) -> None:
    other = Sweeper(travel, sweeper.now)
    sweeper.reach(warning_of(game))
    other.reach(warning_of(game))
    pulse.beat("warned", warning_of(game) - DAY)
    Sweeper(travel, sweeper.now).tick()
    assert Letter.objects.filter(kind="warning").count() == 1


def test_a_mark_that_a_wrong_clock_put_into_the_future_delays_no_warning(game: Game, sweeper: Sweeper) -> None:
    pulse.beat("warned", sweeper.now + timedelta(days=365))
    sweeper.tick()
    sweeper.reach(warning_of(game))
    assert len(sent()) == 1


@pytest.mark.locking
def test_warnings_that_fall_due_are_found_by_an_index(game: Game) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
    assert "live_warnings" in Game.objects.to_warn(game.created_at, game.created_at + SECOND).values_list("pk").explain()


def test_a_tick_costs_the_same_however_many_games_run(game: Game, sweeper: Sweeper) -> None:
    RawGameFactory.create_batch(50, deadline=game.deadline, warn_at=game.warn_at)
    with CaptureQueriesContext(connection) as captured:
        sweeper.tick()
    read = [one["sql"] for one in captured if "warn_at" in one["sql"]]
    assert len(read) == 1
    assert len([one for one in captured if not one["sql"].startswith(("SAVEPOINT", "RELEASE"))]) <= 8


def test_a_column_that_is_wrong_is_found_by_the_check(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(warn_at=None)
    [(_, found)] = check.differences()
    assert [one.split()[0] for one in found] == ["warn_at"]


@pytest.mark.locking
def test_games_that_run_when_the_column_comes_get_what_the_projection_would_say(game: Game) -> None:
    GameFactory.create(reflection=timedelta(hours=4))
    GameFactory.create(reflection=timedelta(hours=5))
    Game.objects.update(warn_at=None)
    import_module("games.migrations.0007_warnings").warn_of_present_deadlines(apps, None)
    assert agreed()
