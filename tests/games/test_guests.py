"""Guests: a newcomer plays at once, only who has the key plays the seat, and the game becomes theirs at login."""

from __future__ import annotations

import re
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import selectors
from games.models import Game, Message, Seat
from games.rules import registry
from games.services import check, guests, moves, reflection
from notifications.models import Letter
from tests.factories import PASSWORD, EmailAddressFactory, GuestGameFactory, think
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_came_yet() -> None:
    cache.clear()


def begin(client: Client, game: str = "mangala", level: int = 1) -> Game:
    """A newcomer presses the button on the front page."""
    home = page(client, "home")
    assert "Play now" in home
    answer = client.post(reverse("games:computer"), {"game": game, "level": level, "key": "k"})
    assert answer.status_code == 302, answer.content.decode()
    found = Game.objects.latest("pk")
    assert answer["Location"] == reverse("games:game", args=[found.pk])
    return found


def test_a_newcomer_plays_from_the_front_page_with_all_that_a_player_has(client: Client) -> None:
    game = begin(client)
    shown = page(client, "game", game.pk)
    assert "It is your turn." in shown
    assert "You play as a guest" in shown
    assert "Resign" in shown
    said = press(client, "move", game, move="3")
    assert "You played 3." in said
    assert "Computer, level 1 is to move" in said
    assert 'data-every="1"' in said
    think(game)
    assert "It is your turn." in page(client, "game", game.pk)
    assert not Letter.objects.exists()
    game.refresh_from_db()
    assert not list(check.disagreements(registry.get("mangala"), game))


def test_what_can_be_done_after_the_end_comes_with_the_end(client: Client) -> None:
    """A browser that follows the game is handed the table alone."""
    game = begin(client)
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    table = client.get(reverse("games:game", args=[game.pk]), headers={"HX-Request": "true"}).content.decode()
    assert "You played as a guest" in table
    assert "After the game" in table
    for offered in ("analysis", "trying"):
        assert reverse(f"games:{offered}", args=[game.pk]) in table
    assert "Play again" in table


def test_who_is_new_is_shown_the_rules_until_something_is_played(client: Client) -> None:
    game = begin(client)
    assert "New to this game?" in page(client, "game", game.pk)
    assert "New to this game?" not in press(client, "move", game, move="3")


def test_at_a_table_where_others_began_who_is_new_is_shown_the_rules_as_well(client: Client) -> None:
    game = begin(client, "rainbow")
    while not (shown := page(client, "game", game.pk)).count("It is your turn."):
        think(game)
    assert "New to this game?" in shown
    assert "Since your last turn" not in shown
    assert "Before your first turn" in shown


def test_it_follows_like_any_other_page(client: Client) -> None:
    game = begin(client)
    url = reverse("games:game", args=[game.pk])
    etag = client.get(url)["ETag"]
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 304
    press(client, "move", game, move="3")
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 200


def test_the_list_of_a_guest_says_what_waits_and_what_is_over(client: Client) -> None:
    games = [begin(client), begin(client, "oware")]
    moves.resign(game=games[0].pk, seat=0, via="web", key="r")
    listed = re.findall(r"<li>(.+?)</li>", page(client, "computer").partition("Your games as a guest")[2])
    assert [" ".join(re.sub("<[^>]+>", "", one).split()) for one in listed] == [
        f"Oware no. {games[1].pk} – your turn",
        f"Mangala no. {games[0].pk} – over",
    ]


def test_nobody_else_sees_or_plays_it(client: Client, alice: Player) -> None:
    game = begin(client)
    for other in (Client(), of(alice)):
        page(other, "game", game.pk, status=404)
        page(other, "record", game.pk, status=404)
    assert other.post(reverse("games:move", args=[game.pk]), {"move": "3", "position": 2, "key": "x"}).status_code == 404
    assert reverse("account_login") in str(Client().post(reverse("games:move", args=[game.pk]), {"move": "3"})["Location"])
    game.refresh_from_db()
    assert game.plies == 0


def test_a_guest_writes_to_nobody_and_is_told_so(client: Client) -> None:
    game = begin(client)
    said = press(client, "move", game, move="3", message="Hello!", status=403)
    assert "You cannot write to each other in this game." in said
    game.refresh_from_db()
    assert game.plies == 0
    assert not Message.objects.exists()


def test_nobody_else_is_a_rematch_of_it(client: Client, alice: Player) -> None:
    game = begin(client)
    press(of(alice), "rematch", game, status=404)
    assert reverse("account_login") in str(client.post(reverse("games:rematch", args=[game.pk]))["Location"])


def test_a_key_opens_its_own_seat_and_no_other(client: Client) -> None:
    game, other = begin(client), begin(Client())
    key = client.session["guest"][str(game.pk)]
    assert selectors.guest_seat(game.pk, key) == 0
    assert selectors.guest_seat(other.pk, key) is None
    page(client, "game", other.pk, status=404)
    assert Seat.objects.get(game=game, engine=None).key_digest == sha256(key.encode()).hexdigest()


def test_somebody_may_play_several_games_in_one_browser(client: Client) -> None:
    games = [begin(client), begin(client, "oware")]
    for game in games:
        page(client, "game", game.pk)
    assert f'href="{reverse("games:game", args=[games[1].pk])}"' in page(client, "home")


