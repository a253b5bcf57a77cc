"""Expiry: a challenge stands for 14 days; then it ends, and everybody whom it concerns is told."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.core import mail
from django.utils import timezone

from accounts.models import Player
from accounts.services import blocks
from games import selectors, tasks
from games.models import Challenge, Game
from games.models.challenge import STANDS
from games.rules.ruleset import AnyRuleset
from games.services import challenge as challenges
from games.services import expiry, moves
from games.services.errors import ChallengeClosed
from notifications import addresses, delivery
from notifications.models import Letter
from tests.factories import ChallengeFactory, EmailAddressFactory, GameFactory, PlayerFactory
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
DAN = "dan@example.org"


def told() -> dict[str, str]:
    """The letters that go out just now, by address."""
    mail.outbox.clear()
    delivery.deliver_waiting()
    return {one.recipients()[0]: one.message().as_bytes().decode() for one in mail.outbox}


def grow_old(challenge: Challenge) -> None:
    Challenge.objects.filter(pk=challenge.pk).update(created_at=challenge.created_at - STANDS)


def test_a_challenge_stands_fourteen_days_to_the_second(alice: Player) -> None:
    made = ChallengeFactory.create(challenger=alice)
    assert expiry.expire(made.created_at + timedelta(days=14) - SECOND) == 0
    assert expiry.expire(made.created_at + timedelta(days=14)) == 1
    made.refresh_from_db()
    assert (made.state, made.closed_at) == (Challenge.State.EXPIRED, made.stands_until)


def test_its_page_says_until_when_it_stands_and_that_it_has_expired(alice: Player) -> None:
    with time_machine.travel("2026-12-01T12:00:00Z", tick=False):
        made = ChallengeFactory.create(challenger=alice)
        assert "15 December 2026, 12:00" in page(of(alice), "challenge", made.pk)
    expiry.expire(made.stands_until)
    shown = page(of(alice), "challenge", made.pk)
    assert "expired" in shown
    assert "Withdraw" not in shown


def test_F40_both_are_told_once_however_often_it_is_asked(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob)
    told()
    assert [expiry.expire(made.stands_until) for _ in range(3)] == [1, 0, 0]
    letters = told()
    assert set(letters) == {alice.email, bob.email}
    assert "Nobody accepted your challenge to Bob within 14 days." in letters[alice.email]
    assert "The challenge by Alice has expired" in letters[bob.email]
    assert told() == {}


def test_F40_the_challenger_and_the_invited_address_are_told(alice: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, address=DAN)
    assert set(told()) == {DAN}
    expiry.expire(made.stands_until)
    letters = told()
    assert set(letters) == {alice.email, DAN}
    assert f"Nobody accepted your challenge to {DAN} within 14 days." in letters[alice.email]
    assert "/invitations/" not in letters[DAN]


def test_an_address_that_refused_or_never_got_its_letter_hears_nothing_of_the_end(alice: Player, bob: Player) -> None:
    EmailAddressFactory.create(user=bob)
    addresses.refuse(DAN)
    blocks.block(player=bob, other=alice)
    for address in (DAN, bob.email):
        made = ChallengeFactory.create(challenger=alice, address=address)
        grow_old(made)
    assert told() == {}
    assert expiry.expire(timezone.now()) == 2
    assert set(told()) == {alice.email}


def test_those_who_took_seats_are_told(toy: AnyRuleset) -> None:
    first, second, third = PlayerFactory.create_batch(3)
    made = ChallengeFactory.create(challenger=first, ruleset="toy", seats=4)
    for player in (second, third):
        challenges.accept_challenge(challenge_id=made.pk, player=player)
    expiry.expire(made.stands_until)
    letters = told()
    assert set(letters) == {first.email, second.email, third.email}
    assert "did not find its players" in letters[first.email]


def test_a_rematch_expires_and_may_be_offered_again(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    offered = challenges.offer_rematch(game_id=game.pk, player=alice)
    expiry.expire(offered.stands_until)
    assert challenges.offer_rematch(game_id=game.pk, player=bob) != offered


@pytest.mark.parametrize("end", ["accept", "decline", "withdraw"])
def test_what_was_answered_does_not_expire(alice: Player, bob: Player, end: str) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob)
    by = alice if end == "withdraw" else bob
    getattr(challenges, f"{end}_challenge")(challenge_id=made.pk, player=by)
    assert expiry.expire(made.stands_until + STANDS) == 0


def test_what_has_expired_is_not_answered_even_before_anybody_looked(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob)
    grow_old(made)
    for answer in (challenges.accept_challenge, challenges.decline_challenge):
        with pytest.raises(ChallengeClosed):
            answer(challenge_id=made.pk, player=bob)
    line = selectors.challenge(made.pk, bob)
    assert line is not None
    assert not line.may
    assert not Game.objects.exists()


def test_a_late_answer_to_an_expired_one_is_told_politely(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob)
    expiry.expire(made.stands_until)
    late = of(bob).post(f"/challenges/{made.pk}/accept/")
    assert late.status_code == 409
    assert "no longer open" in late.content.decode()


def test_a_batch_at_a_time_the_oldest_first(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expiry, "BATCH", 2)
    made = ChallengeFactory.create_batch(3, challenger=alice)
    for number, one in enumerate(made):
        Challenge.objects.filter(pk=one.pk).update(created_at=one.created_at - STANDS - timedelta(days=number))
    assert expiry.expire(timezone.now()) == 2
    assert Challenge.objects.open().get() == made[0]
    assert expiry.expire(timezone.now()) == 1


def test_the_task_runs_each_minute_and_may_run_twice(alice: Player) -> None:
    grow_old(ChallengeFactory.create(challenger=alice))
    for _ in range(2):
        tasks.expire()
    assert Challenge.objects.get().state == Challenge.State.EXPIRED
    assert Letter.objects.filter(source="challenges", kind="expired").count() == 1
    schedule = settings.CELERY_BEAT_SCHEDULE["games.expire"]
    assert (schedule["task"], schedule["schedule"]) == ("games.expire", 60.0)


def test_the_address_of_an_invitation_is_forgotten_long_after_its_end(alice: Player) -> None:
    invited = ChallengeFactory.create(challenger=alice, address="dan@example.org")
    challenges.withdraw_challenge(challenge_id=invited.pk, player=alice)
    for days, address in ((29, "dan@example.org"), (31, "")):
        Challenge.objects.filter(pk=invited.pk).update(closed_at=timezone.now() - timedelta(days=days))
        tasks.expire()
        kept = invited.invitations.get()
        assert kept.address == address
