"""Two at once on one challenge, in real processes: one outcome, and everybody is told what became of his."""

from __future__ import annotations

from collections import Counter

import pytest

from accounts.models import Player
from games.models import Challenge, Game, Invitation
from notifications.models import Letter, Refusal
from tests.factories import ChallengeFactory, PlayerFactory
from tests.games.races import RUNS, Racers, agreed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.locking]


DAN = "dan@example.org"


def invited() -> tuple[Challenge, int]:
    made = ChallengeFactory.create(address=DAN)
    return made, Invitation.objects.get(challenge=made).pk


def take(invitation: int, player: Player) -> dict[str, object]:
    return {"do": "take", "invitation": invitation, "player": player.pk}


def state(challenge: Challenge) -> str:
    challenge.refresh_from_db()
    return str(challenge.state)


def test_one_link_pressed_by_two_people_twice_at_once_is_one_game_for_one_of_them(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        made, invitation = invited()
        one, other = PlayerFactory.create_batch(2)
        told = racers.race(*(take(invitation, player) for player in (one, other, one, other)))
        assert Counter(told) == {"done": 2, "ChallengeClosed": 2}
        assert told[0] == told[2]
        assert made.acceptances.count() == 2
        assert Game.objects.filter(challenge=made).count() == 1
    assert agreed()


def test_L4_one_link_pressed_four_times_at_once_by_one_is_one_game_and_four_successes(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        made, invitation = invited()
        bob = PlayerFactory.create()
        assert racers.race(*(take(invitation, bob) for _ in range(4))) == ["done"] * 4
        assert Game.objects.get(challenge=made).entries.filter(kind="join").count() == 2


def test_a_seat_is_taken_or_refused_for_good_not_both(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        made, invitation = invited()
        refuse = {"do": "refuse", "invitation": invitation}
        told = racers.race(take(invitation, PlayerFactory.create()), refuse, refuse)
        started = state(made) == Challenge.State.STARTED
        assert told == (["done", "ChallengeClosed", "ChallengeClosed"] if started else ["ChallengeClosed", "done", "done"])
        assert Refusal.objects.exists() is not started
        assert Letter.objects.filter(kind="declined", about__challenge=made.pk).count() == (not started)
        Refusal.objects.all().delete()
    assert agreed()


def test_a_challenge_is_accepted_or_expires_not_both(racers: Racers) -> None:
    for _ in range(RUNS):
        made = ChallengeFactory.create()
        bob = PlayerFactory.create()
        out = {"do": "expire", "now": made.stands_until.isoformat()}
        told = racers.race({"do": "accept", "challenge": made.pk, "player": bob.pk}, out, out)
        if state(made) == Challenge.State.STARTED:
            assert told == ["done", "nothing", "nothing"]
        else:
            assert told[0] == "ChallengeClosed"
            assert sorted(told[1:]) == ["done", "nothing"]
        assert Game.objects.filter(challenge=made).exists() is (state(made) == Challenge.State.STARTED)
        assert Letter.objects.filter(kind="expired", about__challenge=made.pk).count() == (state(made) == "expired")
    assert agreed()


def test_a_challenge_is_accepted_or_withdrawn_not_both(racers: Racers) -> None:
    for _ in range(RUNS):
        made = ChallengeFactory.create()
        bob = PlayerFactory.create()
        back = {"do": "withdraw", "challenge": made.pk, "player": made.challenger_id}
        told = racers.race({"do": "accept", "challenge": made.pk, "player": bob.pk}, back)
        assert sorted(told) == ["ChallengeClosed", "done"]
        assert (told[0] == "done") is (state(made) == Challenge.State.STARTED)
    assert agreed()


def test_an_address_invited_four_times_at_once_by_one_is_invited_once(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        alice = PlayerFactory.create()
        invites = [{"do": "invite", "player": alice.pk, "address": DAN, "key": f"k{number}"} for number in range(4)]
        assert Counter(racers.race(*invites)) == {"done": 1, "BadTerms": 3}
        assert alice.challenges_made.count() == 1


def test_two_who_accept_each_others_challenges_at_once_do_not_block_one_another(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        alice, bob = PlayerFactory.create_batch(2)
        by_alice, by_bob = (ChallengeFactory.create(challenger=one) for one in (alice, bob))
        accepts = [
            {"do": "accept", "challenge": by_alice.pk, "player": bob.pk},
            {"do": "accept", "challenge": by_bob.pk, "player": alice.pk},
        ]
        assert racers.race(*accepts) == ["done", "done"]
