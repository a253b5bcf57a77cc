"""Pauses: the games of a suspended player stand still, and go on with the time that was left."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import Player, Reason
from games import selectors
from games.models import Game
from games.rules.ruleset import AnyRuleset
from games.services import adjudicate, moves, proposals, reflection
from games.services.errors import (
    GamePaused,
    Refused,
    TimeIsOver,
)
from notifications.models import Letter
from tests.factories import GameFactory, PlayerFactory, play
from tests.games.court import agreed, rule, sent, text
from tests.games.visits import of, page, press

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("charlie_rules")]

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def test_the_words_of_a_board_in_a_paused_game_ask_nobody_to_move(game: Game, alice: Player, bob: Player) -> None:
    adjudicate.pause_games(player=bob)
    html = page(of(alice), "game", game.pk)
    assert "It is your turn" not in html
    assert html.count("The game is paused; South is to move when it goes on.") == 3, "title, description, and the words below"


def test_the_games_of_a_suspended_player_pause_and_go_on_with_the_time_that_was_left(
    game: Game, alice: Player, bob: Player
) -> None:
    other = GameFactory.create(plies="1 1")
    began = game.deadline
    assert began is not None
    sent()
    with time_machine.travel(began - HOUR, tick=False):
        assert (adjudicate.pause_games(player=bob), adjudicate.pause_games(player=bob)) == (1, 0)
        told = sent()
        assert {letter["To"] for letter in told} == {alice.email, bob.email}
        assert all("until Bob may play again" in text(letter) for letter in told)
    game.refresh_from_db()
    assert (game.deadline, game.to_move) == (None, 0)
    with time_machine.travel(began + 9 * DAY, tick=False):
        assert not reflection.run_out(game_id=game.pk, now=began + 9 * DAY)
        assert (adjudicate.resume_games(player=bob), adjudicate.resume_games(player=bob)) == (1, 0)
        game.refresh_from_db()
        assert game.deadline == began + 9 * DAY + HOUR
        told = sent()
        assert ["It is your turn." in text(letter) for letter in told] == [letter["To"] == alice.email for letter in told]
    assert game.entries.filter(kind="clock").count() == 2
    other.refresh_from_db()
    assert other.entries.filter(kind="clock").count() == 0
    assert agreed()


def test_a_broken_game_keeps_no_other_from_its_pause(alice: Player, caplog: pytest.LogCaptureFixture) -> None:
    broken, sound = GameFactory.create_batch(2, players=[alice, PlayerFactory.create()])
    Game.objects.filter(pk=broken.pk).update(ruleset="gone")
    assert adjudicate.pause_games(player=alice) == 1
    assert sound.entries.filter(kind="clock").count() == 1
    assert f"game {broken.pk} could neither be paused nor go on" in caplog.text


def test_a_paused_game_takes_no_moves_and_no_talk_but_may_be_left(game: Game, alice: Player, bob: Player) -> None:
    adjudicate.pause_games(player=bob)
    with pytest.raises(GamePaused):
        play(game, "2")
    with pytest.raises(GamePaused):
        proposals.propose(game=game.pk, seat=1, kind="draw", via="web", key="p")
    seen = selectors.game_page(game.pk, alice)
    assert seen is not None
    assert (seen.paused, seen.my_turn, seen.choices, seen.may_propose, seen.may_resign) == (("Bob",), False, (), (), True)
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    game.refresh_from_db()
    assert game.result == "0-1"
    assert agreed()


def test_the_page_of_a_paused_game_says_so_and_offers_no_moves(game: Game, alice: Player, bob: Player) -> None:
    adjudicate.pause_games(player=bob)
    for shown in (page(of(alice), "game", game.pk), page(Client(), "game", game.pk)):
        assert "The game is paused" in shown
        assert "It goes on when Bob may play again." in shown
        assert "paused the game until Bob may play again" in shown
        assert "?move=" not in shown
    assert "Turn 3, paused" in page(of(alice), "mine")
    assert "This game is paused." in press(of(alice), "move", game, status=409, move="2")


def test_a_reason_is_inert_on_the_page_and_in_the_letter(game: Game, alice: Player, charlie: Player) -> None:
    sent()
    rule(adjudicate.extend_deadline, game, charlie, seconds=60, reason="<script>{{ 1 }}</script>")
    assert "(&lt;script&gt;{{ 1 }}&lt;/script&gt;)" in page(of(alice), "game", game.pk)
    assert all("&lt;script&gt;" in text(letter, "html") for letter in sent())


def test_a_paused_game_waits_for_nobody_in_the_lists(game: Game, alice: Player, bob: Player) -> None:
    adjudicate.pause_games(player=bob)
    mine = selectors.my_games(alice)
    assert (mine.waiting, [line.pk for line in mine.running]) == ((), [game.pk])


def test_a_turn_letter_does_not_go_out_in_a_pause_nor_beside_the_letter_that_ends_it(game: Game, bob: Player) -> None:
    adjudicate.pause_games(player=bob)
    adjudicate.resume_games(player=bob)
    assert len(sent()) == 2
    assert set(Letter.objects.filter(state="sent").values_list("kind", flat=True)) == {"resumed"}


def test_N17_after_a_stalled_queue_who_has_a_turn_since_is_not_told_besides_that_the_game_goes_on(
    game: Game, alice: Player, bob: Player
) -> None:
    sent()
    adjudicate.pause_games(player=bob)
    adjudicate.resume_games(player=bob)
    play(game, "2")
    [letter] = sent()
    assert letter["To"] == bob.email
    assert "Alice played 2." in text(letter)


def test_N17_of_two_pauses_in_a_stalled_queue_the_last_one_is_told(game: Game, alice: Player, bob: Player) -> None:
    sent()
    for _ in range(2):
        adjudicate.pause_games(player=bob)
        adjudicate.resume_games(player=bob)
    assert sorted(letter["To"] for letter in sent()) == [alice.email, bob.email]


def test_only_the_suspended_player_reads_why(game: Game, alice: Player, bob: Player) -> None:
    sent()
    bob.suspended_at, bob.suspension = timezone.now(), Reason.objects.create(text="Insults.", at=timezone.now())
    bob.save()
    adjudicate.pause_games(player=bob)
    assert {letter["To"]: "Insults." in text(letter) for letter in sent()} == {alice.email: False, bob.email: True}


def test_time_that_was_over_before_a_pause_stays_over(game: Game, alice: Player) -> None:
    assert game.deadline is not None
    with time_machine.travel(game.deadline, tick=False):
        adjudicate.pause_games(player=alice)
    game.refresh_from_db()
    assert (game.termination, game.result) == ("time_forfeit", "0-1")


def test_an_end_taken_back_while_a_player_is_suspended_leaves_the_game_paused(game: Game, bob: Player, charlie: Player) -> None:
    bob.suspended_at = timezone.now()
    bob.save()
    adjudicate.pause_games(player=bob)
    rule(adjudicate.adjudicate, game, charlie, verdict="win:0")
    rule(adjudicate.take_back, game, charlie, number=game.head)
    assert (game.ended_at, game.deadline) == (None, None)
    adjudicate.resume_games(player=bob)
    game.refresh_from_db()
    assert game.deadline is not None
    play(game, "2")
    assert agreed()


def test_a_pause_at_a_larger_table_ends_when_its_player_leaves_and_everybody_hears_it(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(3)
    game = GameFactory.create(players=players, ruleset="toy")
    sent()
    adjudicate.pause_games(player=players[2])
    sent()
    moves.resign(game=game.pk, seat=2, via="web", key="r")
    told = sent()
    assert {letter["To"] for letter in told} == {one.email for one in players}
    assert ["It is your turn." in text(letter) for letter in told] == [letter["To"] == players[0].email for letter in told]
    assert agreed()


def test_D6_flag_and_display_agree_right_after_a_gift_and_a_pause(
    game: Game, alice: Player, bob: Player, charlie: Player
) -> None:
    rule(adjudicate.extend_deadline, game, charlie, seconds=3600)
    adjudicate.pause_games(player=bob)
    with time_machine.travel(timezone.now() + 3 * DAY, tick=False):
        adjudicate.resume_games(player=bob)
    game.refresh_from_db()
    over = game.deadline
    assert over is not None
    for moment, left in ((over - timedelta(seconds=1), "1 second"), (over - 12 * HOUR, "12 hours")):
        with time_machine.travel(moment, tick=False):
            seen = selectors.game_page(game.pk, alice)
            assert seen is not None
            assert (seen.deadline, seen.left) == (over, left)
            assert not reflection.run_out(game_id=game.pk, now=moment)
    with time_machine.travel(over, tick=False):
        with pytest.raises(TimeIsOver):
            play(game, "2")
        assert reflection.run_out(game_id=game.pk, now=over)


def test_every_refusal_changes_nothing(game: Game, bob: Player) -> None:
    head = game.head
    with pytest.raises(Refused):
        rule(adjudicate.adjudicate, game, bob, verdict="win:1")
    assert (game.head, Reason.objects.count(), Letter.objects.filter(source="rulings").count()) == (head, 0, 0)
