"""Pages: what a player sees and may do, and what comes of bad input."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games.models import Challenge, Game
from games.rules import record as records
from games.rules import registry
from games.rules.replay import differences
from games.rules.ruleset import AnyRuleset
from games.services import moves
from games.views.guides import MARKDOWN
from tests.factories import ChallengeFactory, GameFactory, PlayerFactory, play
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db


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
    assert "declined" in late.content.decode(), "the page shows how it stands now"


def test_a_seat_of_four_is_taken_and_given_back(toy: AnyRuleset, alice: Player, bob: Player) -> None:
    challenge = ChallengeFactory.create(challenger=alice, ruleset="toy", seats=4)
    accept, withdraw = (reverse(f"games:{name}", args=[challenge.pk]) for name in ("accept", "withdraw"))
    waiting = of(bob).post(accept, follow=True).content.decode()
    assert "The game begins when all seats are taken, or when the challenger says so." in waiting
    assert "Alice, Bob (2/4)" in re.sub("<[^>]+>", "", waiting)
    assert "You gave your seat back." in of(bob).post(withdraw, follow=True).content.decode()
    assert "Your challenge is withdrawn." in of(alice).post(withdraw, follow=True).content.decode()


def test_ones_own_challenge_cannot_be_accepted(alice: Player) -> None:
    challenge = ChallengeFactory.create(challenger=alice)
    assert "Withdraw the challenge" in page(of(alice), "challenge", challenge.pk)
    refused = of(alice).post(reverse("games:accept", args=[challenge.pk]))
    assert refused.status_code == 403
    assert "your own challenge" in refused.content.decode()


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
    assert "4: last stone in your store, you move again." in chosen
    assert "The board after 4" in chosen
    assert "Your store holds 1 stone." in chosen
    game.refresh_from_db()
    assert game.plies == 0, "looking plays nothing"
    played = press(of(alice), "move", game, move="4")
    assert "You played 4." in played
    assert "Choose your move" in played, "the next choice after an extra move"


def test_several_plies_of_a_turn_are_typed_shown_and_played(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    assert "Play 4-6?" in page(of(alice), "game", game.pk, move="4-6")
    assert "You played 4, 6." in press(of(alice), "move", game, move="4-6")


TYPED = [("9", "is not a pit"), ("4-6-1", "your turn is over"), ("<b>", "&lt;b&gt;"), ("4\x00", "is not a pit")]


@pytest.mark.parametrize(("typed", "told"), TYPED)
def test_F43_a_typed_move_that_cannot_be_comes_back_with_the_reason_beside_it(
    alice: Player, bob: Player, typed: str, told: str
) -> None:
    game = GameFactory.create(players=[alice, bob])
    html = page(of(alice), "game", game.pk, move=typed)
    assert told in html.split('id="typed-error"')[1].split("</span>")[0]
    assert 'aria-describedby="typed-help typed-error" aria-invalid="true"' in html
    assert "<b>" not in html


@pytest.mark.parametrize(
    ("typed", "told"), [("9", "is not a pit"), ("", "Write or choose a move."), ("4-6-1", "your turn is over")]
)
def test_F43_a_sent_move_that_cannot_be_played_comes_back(alice: Player, bob: Player, typed: str, told: str) -> None:
    game = GameFactory.create(players=[alice, bob])
    html = press(of(alice), "move", game, status=400, move=typed)
    assert told in html
    assert f'value="{typed}"' in html, "nothing typed is lost"
    game.refresh_from_db()
    assert game.plies == 0


@pytest.mark.parametrize("position", ["", "x", "-1", "99999999999999999999"])
def test_a_form_that_was_tampered_with_is_no_error_of_ours(alice: Player, bob: Player, position: str) -> None:
    game = GameFactory.create(players=[alice, bob])
    press(of(alice), "move", game, status=400, move="1", position=position)
    press(of(alice), "move", game, status=400, move="1", key="")
    press(of(alice), "propose", game, status=400, kind="")
    press(of(alice), "answer", game, status=400, number="x", answer="agree")
    press(of(alice), "abort", game, status=400, key="", sure="1")
    page(of(alice), "game", game.pk, move="'\"><script>")


def test_C1_L4_the_button_pressed_twice_is_one_move(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    key = uuid4().hex
    press(of(alice), "move", game, move="1", key=key)
    press(of(alice), "move", game, move="1", key=key)
    press(of(alice), "move", game, move="1")
    game.refresh_from_db()
    assert game.plies == 1


def test_C2_C16_a_stale_form_shows_the_present_position(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    press(of(alice), "move", game, move="4", key="k")
    stale = press(of(alice), "move", game, status=409, move="1")
    assert "meant for another position" in stale
    assert "Choose your move" in stale
    assert "already sent with another choice" in press(of(alice), "move", game, status=409, move="1", key="k")


def test_a_move_out_of_turn_or_after_the_end_is_told_on_the_page(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    assert "It is not your turn." in press(of(bob), "move", game, status=409, move="1")
    moves.abort_game(game=game.pk, seat=0, key="a")
    assert "The game is already over." in press(of(alice), "move", game, status=409, move="1")


def test_a_move_after_the_deadline_is_told_so_although_no_sweep_came_yet(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1", reflection=timedelta(minutes=2))
    client = of(alice)
    assert game.deadline is not None
    with time_machine.travel(game.deadline + timedelta(seconds=1), tick=False):
        assert "The time for this turn is over." in press(client, "move", game, status=409, move="2")


def test_somebody_whose_login_ran_out_comes_back_to_the_move_he_chose(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    to_login = Client().post(reverse("games:move", args=[game.pk]), {"move": "4", "position": "2", "key": "k"})
    login = reverse("account_login")
    assert to_login.headers["location"] == f"{login}?next={reverse('games:game', args=[game.pk])}%3Fmove%3D4"
    to_login = Client().post(reverse("games:resign", args=[game.pk]))
    assert to_login.headers["location"] == f"{login}?next={reverse('games:game', args=[game.pk])}"


def test_an_address_of_a_button_leads_to_its_page(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    for name in ("move", "resign", "abort", "propose", "answer", "rematch"):
        response = of(alice).get(reverse(f"games:{name}", args=[game.pk]))
        assert response.headers["location"] == reverse("games:game", args=[game.pk])
    game.refresh_from_db()
    assert game.ended_at is None


def test_nobody_moves_at_anothers_table(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    for name in ("move", "resign", "abort", "propose", "answer", "rematch"):
        press(of(charlie), name, game, status=404, move="1", kind="draw", number="1", answer="agree")


def test_a_private_game_is_for_its_players(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob], public=False)
    for name in ("game", "record"):
        page(of(charlie), name, game.pk, status=404)
        page(Client(), name, game.pk, status=404)
        page(of(bob), name, game.pk)


def test_a_draw_is_proposed_and_agreed_on_the_page_and_a_rematch_follows(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    press(of(alice), "propose", game, kind="draw")
    assert "Alice proposes a draw." in page(of(bob), "game", game.pk)
    assert "Take it back" in page(of(alice), "game", game.pk)
    over = press(of(bob), "answer", game, number="5", answer="agree")
    assert "A draw (by agreement)." in over
    assert "The rematch is offered." in press(of(alice), "rematch", game)
    assert "no. " in press(of(bob), "rematch", game)
    assert Game.objects.count() == 2


def test_each_form_of_a_page_has_a_key_of_its_own(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="5 5")
    keys = re.findall(r'name="key" value="(\w+)"', page(of(alice), "game", game.pk, move="1"))
    assert len(keys) == len(set(keys)) > 1


@pytest.mark.parametrize("number", [2**63, 10**30])
def test_a_number_that_no_game_can_have_is_not_found(alice: Player, number: int) -> None:
    for visit in (of(alice).get, of(alice).post):
        for end in ("", "move/", "resign/", "record/"):
            assert visit(f"/games/{number}/{end}").status_code == 404


def test_resigning_asks_once_more(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    assert "Resign this game?" in press(of(alice), "resign", game)
    assert "Bob won (resignation)." in press(of(alice), "resign", game, sure="1")
    assert "already over" in press(of(bob), "resign", game, status=409, sure="1")


def test_calling_a_game_off_asks_once_more(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    assert "Call this game off?" in press(of(alice), "abort", game)
    game.refresh_from_db()
    assert game.ended_at is None
    assert "No result (called off)." in press(of(alice), "abort", game, sure="1")


def test_the_record_is_downloaded_and_replays(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="4-6 1")
    press(of(alice), "propose", game, kind="draw")
    press(of(bob), "answer", game, number="6", answer="refuse")
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
    game.refresh_from_db()
    assert "Play take?" in page(of(players[1]), "game", game.pk, move="take")
    assert "You played take." in press(of(players[1]), "move", game, move="take")


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


def test_a_visitor_changes_the_language_of_the_pages() -> None:
    client = Client()
    switched = client.post(reverse("set_language"), {"language": "ru", "next": "/"}, follow=True)
    assert 'lang="ru"' in switched.content.decode()


def test_a_players_switch_of_language_is_kept_for_pages_and_letters(alice: Player) -> None:
    client = of(alice)
    client.cookies["django_language"] = "en"
    switched = client.post(reverse("set_language"), {"language": "ru", "next": "/"}, follow=True)
    assert 'lang="ru"' in switched.content.decode()
    alice.refresh_from_db()
    assert alice.language == "ru"
    client.cookies["django_language"] = "no such language"
    assert 'lang="ru"' in page(client, "home")
    assert client.get(reverse("set_language")).status_code == 405


def test_times_are_told_in_utc_to_visitors_and_in_his_zone_to_a_player(alice: Player, bob: Player) -> None:
    alice.time_zone = "Asia/Tokyo"
    alice.save()
    with time_machine.travel("2026-05-04T20:00:00Z", tick=False):
        game = GameFactory.create(players=[alice, bob])
        hers, anybodys = (re.sub("<[^>]*>", "", page(client, "game", game.pk)) for client in (of(alice), Client()))
        assert "8 May 2026, 05:00 (JST) · 2026-05-07 20:00 UTC · 3 days left" in hers
        assert "7 May 2026, 20:00 (UTC) · 3 days left" in anybodys


def test_S5_what_players_call_themselves_is_inert_on_every_page(bob: Player) -> None:
    eve = PlayerFactory.create(display_name="<i>{{ 7 }}Eve</i>")
    game = GameFactory.create(players=[eve, bob], plies="1")
    ChallengeFactory.create(challenger=eve, opponent=bob)
    open_challenge = ChallengeFactory.create(challenger=eve)
    shown: dict[str, tuple[int, ...]] = {
        "game": (game.pk,),
        "mine": (),
        "home": (),
        "challenge": (open_challenge.pk,),
        "challenges": (),
    }
    for name, args in shown.items():
        html = page(of(bob), name, *args)
        assert "&lt;i&gt;{{ 7 }}Eve&lt;/i&gt;" in html
        assert "<i>" not in html


def test_a_guide_holds_no_html_of_its_own() -> None:
    assert "<script>" not in MARKDOWN.render("<script>x</script>\n\n[a](javascript:x)")
    assert "javascript:" not in MARKDOWN.render("[a](javascript:x)").replace("[a](javascript:x)", "")


def test_pages_of_a_player_stay_out_of_caches(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    for name, *args in (["game", game.pk], ["mine"], ["challenge_new"], ["challenges"], ["record", game.pk]):
        response = of(alice).get(reverse(f"games:{name}", args=args))
        assert {"private", "no-store"} <= set(response.headers["cache-control"].split(", "))


def test_a_form_without_the_right_token_is_refused_kindly(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    response = client.post(reverse("games:move", args=[game.pk]), {"move": "1"})
    assert response.status_code == 403
    assert "The form was too old" in response.content.decode()


def test_pages_of_errors_stand_without_a_request() -> None:
    for name, told in (("500", "Something broke"), ("403", "Not allowed"), ("404", "No such page")):
        assert told in render_to_string(f"{name}.html")
    assert "No such page" in page(Client(), "game", 1, status=404)


def test_who_has_just_come_is_told_how_a_game_begins(alice: Player, bob: Player) -> None:
    told = page(of(alice), "mine")
    assert "You have no game yet." in told
    assert reverse("games:rules", args=["mangala"]) in told
    assert "Waiting for me" not in told
    ChallengeFactory.create(challenger=alice)
    GameFactory.create(players=[bob, PlayerFactory.create()])
    for player in (alice, bob):
        assert "You have no game yet." not in page(of(player), "mine")
        assert "Waiting for me" in page(of(player), "mine")
