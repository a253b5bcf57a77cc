"""The page behind the links in letters: looking changes nothing, one press plays, and only in its own turn."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import selectors
from games.letters import links
from games.models import Game, LogEntry, Message, Right, Submission
from games.rules.ruleset import AnyRuleset
from games.services import moves
from games.services.errors import Gone
from tests.factories import GameFactory, play, right
from tests.games.holding import form, look, path, plies, press
from tests.games.visits import body, of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_guesses_yet() -> None:
    cache.clear()


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    return GameFactory.create(players=[alice, bob])


# -- looking ---------------------------------------------------------------------------------------------------------------


def test_L1_L3_looking_twice_by_any_method_changes_nothing_and_opens_no_session(game: Game) -> None:
    token = right(game)
    asked = [path(token), links.move(token, game.position_number, "4").removeprefix("http://localhost:8000")]
    before = Game.objects.values().get()
    for ask in asked * 2:
        client = Client()
        with CaptureQueriesContext(connection) as queries:
            for answer in (client.get(ask), client.head(ask)):
                assert answer.status_code == 200
        assert not [one["sql"] for one in queries if not one["sql"].startswith("SELECT")]
        assert client.options(ask).status_code == 405
        assert client.put(ask).status_code == 405
        assert not client.cookies
    assert Game.objects.values().get() == before
    assert not Submission.objects.exists()
    assert "You played 4." in press(token, form(game, "4"))
    assert plies(game) == [("4", "link")]


@pytest.mark.parametrize("method", ["get", "head", "options", "post"])
def test_L9_nobody_keeps_lists_or_names_the_address(game: Game, method: str) -> None:
    for token in (right(game), "0" * 32):
        response = getattr(Client(), method)(path(token))
        assert "no-store" in response["Cache-Control"]
        assert response["X-Robots-Tag"].startswith("noindex")
        assert response["Referrer-Policy"] == "no-referrer"
        assert not response.cookies


def test_L2_L9_the_page_holds_no_token_no_address_of_others_and_nothing_that_presses(game: Game) -> None:
    token = right(game)
    for shown in (look(token), look(token, at=game.position_number, move="4")):
        assert token not in shown
        assert re.findall(r"""(?:src|href|action)=["'](?:https?:)?//[^"']*""", shown) == []
        assert re.findall(r"<script[^>]*>", shown) == re.findall(r'<script src="/static/games/site.js"[^>]*>', shown)
        assert "hx-" not in shown


def test_every_choice_leads_to_its_effect_and_one_button(game: Game) -> None:
    token = right(game)
    shown = look(token)
    offered = re.findall(r'href="(\?at=[^"]*)"', shown)
    assert len(offered) == 6
    assert "It is your turn." in shown
    assert "<svg" in shown
    assert "The board in words" in shown
    chosen = look(token, at=game.position_number, move="4")
    assert "Play 4?" in chosen
    assert "4: last stone in your store, you move again." in chosen
    assert chosen.count("<button") == 1
    typed = look(token, at=game.position_number, move="4-6")
    assert "Play 4-6?" in typed
    refused = look(token, at=game.position_number, move="seven")
    assert 'value="seven"' in refused
    assert "typed-error" in refused


def test_the_page_speaks_the_language_of_the_seat_and_shows_its_time(game: Game, alice: Player) -> None:
    alice.language, alice.time_zone = "ru", "Europe/Moscow"
    alice.save()
    shown = Client(headers={"accept-language": "tr"}).get(path(right(game))).content.decode()
    assert '<html lang="ru">' in shown
    game.refresh_from_db()
    assert game.deadline is not None
    assert f"{game.deadline.astimezone(ZoneInfo('Europe/Moscow')):%H:%M}" in shown
    assert "(MSK)" in shown


@pytest.mark.parametrize(
    "query",
    [
        {"at": "x", "move": "4"},
        {"at": "9" * 50, "move": "4"},
        {"at": "-1", "move": "4"},
        {"move": "4" * 5000},
        {"move": "\x00"},
        {"answer": "agree"},
        {"at": "٣", "move": "<script>"},
    ],
)
def test_a_query_that_makes_no_sense_is_a_page(game: Game, query: dict[str, Any]) -> None:
    assert "<script>" not in look(right(game), **query)


# -- pressing --------------------------------------------------------------------------------------------------------------


def test_one_press_plays_and_an_extra_move_follows_under_the_same_right(game: Game) -> None:
    token, client = right(game), Client(enforce_csrf_checks=True)
    shown = press(token, form(game, "4"), client=client)
    assert "You played 4." in shown
    assert "It is still your turn." in shown
    game.refresh_from_db()
    shown = press(token, form(game, "6"), client=client)
    assert "You played 4-6." in shown
    assert "Bob is to move." in shown
    assert "already played" not in shown
    assert reverse("games:game", args=[game.pk]) in shown
    assert plies(game) == [("4", "link"), ("6", "link")]
    assert not client.cookies


def test_a_whole_turn_is_typed_and_comes_with_a_message(game: Game) -> None:
    token = right(game)
    assert "Add a message" in look(token, at=game.position_number, move="4-6")
    press(token, form(game, "4-6", message="Your turn!"))
    assert [text for text, _via in plies(game)] == ["4", "6"]
    assert Message.objects.get().text == "Your turn!"


def test_L4_a_double_press_and_a_resend_are_one_entry_and_two_successes(game: Game) -> None:
    token, sent = right(game), form(game, "1", message="Hello")
    first = Client().post(path(token), sent)
    again = Client().post(path(token), sent)
    assert (first.status_code, first["Location"]) == (again.status_code, again["Location"]) == (302, f"{path(token)}?done")
    assert "You played 1." in press(token, form(game, "1")), "another page of the same letter, the same move"
    assert plies(game) == [("1", "link")]
    assert Message.objects.count() == 1


def test_L5_a_link_of_an_earlier_turn_tells_what_was_played_and_does_nothing(game: Game) -> None:
    token = right(game)
    old = form(game, "1")
    play(game, "1")
    play(game, "1")
    game.refresh_from_db()
    assert game.to_move == 0, "it is the same seat's turn again"
    for query in ({}, {"at": old["position"], "move": "1"}, {"at": game.position_number, "move": "2"}):
        shown = look(token, **query)
        assert "already played" in shown
        assert "You played 1." in shown
        assert "The board now" in shown
        assert "<button" not in shown
        assert "another letter has the links" in shown
    for sent in (old | {"move": "2"}, form(game, "2"), form(game, "2", position=game.position_number + 1)):
        assert "This was meant for another position." in press(token, sent, status=409)
    assert len(plies(game)) == 2


def test_L5_a_spent_link_says_nothing_to_others(game: Game) -> None:
    token, sent = right(game), form(game, "1")
    press(token, sent)
    press(token, sent | {"key": uuid4().hex, "message": "late words"}, status=409)
    assert not Message.objects.exists()


def test_L6_moved_on_the_page_then_the_link_of_the_same_turn(game: Game) -> None:
    token, sent = right(game), form(game, "4")
    play(game, "4")
    assert "It is still your turn." in press(token, sent), "the same move: a success"
    shown = press(token, form(game, "1"), status=409)
    assert "Choose your move" in shown, "another one, inside the turn: what may be chosen now"
    assert "This was meant for another position." in look(token, at=game.position_number - 1, move="1")
    game.refresh_from_db()
    play(game, "6")
    assert "You played 4-6." in press(token, sent)
    assert "already played" in press(token, form(game, "1"), status=409)
    assert plies(game) == [("4", "web"), ("6", "web")]


def test_a_move_that_the_rules_refuse_is_told_beside_the_field(game: Game) -> None:
    token = right(game)
    for text in ("9", "x", "4-5-6-1", "1-2"):
        shown = press(token, form(game, text), status=400)
        assert f'value="{text}"' in shown
        assert "typed-error" in shown
    assert plies(game) == []


@pytest.mark.parametrize(
    "change",
    [
        {"key": ""},
        {"key": "k" * 65},
        {"position": "x"},
        {"position": str(2**31)},
        {"move": ""},
        {"move": "1" * 201},
        {"move": "\x00"},
    ],
)
def test_a_press_that_makes_no_sense_says_so(game: Game, change: dict[str, str]) -> None:
    press(right(game), form(game, "1") | change, status=400)
    assert plies(game) == []


def test_C16_C17_a_key_answers_once(game: Game) -> None:
    token, sent = right(game), form(game, "4")
    press(token, sent)
    assert "already sent with another choice" in press(token, sent | {"move": "1"}, status=409)
    assert plies(game) == [("4", "link")]


def test_a_press_after_the_deadline_is_told_so(game: Game) -> None:
    token = right(game)
    assert game.deadline is not None
    with time_machine.travel(game.deadline + timedelta(seconds=1)):
        assert "The time for this turn is over." in press(token, form(game, "1"), status=409)
    assert plies(game) == []


def test_too_many_messages_wait_whoever_sends_them(game: Game, alice: Player, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "message": "1/h/user"}
    token = right(game)
    press(token, form(game, "4", message="One"))
    game.refresh_from_db()
    shown = press(token, form(game, "6", message="Two"), status=429)
    assert "You have written many messages." in shown
    assert len(plies(game)) == 1


# -- whose it is -------------------------------------------------------------------------------------------------------------


def test_L7_an_opponent_who_is_logged_in_is_refused_by_name(game: Game, bob: Player) -> None:
    token, client = right(game), of(bob)
    shown = look(token, client=client, status=403)
    assert "This link lets Alice play" in shown
    assert "<svg" not in shown
    press(token, form(game, "1"), client=client, status=403)
    assert plies(game) == []
    assert client.get(reverse("games:mine")).status_code == 200, "he is still himself"


def test_L7_somebody_else_who_is_logged_in_is_warned_and_stays_who_he_is(game: Game, charlie: Player) -> None:
    token, client = right(game), of(charlie)
    held = client.cookies["sessionid"].value
    assert "You are logged in as Charlie, but this link is for Alice" in look(token, client=client)
    press(token, form(game, "1"), client=client)
    assert LogEntry.objects.get(kind="move").seat == 0
    assert client.cookies["sessionid"].value == held
    assert "Charlie" in client.get(reverse("games:mine")).content.decode()


def test_the_player_who_is_logged_in_sees_no_warning(game: Game, alice: Player) -> None:
    assert "but this link is for" not in look(right(game), client=of(alice))


def test_S1_a_token_opens_its_own_game_alone(game: Game, bob: Player, charlie: Player) -> None:
    other = GameFactory.create(players=[charlie, bob])
    press(right(game), form(other, "1"))
    assert plies(other) == []
    pk = Right.objects.get().pk
    for table, seat in ((other, 0), (game, 1)):
        with pytest.raises(Gone):
            moves.play_move(
                game=table.pk, seat=seat, text="1", position_number=game.position_number, via="link", key=uuid4().hex, right=pk
            )


def test_S2_guessing_is_limited_and_unknown_and_void_look_the_same(game: Game) -> None:
    token = right(game)
    Right.objects.update(void_at=timezone.now())
    unknown = Client().get(path("0" * 32))
    assert unknown.status_code == 404
    for wrong in (token, "x", "0" * 5000, "%00", "ё"):
        assert body(Client().get(f"/rights/{wrong}/")) == body(unknown)
    assert body(Client().post(path(token), form(game, "1"))) == body(unknown)
    codes = [Client().get(path(f"{number:032x}")).status_code for number in range(25)]
    assert codes == [404] * 23 + [429] * 2
    Right.objects.update(void_at=None)
    assert Client().get(path(token)).status_code == 429, "while he has to wait, a right token looks like a wrong one"


def test_a_token_is_128_random_bits_of_which_the_hash_is_kept_in_whatever_case(game: Game) -> None:
    token, again = right(game), right(game)
    assert token != again
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert token not in str(list(Right.objects.values()))
    assert "It is your turn." in look(token.upper())
    assert "It is your turn." in look(again)


def test_L13_links_verify_whatever_becomes_of_the_secret_key(game: Game, settings: Any) -> None:
    token = right(game)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another-one-" * 5, []
    assert "You played 1." in press(token, form(game, "1"))


# -- hidden things -----------------------------------------------------------------------------------------------------------


def test_N25_an_old_link_shows_no_hand(toy: AnyRuleset, alice: Player, bob: Player) -> None:
    game = GameFactory.create(ruleset="toy", players=[alice, bob])
    token, theirs = right(game), _hand(game)
    assert theirs in look(token)
    play(game, "pass")
    shown = look(token)
    assert "You played a move." in shown
    assert theirs not in shown


def test_N25_an_old_link_of_a_private_game_shows_no_board(toy: AnyRuleset, alice: Player, bob: Player) -> None:
    game = GameFactory.create(ruleset="toy", players=[alice, bob], public=False)
    token = right(game)
    play(game, "pass")
    shown = look(token)
    assert "You played a move." in shown
    assert "<svg" not in shown
    assert reverse("account_login") in shown


def _hand(game: Game) -> str:
    """How the page describes the hand of the seat to move to itself."""
    assert game.to_move is not None
    page = selectors.game_page(game.pk, game.seat_set.get(number=game.to_move).player)
    assert page is not None
    return page.diagram
