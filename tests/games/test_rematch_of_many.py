"""The rematch of a larger table: who comes, who does not, and who comes instead."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import selectors
from games.models import Challenge, Game, Invitation
from games.services import challenge, check, invitation, room, waiting
from games.services.errors import Gone
from tests.factories import PlayerFactory, deserted
from tests.games.postbag import DAN, sent, text
from tests.games.visits import of, page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]


def again(alice: Player, *others: Player) -> Challenge:
    """The rematch that Alice offers, of a game in which all the others resigned."""
    return challenge.offer_rematch(game_id=deserted(alice, *others).pk, player=alice)


def test_a_rematch_begins_early_with_those_who_came(alice: Player, bob: Player, charlie: Player) -> None:
    made = again(alice, bob, charlie)
    challenge.accept_challenge(challenge_id=made.pk, player=charlie)
    assert "Begin now with 2 players" in page(of(alice), "challenge", made.pk)
    response = of(alice).post(reverse("games:begin", args=[made.pk]), follow=True)
    assert response.status_code == 200
    game = Game.objects.get(challenge=made)
    assert [seat.player for seat in game.seat_set.order_by("number")] == [charlie, alice], "turned by one, without Bob"
    assert (game.pk, []) in check.differences()


def test_who_declines_a_rematch_of_many_leaves_it_to_the_others(alice: Player, bob: Player, charlie: Player) -> None:
    dan = PlayerFactory.create()
    made = again(alice, bob, charlie, dan)
    answer = of(bob).post(reverse("games:decline", args=[made.pk]), follow=True)
    assert answer.status_code == 200
    made.refresh_from_db()
    assert made.state == "open"
    for reader in (alice, bob, charlie):
        assert re.search(r"<dt>Declined</dt><dd><a [^>]+>Bob", page(of(reader), "challenge", made.pk).replace("<bdi>", ""))
    said = page(of(bob), "challenge", made.pk)
    assert ("Accept</button>" in said, "Decline</button>" in said) == (True, False)
    assert made.pk not in [line.pk for line in selectors.challenges.challenges_of(bob)]
    assert made.pk in [line.pk for line in selectors.challenges.challenges_of(charlie)]
    assert bob.pk not in waiting.asked_by_name(made)


def test_a_rematch_of_many_begins_when_all_who_did_not_decline_have_come(alice: Player, bob: Player, charlie: Player) -> None:
    made = again(alice, bob, charlie)
    challenge.accept_challenge(challenge_id=made.pk, player=charlie)
    challenge.decline_challenge(challenge_id=made.pk, player=bob)
    game = Game.objects.get(challenge=made)
    assert [seat.player for seat in game.seat_set.order_by("number")] == [charlie, alice]
    assert (game.pk, []) in check.differences()


def test_a_rematch_of_many_waits_for_who_is_invited_besides(alice: Player, bob: Player, charlie: Player) -> None:
    made = again(alice, bob, charlie)
    room.invite(challenge_id=made.pk, player=alice, address=DAN)
    challenge.accept_challenge(challenge_id=made.pk, player=charlie)
    challenge.decline_challenge(challenge_id=made.pk, player=bob)
    made.refresh_from_db()
    assert made.state == "open"
    invitation.decline_invitation(invitation_id=Invitation.objects.get().pk)
    assert Game.objects.get(challenge=made).seats == 2


def test_it_begins_as_well_when_the_last_of_those_who_are_left_comes_after_the_no(
    alice: Player, bob: Player, charlie: Player
) -> None:
    dan = PlayerFactory.create()
    made = again(alice, bob, charlie, dan)
    sent()
    challenge.decline_challenge(challenge_id=made.pk, player=bob)
    for player in (charlie, dan):
        challenge.accept_challenge(challenge_id=made.pk, player=player)
    assert Game.objects.get(challenge=made).seats == 3


def test_who_has_declined_already_gets_no_letter_about_it(alice: Player, bob: Player, charlie: Player) -> None:
    made = again(alice, bob, charlie, PlayerFactory.create())
    challenge.decline_challenge(challenge_id=made.pk, player=bob)
    told = [letter["To"] for letter in sent() if "ematch" in letter["Subject"] or "plays again" in text(letter)]
    assert bob.email not in told
    assert charlie.email in told


def test_who_declined_a_rematch_of_many_may_come_after_all(alice: Player, bob: Player, charlie: Player) -> None:
    made = again(alice, bob, charlie)
    for _twice in range(2):
        challenge.decline_challenge(challenge_id=made.pk, player=bob)
    challenge.accept_challenge(challenge_id=made.pk, player=bob)
    assert not made.declined_by.exists()
    with pytest.raises(Gone):
        challenge.decline_challenge(challenge_id=made.pk, player=bob)


def test_who_is_suspended_closes_no_rematch_of_many(alice: Player, bob: Player, charlie: Player) -> None:
    made = again(alice, bob, charlie)
    Player.objects.filter(pk=bob.pk).update(suspended_at=timezone.now())
    challenge.withdraw_all(player=bob)
    made.refresh_from_db()
    assert made.state == "open"
    assert bob.pk not in selectors.untold()


def test_the_room_of_a_rematch_does_not_say_that_anyone_may_join(alice: Player, bob: Player, charlie: Player) -> None:
    made = again(alice, bob, charlie)
    said = page(of(alice), "challenge", made.pk)
    assert "Send an invitation" in said
    assert "Anyone may join" not in said
    page(of(PlayerFactory.create()), "challenge", made.pk, status=404)


def test_who_did_not_come_to_a_rematch_has_no_seat_in_it_and_who_came_instead_has(
    alice: Player, bob: Player, charlie: Player
) -> None:
    made, dan = again(alice, bob, charlie), PlayerFactory.create()
    room.invite(challenge_id=made.pk, player=alice, address=DAN)
    invitation.accept_invitation(invitation_id=Invitation.objects.get().pk, player=dan)
    challenge.accept_challenge(challenge_id=made.pk, player=bob)
    game = Game.objects.get(challenge=made)
    assert [seat.player for seat in game.seat_set.order_by("number")] == [bob, alice, dan]
