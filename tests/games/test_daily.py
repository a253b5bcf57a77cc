"""The daily letter: one for all games, at the player's own hour, only when there is something to say (N18)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import Player
from games import tasks
from games.selectors.daily import news_of
from games.services import adjudicate, challenge, daily, moves, proposals, warning
from notifications.models import Letter
from notifications.topics import Pace
from tests.factories import ChallengeFactory, GameFactory, PreferenceFactory
from tests.games.postbag import sent, text

pytestmark = pytest.mark.django_db(transaction=True)

ALL = dict.fromkeys(("turns", "proposals", "challenges", "ends"), Pace.DAILY)


@pytest.fixture
def clock() -> Iterator[Any]:
    """Noon of 1 December, in Berlin 13:00; it stands still."""
    with time_machine.travel("2026-12-01T12:00:00Z", tick=False) as clock:
        yield clock


@pytest.fixture
def bob(bob: Player, clock: Any) -> Player:
    """Bob wants everything at seven in Berlin, where it is an hour later than in London."""
    bob.time_zone = "Europe/Berlin"
    bob.save()
    PreferenceFactory.create(player=bob, digest_hour=7, **ALL)
    return bob


def delivered(player: Player) -> list[EmailMessage]:
    """What comes to the player now."""
    tasks.post_daily()
    return [letter for letter in sent() if letter["To"] == player.email]


def test_N18_all_games_that_wait_come_in_one_letter_at_my_hour(alice: Player, bob: Player, clock: Any) -> None:
    late = GameFactory.create(players=[bob, alice], reflection=timedelta(days=5))
    soon = GameFactory.create(players=[alice, bob], plies="1", reflection=timedelta(days=2))
    GameFactory.create(players=[alice, bob])
    clock.move_to("2026-12-02T05:59:59Z")
    assert delivered(bob) == []
    clock.move_to("2026-12-02T06:00:00Z")
    [letter] = delivered(bob)
    assert letter["Subject"] == "2 games wait for you"
    for kind in ("plain", "html"):
        said = text(letter, kind)
        assert said.index(f"Mangala no. {soon.pk} against Alice") < said.index(f"Mangala no. {late.pk} against Alice")
        assert "Your time ends in 1 day 6 hours: 3 December 2026, 13:00 (CET)." in said
        assert f"http://localhost:8000/games/{soon.pk}/" in said
    assert "List-Unsubscribe" in letter
    assert delivered(bob) == []


def test_the_links_of_the_daily_letter_lead_to_the_board_without_a_login(alice: Player, bob: Player, clock: Any) -> None:
    GameFactory.create(players=[bob, alice])
    clock.move_to("2026-12-02T06:00:00Z")
    [letter] = delivered(bob)
    [path] = re.findall(r"http://localhost:8000(/rights/\S+)", text(letter))
    answer = Client().get(path)
    assert answer.status_code == 200
    assert "Your pits 1 to 6" in answer.content.decode()


def test_a_proposal_in_the_daily_letter_is_answered_without_a_login(alice: Player, bob: Player, clock: Any) -> None:
    game = GameFactory.create(players=[alice, bob])
    proposals.propose(game=game.pk, seat=0, kind="draw", via="web", key="p")
    clock.move_to("2026-12-02T06:00:00Z")
    [letter] = delivered(bob)
    assert "for you alone" in " ".join(text(letter).split())
    assert "for you alone" in text(letter, "html")
    [path] = re.findall(r"http://localhost:8000(/rights/\S+)", text(letter))
    shown = Client().get(path).content.decode()
    assert "Alice proposes a draw" in shown
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', shown))
    Client().post(path, {**hidden, "answer": "agree"})
    game.refresh_from_db()
    assert game.termination == "agreement"


def test_nothing_to_say_no_letter(alice: Player, bob: Player, clock: Any) -> None:
    GameFactory.create(players=[alice, bob])
    clock.move_to("2026-12-02T06:00:00Z")
    assert delivered(bob) == []
    assert Letter.objects.get(kind="daily").state == Letter.State.DROPPED


def test_it_tells_what_else_has_happened_once(alice: Player, bob: Player, charlie: Player, clock: Any) -> None:
    ended = GameFactory.create(players=[alice, bob], plies="1 1")
    moves.resign(game=ended.pk, seat=0, via="web", key="r")
    offered = GameFactory.create(players=[alice, bob])
    proposals.propose(game=offered.pk, seat=0, kind="draw", via="web", key="p")
    asked = ChallengeFactory.create(challenger=charlie, opponent=bob)
    made = ChallengeFactory.create(challenger=bob, opponent=alice)
    challenge.decline_challenge(challenge_id=made.pk, player=alice)
    clock.move_to("2026-12-02T06:00:00Z")
    [letter] = delivered(bob)
    assert letter["Subject"] == "News of your games"
    for kind in ("plain", "html"):
        said = text(letter, kind)
        for told in (
            "Bob won (resignation).",
            "Alice proposes a draw.",
            "Charlie challenges you.",
            f"/challenges/{asked.pk}/",
            "declined",
        ):
            assert told in said, told
    clock.move_to("2026-12-03T06:00:00Z")
    [letter] = delivered(bob)
    assert "Charlie challenges you." in text(letter), "it still waits"
    assert "Bob won" not in text(letter)
    assert "declined" not in text(letter)


def test_it_gathers_only_what_I_want_gathered(alice: Player, bob: Player, clock: Any) -> None:
    PreferenceFactory.create(player=bob, digest_hour=7, ends=Pace.DAILY)
    GameFactory.create(players=[bob, alice])
    [single] = delivered(bob)
    assert "it is your turn" in text(single)
    clock.move_to("2026-12-02T06:00:00Z")
    assert delivered(bob) == []


def test_a_worker_that_was_away_at_my_hour_writes_when_it_is_back_once(alice: Player, bob: Player, clock: Any) -> None:
    GameFactory.create(players=[bob, alice], reflection=timedelta(days=9))
    clock.move_to("2026-12-04T09:30:00Z")
    assert len(delivered(bob)) == 1
    assert delivered(bob) == []
    clock.move_to("2026-12-05T06:00:00Z")
    assert len(delivered(bob)) == 1


def test_N17_daily_letters_that_could_not_go_become_one(alice: Player, bob: Player, clock: Any) -> None:
    GameFactory.create(players=[bob, alice], reflection=timedelta(days=9))
    for day in ("02", "03", "04"):
        clock.move_to(f"2026-12-{day}T06:00:00Z")
        tasks.post_daily()
    assert len(delivered(bob)) == 1


@pytest.mark.parametrize(
    ("zone", "first"),
    [
        ("Europe/Berlin", "2027-03-27"),
        ("Europe/Berlin", "2027-10-30"),
        ("America/New_York", "2027-03-13"),
        ("America/New_York", "2027-11-06"),
        ("Australia/Lord_Howe", "2027-04-03"),
        ("Australia/Lord_Howe", "2027-10-02"),
        ("Europe/Istanbul", "2027-03-27"),
    ],
)
def test_D15_over_the_nights_when_clocks_change_it_comes_once_a_day(
    alice: Player, bob: Player, clock: Any, zone: str, first: str
) -> None:
    clock.move_to(f"{first}T12:00:00Z")
    bob.time_zone = zone
    bob.save()
    PreferenceFactory.create(player=bob, digest_hour=2, **ALL)
    GameFactory.create(players=[bob, alice], reflection=timedelta(days=9))
    came = 0
    for _ in range(4 * 24 * 2):
        clock.shift(timedelta(minutes=30))
        came += daily.post_due(timezone.now())
    days = set(Letter.objects.filter(kind="daily", recipient=bob).values_list("key", flat=True))
    assert came == len(days) == 4


def test_a_turn_that_ends_before_the_next_daily_letter_is_still_warned_of(alice: Player, bob: Player, clock: Any) -> None:
    game = GameFactory.create(players=[bob, alice], reflection=timedelta(hours=10))
    assert delivered(bob) == []
    game.refresh_from_db()
    assert game.deadline is not None
    clock.move_to(game.deadline - timedelta(hours=2))
    warning.warn(since=game.deadline - timedelta(hours=3), now=game.deadline - timedelta(hours=2))
    [letter] = delivered(bob)
    assert "running out" in text(letter)


def test_each_reads_it_in_their_language(alice: Player, bob: Player, clock: Any) -> None:
    bob.language = "tr"
    bob.save()
    GameFactory.create(players=[bob, alice])
    clock.move_to("2026-12-02T06:00:00Z")
    [letter] = delivered(bob)
    assert '<html lang="tr">' in text(letter, "html")


@pytest.mark.parametrize("many", [1, 6])
def test_what_is_read_for_it_does_not_grow_with_the_games(
    alice: Player, bob: Player, clock: Any, many: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(many):
        GameFactory.create(players=[bob, alice])
        ended = GameFactory.create(players=[bob, alice])
        moves.abort_game(game=ended.pk, seat=0, key="a")
        offered = GameFactory.create(players=[alice, bob])
        proposals.propose(game=offered.pk, seat=0, kind="draw", via="web", key="p")
        ChallengeFactory.create(challenger=alice, opponent=bob)
    with django_assert_max_num_queries(14):
        assert news_of(bob, topics=set(ALL), since=timezone.now() - timedelta(days=1))


def test_in_a_pause_nobody_is_asked_to_answer(alice: Player, bob: Player, clock: Any) -> None:
    game = GameFactory.create(players=[alice, bob])
    proposals.propose(game=game.pk, seat=0, kind="draw", via="web", key="p")
    since = timezone.now() - timedelta(days=1)
    assert [one.game for one in news_of(bob, topics=set(ALL), since=since).proposals] == [game.pk]
    adjudicate.pause_games(player=alice)
    assert news_of(bob, topics=set(ALL), since=since).proposals == ()