def test_a_session_that_another_has_chosen_is_not_kept(client: Client) -> None:
    client.get(reverse("games:home"))
    client.session.save()
    planted = client.session.session_key
    begin(client)
    assert client.session.session_key != planted
    assert not Session.objects.filter(session_key=planted).exists()


def test_another_site_cannot_begin_a_game() -> None:
    answer = Client(enforce_csrf_checks=True).post(reverse("games:computer"), {"game": "mangala", "level": 1, "key": "k"})
    assert answer.status_code == 403
    assert not Game.objects.exists()


def test_one_address_begins_only_so_many(client: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "guest": "1/h/ip"}
    begin(client)
    answer = client.post(reverse("games:computer"), {"game": "mangala", "level": 1, "key": "k"})
    assert answer.status_code == 429
    assert "You have begun many games." in answer.content.decode()


@pytest.mark.parametrize("sent", [{"game": "chess", "level": "1"}, {"game": "mangala", "level": "9"}, {"game": "\x00"}, {}])
def test_what_is_not_offered_is_told_on_the_page(client: Client, sent: dict[str, str]) -> None:
    answer = client.post(reverse("games:computer"), {**sent, "key": "k"})
    assert answer.status_code == 400
    assert not Game.objects.exists()


def log_in(client: Client, player: Player) -> str:
    EmailAddressFactory.create(user=player)
    answer = client.post(reverse("account_login"), {"login": player.email, "password": PASSWORD}, follow=True)
    return str(answer.content.decode())


def test_it_becomes_a_players_at_login_and_then_letters_come(client: Client, alice: Player) -> None:
    game = begin(client)
    said = log_in(client, alice)
    assert "The game that you played as a guest is yours." in said
    assert Seat.objects.get(game=game, number=0).player == alice
    assert "guest" not in client.session
    shown = page(client, "game", game.pk)
    assert "You play as a guest" not in shown
    assert [line.pk for line in selectors.my_games(alice).waiting] == [game.pk]
    assert Letter.objects.get(kind="turn").recipient == alice
    assert not list(check.disagreements(registry.get("mangala"), Game.objects.get(pk=game.pk)))


def test_a_game_that_is_claimed_is_claimed_once(alice: Player, bob: Player) -> None:
    game: Any = GuestGameFactory.create()
    assert guests.claim(player=alice, keys={game.pk: game.key}) == [game.pk]
    assert guests.claim(player=bob, keys={game.pk: game.key}) == []
    assert guests.claim(player=alice, keys={game.pk: game.key, 10**12: "x"}) == []


def test_a_stolen_key_claims_nothing_for_whoever_is_suspended(client: Client, alice: Player) -> None:
    game = begin(client)
    Player.objects.filter(pk=alice.pk).update(suspended_at=timezone.now())
    log_in(client, alice)
    assert Seat.objects.get(game=game, number=0).player is None


def test_whoever_is_suspended_keeps_what_they_played_as_a_guest_for_later(client: Client, alice: Player) -> None:
    game = begin(client)
    Player.objects.filter(pk=alice.pk).update(suspended_at=timezone.now())
    log_in(client, alice)
    page(client, "game", game.pk, status=404)
    client.post(reverse("account_logout"))
    assert "You play as a guest" in page(client, "game", game.pk)
    Player.objects.filter(pk=alice.pk).update(suspended_at=None)
    client.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})
    assert Seat.objects.get(game=game, number=0).player == alice
    client.post(reverse("account_logout"))
    page(client, "game", game.pk, status=404)


def test_it_ends_at_its_deadline_and_its_key_is_forgotten(client: Client) -> None:
    game = begin(client)
    press(client, "move", game, move="2")
    think(game)
    game.refresh_from_db()
    assert game.deadline is not None
    assert reflection.run_out(game_id=game.pk, now=game.deadline)
    assert not Letter.objects.exists()
    game.refresh_from_db()
    assert game.ended_at is not None
    assert guests.forget_keys(game.ended_at + timedelta(days=29)) == 0
    assert guests.forget_keys(game.ended_at + timedelta(days=31)) == 1
    page(client, "game", game.pk, status=404)


def test_whoever_plays_on_keeps_the_key_for_two_weeks_more(client: Client) -> None:
    game = begin(client)
    with time_machine.travel(game.created_at + timedelta(days=2), tick=False):
        press(client, "move", game, move="2")
    with time_machine.travel(game.created_at + timedelta(days=15), tick=False):
        page(client, "game", game.pk)


def test_a_player_gets_a_game_of_their_own(alice: Player) -> None:
    client = of(alice)
    game = begin(client)
    assert game.challenge is not None
    assert Seat.objects.get(game=game, number=0).player == alice
    assert "guest" not in client.session


def test_the_same_computer_may_be_played_again(client: Client) -> None:
    game = begin(client)
    press(client, "resign", game, sure="1")
    assert 'name="level" value="1"' in page(client, "game", game.pk)


def test_guests_sit_at_a_table_of_rainbow(client: Client) -> None:
    game = begin(client, "rainbow")
    assert game.seats == 4
    while think(game):
        pass
    assert "You play as a guest" in page(client, "game", game.pk)
