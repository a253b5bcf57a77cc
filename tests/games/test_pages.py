"""Pages: what a player sees and may do, and what comes of bad input."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Player
from games.models import Challenge, Game
from games.rules import record as records
from games.rules import registry
from games.rules.replay import differences
from games.rules.ruleset import AnyRuleset
from games.services import moves
from tests.factories import ChallengeFactory, GameFactory, PlayerFactory, play

pytestmark = pytest.mark.django_db


def of(player: Player) -> Client:
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return client


def page(client: Client, name: str, *args: Any, status: int = 200, **query: str) -> str:
    response = client.get(reverse(f"games:{name}", args=args), query)
    assert response.status_code == status
    return response.content.decode()


def post(client: Client, name: str, game: Game, status: int = 200, **data: Any) -> str:
    sent = {"key": uuid4().hex, "position": game.position_number, **data}
    response = client.post(reverse(f"games:{name}", args=[game.pk]), sent, follow=True)
    assert response.status_code == status
    return response.content.decode()


def test_a_visitor_sees_the_front_page_the_rules_and_the_open_challenges() -> None:
    ChallengeFactory.create(challenger__display_name="Zoe")
    for name, *args in (["home"], ["challenges"], ["rules", "mangala"]):
        assert "Mangala" in page(Client(), name, *args)
    assert "Zoe" in page(Client(), "home")
    page(Client(), "rules", "chess", status=404)
    page(Client(), "mine", status=302)


def test_a_challenge_is_made_by_the_form_and_accepted_by_a_button(alice: Player, bob: Player) -> None:
    client = of(alice)
    form = {"option_end": "playout", "reflection": "86400", "begins": "opponent", "public": "on", "key": "k", "opponent": ""}
    for _ in range(2):
        made = client.post(reverse("games:challenge_new"), form, follow=True)
    assert "Your challenge is open." in made.content.decode()
    challenge = Challenge.objects.get()
    assert (challenge.options, challenge.reflection, challenge.begins) == ({"end": "playout"}, 86400, "opponent")
    started = of(bob).post(reverse("games:accept", args=[challenge.pk]), follow=True)
    assert "It is your turn." in started.content.decode()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"opponent": "Nobody"}, "There is no player of this name."),
        ({"opponent": "aLiCe"}, "You cannot challenge yourself."),
        ({"reflection": "5"}, "Select a valid choice"),
        ({"option_end": "never"}, "Select a valid choice"),
        ({"begins": ""}, "required"),
    ],
)
def test_a_challenge_that_cannot_be_comes_back_with_the_reason(alice: Player, change: dict[str, str], told: str) -> None:
    form = {"option_end": "first25", "reflection": "86400", "begins": "lot", "key": "k", "opponent": "", **change}
    response = of(alice).post(reverse("games:challenge_new"), form)
    assert response.status_code == 400
    assert told in response.content.decode()
    assert not Challenge.objects.exists()


def test_a_challenge_to_bob_is_hidden_from_others_and_may_be_declined(alice: Player, bob: Player, charlie: Player) -> None:
    challenge = ChallengeFactory.create(challenger=alice, opponent=bob)
    page(of(charlie), "challenge", challenge.pk, status=404)
    assert "Decline" in page(of(bob), "challenge", challenge.pk)
    assert "Challenges to me" in page(of(bob), "mine")
    of(bob).post(reverse("games:decline", args=[challenge.pk]))
    challenge.refresh_from_db()
    assert challenge.state == Challenge.State.DECLINED
    late = of(bob).post(reverse("games:accept", args=[challenge.pk]))
    assert late.status_code == 409
    assert "no longer open" in late.content.decode()


def test_F42_F43_each_player_sees_the_board_from_his_side_as_picture_words_and_text(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4-6")
    for player, side in ((alice, "South"), (bob, "North")):
        html = page(of(player), "game", game.pk)
        assert f"The board from the side of {side}." in html
        assert "<svg" in html
        assert "+-------------------------+" in html
    assert "The board from the side of South." in page(Client(), "game", game.pk)


def test_a_move_is_chosen_shown_with_its_effects_confirmed_and_played(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    chosen = page(of(alice), "game", game.pk, move="4")
    assert "Play 4?" in chosen
    assert "South moves again." in chosen
    game.refresh_from_db()
    assert game.plies == 0, "looking plays nothing"
    played = post(of(alice), "move", game, move="4")
    assert "You played 4." in played
    assert "Choose your move" in played, "the next choice after an extra move"


@pytest.mark.parametrize(
    ("typed", "told"),
    [("9", "is not a pit"), ("", "Write or choose a move."), ("4-6-1", "your turn is over"), ("<b>", "&lt;b&gt;"), ("4\x00", "")],
)
def test_F43_a_typed_move_that_cannot_be_played_comes_back(alice: Player, bob: Player, typed: str, told: str) -> None:
    game = GameFactory.create(players=[alice, bob])
    html = post(of(alice), "move", game, status=400, move=typed)
    assert told in html
    game.refresh_from_db()
    assert game.plies == 0


@pytest.mark.parametrize("position", ["", "x", "-1", "99999999999999999999"])
def test_a_form_that_was_tampered_with_is_no_error_of_ours(alice: Player, bob: Player, position: str) -> None:
    game = GameFactory.create(players=[alice, bob])
    post(of(alice), "move", game, status=400, move="1", position=position)
    post(of(alice), "move", game, status=400, move="1", key="")
    post(of(alice), "propose", game, status=400, kind="")
    post(of(alice), "answer", game, status=400, number="x", answer="agree")
    post(of(alice), "abort", game, status=400, key="")
    page(of(alice), "game", game.pk, move="'\"><script>")


def test_C1_L4_the_button_pressed_twice_is_one_move(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    key = uuid4().hex
    post(of(alice), "move", game, move="1", key=key)
    post(of(alice), "move", game, move="1", key=key)
    post(of(alice), "move", game, move="1")
    game.refresh_from_db()
    assert game.plies == 1


def test_C2_C16_a_stale_form_shows_the_present_position(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    post(of(alice), "move", game, move="4", key="k")
    stale = post(of(alice), "move", game, status=409, move="1")
    assert "meant for another position" in stale
    assert "Choose your move" in stale
    assert "already sent with another choice" in post(of(alice), "move", game, status=409, move="1", key="k")


def test_nobody_moves_at_anothers_table(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    for name in ("move", "resign", "abort", "propose", "answer", "rematch"):
        post(of(charlie), name, game, status=404, move="1", kind="draw", number="1", answer="agree")
        assert Client().get(reverse(f"games:{name}", args=[game.pk])).status_code in (302, 405)


def test_a_private_game_is_for_its_players(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob], public=False)
    for name in ("game", "record"):
        page(of(charlie), name, game.pk, status=404)
        page(Client(), name, game.pk, status=404)
        page(of(bob), name, game.pk)


def test_a_draw_is_proposed_and_agreed_on_the_page_and_a_rematch_follows(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    post(of(alice), "propose", game, kind="draw")
    assert "Alice proposes a draw." in page(of(bob), "game", game.pk)
    over = post(of(bob), "answer", game, number="5", answer="agree")
    assert "A draw (by agreement)." in over
    assert "The rematch is offered." in post(of(alice), "rematch", game)
    assert "no. " in post(of(bob), "rematch", game)
    assert Game.objects.count() == 2


def test_resigning_asks_once_more(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    assert "Resign this game?" in post(of(alice), "resign", game)
    assert "Bob won (resignation)." in post(of(alice), "resign", game, sure="1")
    assert "already over" in post(of(bob), "resign", game, status=409, sure="1")


def test_the_record_is_downloaded_and_replays(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4-6 1")
    post(of(alice), "propose", game, kind="draw")
    post(of(bob), "answer", game, number="6", answer="refuse")
    moves.resign(game=game.pk, seat=1, via="web", key="r")
    [record] = records.read(page(Client(), "record", game.pk), registry.get)
    assert (record.tags["South"], record.tags["North"], record.result) == ("Alice", "Bob", "1-0")
    assert differences(registry.get("mangala"), record) == []


def test_N25_a_game_of_hidden_hands_shows_each_his_own_and_no_record_before_the_end(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(4)
    game = GameFactory.create(players=players, ruleset="toy")
    position: dict[str, Any] = game.position or {}
    play(game, f"offer {position['hands'][0][0]}")
    html = page(of(players[2]), "game", game.pk)
    assert f"Your cards: {', '.join(map(str, position['hands'][2]))}." in html
    assert "offer" not in html.split("The game so far")[1]
    page(of(players[2]), "record", game.pk, status=404)
    assert "take" in page(of(players[1]), "game", game.pk)


def queries(client: Client, name: str, *args: Any) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        page(client, name, *args)
    return len(captured)


def test_my_games_cost_eight_queries_whatever_their_number(alice: Player) -> None:
    costs = []
    for many in (1, 4, 20):
        for _ in range(many):
            GameFactory.create(players=[alice, PlayerFactory.create()], plies="1")
            ended = GameFactory.create(players=[alice, PlayerFactory.create()])
            moves.abort_game(game=ended.pk, seat=0, key="a")
            ChallengeFactory.create(challenger=alice)
        costs.append(queries(of(alice), "mine"))
    assert costs[0] == costs[1] == costs[2] <= 8


def test_a_game_page_costs_eight_queries_and_a_move_twelve(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1 2 2 3 3")
    assert queries(of(alice), "game", game.pk) <= 8
    client = of(alice)
    game.refresh_from_db()
    with CaptureQueriesContext(connection) as captured:
        client.post(reverse("games:move", args=[game.pk]), {"key": "k", "position": game.position_number, "move": "4"})
    game.refresh_from_db()
    assert game.plies == 7
    own = [one["sql"] for one in captured if not one["sql"].startswith(("SAVEPOINT", "RELEASE"))]
    assert len(own) <= 12, own


@pytest.mark.parametrize("language", ["ru", "tr"])
def test_pages_speak_the_players_language_and_zone(alice: Player, bob: Player, language: str) -> None:
    alice.language, alice.time_zone = language, "Asia/Yekaterinburg"
    alice.save()
    game = GameFactory.create(players=[alice, bob])
    html = page(of(alice), "game", game.pk)
    assert f'lang="{language}"' in html
    assert {"ru": "Ваш ход", "tr": "Sıra sizde"}[language] in html
    assert "(+05)" in html
    assert {"ru": "Мангала", "tr": "Mangala"}[language] in page(of(alice), "rules", "mangala")
