"""The waiting room of a larger table: it fills, begins early, expires or is called off, and everybody concerned hears of it."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.services import blocks, suspension
from games.models import Challenge, Game, Invitation
from games.services import challenge, check, expiry, invitation, room
from games.services.errors import BadTerms, ChallengeClosed, Gone, NotAllowed
from notifications import addresses
from tests.factories import ChallengeFactory, GameFactory, ModeratorFactory, PlayerFactory
from tests.games.postbag import DAN, path_in, sent, text
from tests.games.visits import of, page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]

ERIN = "erin@example.org"


def opened(challenger: Player, *joined: Player, **given: Any) -> Challenge:
    """A room for four in which these have joined."""
    made = ChallengeFactory.create(challenger=challenger, **{"ruleset": "toy", "seats": 4, "begins": "lot", **given})
    for player in joined:
        challenge.accept_challenge(challenge_id=made.pk, player=player)
    made.refresh_from_db()
    return made


def shared(made: Challenge, owner: Player) -> str:
    """The link that the owner sends around."""
    [found] = re.findall(r'value="http://localhost:8000([^"]+link=[0-9a-f]+)"', page(of(owner), "challenge", made.pk))
    return str(found)


# -- filling ----------------------------------------------------------------------------------------------------------------


def test_the_form_asks_how_many_play_and_opens_a_room(alice: Player) -> None:
    client = of(alice)
    assert "Who begins" not in page(client, "challenge_new", game="toy")
    filled = {"option_rounds": "2", "seats": "3", "listed": "on", "reflection": "120", "public": "on", "opponent": "", "key": "k"}
    response = client.post(f"{reverse('games:challenge_new')}?game=toy", filled, follow=True)
    said = response.content.decode()
    assert "(1/3)" in said
    assert "Invite others" in said
    assert "Begin now" not in said


def test_who_joins_is_seen_and_the_last_seat_begins_the_game(alice: Player, bob: Player, charlie: Player) -> None:
    made = opened(alice, bob, seats=3)
    said = page(Client(), "challenge", made.pk)
    assert "(2/3)" in said
    assert "Bob" in said
    response = of(charlie).post(reverse("games:accept", args=[made.pk]), follow=True)
    game = Game.objects.get(challenge=made)
    assert response.redirect_chain[-1][0] == f"/games/{game.pk}/"
    assert game.seats == 3
    assert list(check.differences()) == [(game.pk, [])]


def test_somebody_who_joined_may_give_the_seat_back_and_another_takes_it(alice: Player, bob: Player, charlie: Player) -> None:
    made = opened(alice, bob, seats=3)
    challenge.withdraw_challenge(challenge_id=made.pk, player=bob)
    challenge.accept_challenge(challenge_id=made.pk, player=charlie)
    assert [one.place for one in made.acceptances.all()] == [0, 1]
    challenge.accept_challenge(challenge_id=made.pk, player=bob)
    assert Game.objects.get(challenge=made).seats == 3


def test_the_page_follows_by_itself_and_is_sent_again_only_when_it_changed(alice: Player, bob: Player) -> None:
    made, client = opened(alice), of(alice)
    address = reverse("games:challenge", args=[made.pk])
    first = client.get(address)
    assert "data-every=" in first.content.decode()
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    challenge.accept_challenge(challenge_id=made.pk, player=bob)
    again = client.get(address, headers={"If-None-Match": first["ETag"], "HX-Request": "true"})
    assert again.status_code == 200
    assert again.content.decode().lstrip().startswith('<div id="challenge"')
    assert "Begin now with 2 players" in again.content.decode()


def test_a_block_keeps_two_from_one_room_whoever_of_them_owns_it(alice: Player, bob: Player, charlie: Player) -> None:
    made = opened(alice, bob)
    blocks.block(player=charlie, other=bob)
    with pytest.raises(NotAllowed):
        challenge.accept_challenge(challenge_id=made.pk, player=charlie)
    blocks.block(player=bob, other=alice)
    other = opened(alice)
    with pytest.raises(NotAllowed):
        challenge.accept_challenge(challenge_id=other.pk, player=bob)


def test_a_suspended_player_loses_the_seat_in_the_room_and_the_room_of_theirs(
    alice: Player, bob: Player, charlie: Player
) -> None:
    made, own = opened(alice, bob, charlie), opened(bob, alice)
    suspension.suspend(player_id=bob.pk, by=ModeratorFactory.create(), reason="So.")
    made.refresh_from_db()
    own.refresh_from_db()
    assert {one.player for one in made.acceptances.all()} == {alice, charlie}
    assert (made.state, own.state) == ("open", "withdrawn")


# -- beginning early --------------------------------------------------------------------------------------------------------


def test_the_owner_begins_early_with_those_who_are_there(alice: Player, bob: Player, charlie: Player) -> None:
    made = opened(alice, bob, charlie)
    said = page(of(alice), "challenge", made.pk)
    assert "Begin now with 3 players" in said
    assert "Begin now" not in page(of(bob), "challenge", made.pk)
    response = of(alice).post(reverse("games:begin", args=[made.pk]), follow=True)
    game = Game.objects.get(challenge=made)
    assert response.redirect_chain[-1][0] == f"/games/{game.pk}/"
    assert game.seats == 3
    assert {seat.player for seat in game.seat_set.all()} == {alice, bob, charlie}
    assert room.begin_early(challenge_id=made.pk, player=alice).game == game
    with pytest.raises(ChallengeClosed):
        challenge.accept_challenge(challenge_id=made.pk, player=PlayerFactory.create())


def test_one_alone_does_not_begin_and_nobody_begins_for_the_owner(alice: Player, bob: Player) -> None:
    made = opened(alice)
    with pytest.raises(NotAllowed):
        room.begin_early(challenge_id=made.pk, player=alice)
    challenge.accept_challenge(challenge_id=made.pk, player=bob)
    with pytest.raises(Gone):
        room.begin_early(challenge_id=made.pk, player=bob)
    assert of(bob).post(reverse("games:begin", args=[made.pk])).status_code == 404
    assert of(bob).get(reverse("games:begin", args=[made.pk])).status_code == 302


def test_a_room_that_was_called_off_or_is_too_old_does_not_begin(alice: Player, bob: Player) -> None:
    made, old = opened(alice, bob), opened(alice, bob)
    challenge.withdraw_challenge(challenge_id=made.pk, player=alice)
    Challenge.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=14))
    for one in (made, old):
        with pytest.raises(ChallengeClosed):
            room.begin_early(challenge_id=one.pk, player=alice)


def test_a_game_that_began_early_may_be_played_again_by_the_same(alice: Player, bob: Player, charlie: Player) -> None:
    made = opened(alice, bob, charlie)
    game = room.begin_early(challenge_id=made.pk, player=alice).game
    Game.objects.filter(pk=game.pk).update(ended_at=timezone.now(), deadline=None, to_move=None)
    again = challenge.offer_rematch(game_id=game.pk, player=alice)
    assert again.seats == 3


# -- letters ----------------------------------------------------------------------------------------------------------------


def test_the_owner_hears_once_that_there_are_enough(alice: Player, bob: Player, charlie: Player) -> None:
    made = opened(alice, bob)
    [letter] = sent()
    assert letter["To"] == alice.email
    assert "your challenge has 2 players now" in " ".join(text(letter).split())
    assert f"/challenges/{made.pk}/" in text(letter)
    challenge.accept_challenge(challenge_id=made.pk, player=charlie)
    challenge.withdraw_challenge(challenge_id=made.pk, player=charlie)
    assert sent() == []


def test_all_who_waited_hear_that_it_began_early(alice: Player, bob: Player, charlie: Player) -> None:
    made = opened(alice, bob, charlie)
    room.begin_early(challenge_id=made.pk, player=alice)
    letters = {one["To"]: text(one) for one in sent()}
    assert {bob.email, charlie.email} <= set(letters)
    assert all("the game has begun" in said for said in letters.values())


def test_who_joined_hears_that_it_is_called_off_and_who_did_not_hears_nothing(
    alice: Player, bob: Player, charlie: Player
) -> None:
    made = opened(alice, bob, charlie)
    challenge.withdraw_challenge(challenge_id=made.pk, player=charlie)
    sent()
    challenge.withdraw_challenge(challenge_id=made.pk, player=alice)
    [letter] = sent()
    assert letter["To"] == bob.email
    assert "Alice has called off the game in which you had a seat" in " ".join(text(letter).split())


def test_all_who_joined_and_all_who_were_invited_hear_that_it_expired(alice: Player, bob: Player) -> None:
    made = opened(alice, bob)
    for address in (DAN, ERIN):
        room.invite(challenge_id=made.pk, player=alice, address=address)
    sent()
    invitation.decline_invitation(invitation_id=Invitation.objects.get(address=ERIN).pk)
    assert expiry.expire(made.stands_until) == 1
    letters = {one["To"]: text(one) for one in sent()}
    assert set(letters) == {alice.email, bob.email, DAN}
    assert "did not find its players" in letters[alice.email]


# -- links and invitations --------------------------------------------------------------------------------------------------


def test_a_room_that_is_not_listed_opens_by_its_link_alone(alice: Player, bob: Player) -> None:
    made = opened(alice, listed=False)
    assert str(made.pk) not in re.findall(r"/challenges/(\d+)/", page(of(bob), "challenges"))
    page(of(bob), "challenge", made.pk, status=404)
    with pytest.raises(Gone):
        challenge.accept_challenge(challenge_id=made.pk, player=bob)
    for wrong in ("", "0" * 32, "é", "0" * 500):
        with pytest.raises(Gone):
            challenge.accept_challenge(challenge_id=made.pk, player=bob, link=wrong)
    link = shared(made, alice)
    said = of(bob).get(link).content.decode()
    assert "who has the link or an invitation" in said
    [field] = re.findall(r'name="link" value="([0-9a-f]+)"', said)
    response = of(bob).post(reverse("games:accept", args=[made.pk]), {"link": field}, follow=True)
    assert "(2/4)" in response.content.decode()
    assert "/challenges/" not in page(Client(), "challenges").partition("<h1>")[2].replace("/challenges/new/", "")
    room.begin_early(challenge_id=made.pk, player=alice)
    assert "Who may join" not in of(bob).get(link).content.decode()


def test_a_visitor_with_the_link_sees_the_room_and_comes_back_to_it_after_logging_in(alice: Player) -> None:
    made = opened(alice, listed=False)
    link = shared(made, alice)
    said = Client().get(link).content.decode()
    assert "Log in to accept" in said
    assert "link%3D" in said
    assert Client().get(reverse("games:challenge", args=[made.pk])).status_code == 302


def test_L13_a_link_opens_its_room_after_the_secret_key_was_changed(alice: Player, settings: Any) -> None:
    made = opened(alice, listed=False)
    link = shared(made, alice)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert Client().get(link).status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert Client().get(link).status_code == 302


def test_the_link_of_one_room_opens_no_other(alice: Player, bob: Player) -> None:
    made, other = opened(alice, listed=False), opened(alice, listed=False)
    wrong = shared(other, alice).replace(f"/{other.pk}/", f"/{made.pk}/")
    assert of(bob).get(wrong).status_code == 404


def test_a_game_of_two_is_not_opened_by_a_link(alice: Player) -> None:
    with pytest.raises(BadTerms):
        opened(alice, listed=False, seats=2)


def test_several_addresses_are_invited_and_each_takes_a_seat(alice: Player, bob: Player, charlie: Player) -> None:
    made = opened(alice, listed=False, seats=3)
    for address in (DAN, ERIN):
        of(alice).post(reverse("games:invite", args=[made.pk]), {"address": address})
    letters = {one["To"]: one for one in sent()}
    assert set(letters) == {DAN, ERIN}
    paths = {path_in(one) for one in letters.values()}
    assert len(paths) == 2
    assert DAN in page(of(alice), "challenge", made.pk)
    for player, path in zip((bob, charlie), sorted(paths), strict=True):
        response = of(player).post(path, {"act": "accept"}, follow=True)
        assert response.status_code == 200
    game = Game.objects.get(challenge=made)
    assert {seat.player for seat in game.seat_set.all()} == {alice, bob, charlie}


def test_one_who_declines_leaves_the_others_their_seats(alice: Player, bob: Player) -> None:
    made = opened(alice, bob)
    for address in (DAN, ERIN):
        room.invite(challenge_id=made.pk, player=alice, address=address)
    paths = {one["To"]: path_in(one) for one in sent() if one["To"] in (DAN, ERIN)}
    assert "declined" in Client().post(paths[DAN], {"act": "decline"}).content.decode()
    made.refresh_from_db()
    assert made.state == "open"
    assert re.search(rf"{DAN}</bdi> – declined", page(of(alice), "challenge", made.pk))
    assert "Accept with a new account" in Client().get(paths[ERIN]).content.decode()
    Client().post(paths[ERIN], {"act": "refuse"})
    assert addresses.is_refused(ERIN)


def test_who_joined_by_a_link_finds_the_room_and_the_game_behind_it(alice: Player, bob: Player) -> None:
    made = opened(alice)
    room.invite(challenge_id=made.pk, player=alice, address=DAN)
    [path] = [path_in(one) for one in sent()]
    of(bob).post(path, {"act": "accept"})
    assert "You have a seat" in of(bob).get(path).content.decode()
    room.begin_early(challenge_id=made.pk, player=alice)
    assert "You accepted this invitation." in of(bob).get(path).content.decode()


def test_an_address_is_invited_once(alice: Player) -> None:
    made = opened(alice)
    for address in (DAN, f" {DAN.upper()} "):
        room.invite(challenge_id=made.pk, player=alice, address=address)
    assert len(sent()) == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.create(challenge=made, address=DAN, language="en")
    with pytest.raises(BadTerms):
        room.invite(challenge_id=made.pk, player=alice, address=alice.email)


@pytest.mark.parametrize("address", ["", "dan", "dan@", "a@b@c.de", "dan@example.org\r\nBcc: all@example.org", "a" * 300])
def test_what_is_no_address_is_told_on_the_page(alice: Player, address: str) -> None:
    made = opened(alice)
    response = of(alice).post(reverse("games:invite", args=[made.pk]), {"address": address})
    assert response.status_code == 400
    assert not Invitation.objects.exists()


def test_only_the_owner_invites_and_sees_who_was(alice: Player, bob: Player) -> None:
    made = opened(alice, bob)
    room.invite(challenge_id=made.pk, player=alice, address=DAN)
    assert DAN not in page(of(bob), "challenge", made.pk)
    with pytest.raises(Gone):
        room.invite(challenge_id=made.pk, player=bob, address=ERIN)
    challenge.withdraw_challenge(challenge_id=made.pk, player=alice)
    with pytest.raises(ChallengeClosed):
        room.invite(challenge_id=made.pk, player=alice, address=ERIN)


def test_a_room_costs_as_many_queries_with_twelve_invitations_as_with_one(
    alice: Player, django_assert_max_num_queries: Any
) -> None:
    made, client = opened(alice), of(alice)
    for number in range(12):
        room.invite(challenge_id=made.pk, player=alice, address=f"dan{number}@example.org")
    page(client, "challenge", made.pk)
    with django_assert_max_num_queries(14):
        page(client, "challenge", made.pk)


def test_a_whole_table_of_four_begins_by_lot_so_that_everybody_sits_everywhere() -> None:
    seats = set()
    for _ in range(12):
        players = PlayerFactory.create_batch(4)
        game = GameFactory.create(players=players, ruleset="toy", begins="lot")
        seats.add(game.seat_set.get(player=players[0]).number)
    assert len(seats) > 1
