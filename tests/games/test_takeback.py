"""Taking a turn back: asked, agreed, and what becomes of deadlines, letters, pages and what was meant for turns before it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games import selectors
from games.letters import table
from games.models import Game
from games.rules.ruleset import AnyRuleset
from games.services import moves, proposals, reflection
from games.services.adjudicate import pause_games, resume_games
from games.services.check import differences
from games.services.errors import GameIsOver, GamePaused, NotAllowed, ProposalClosed, StalePosition, TimeIsOver
from notifications import sources
from notifications.models import Letter
from notifications.sources import Waiting
from tests.factories import GameFactory, PlayerFactory, play

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def ask(game: Game, seat: int) -> int:
    """The number of the entry that asks."""
    answer = proposals.propose(game=game.pk, seat=seat, kind="takeback", via="web", key=uuid4().hex)
    game.refresh_from_db()
    return answer.head


def agree(game: Game, seat: int, number: int) -> None:
    proposals.agree(game=game.pk, seat=seat, number=number, via="web", key=uuid4().hex)
    game.refresh_from_db()


def take_back(game: Game, seat: int) -> None:
    """The seat asks and the other of two agrees."""
    agree(game, 1 - seat, ask(game, seat))


def wanted(game: Game) -> dict[str, int]:
    """The letters about turns of the game that should still go out: whose turn of which number."""
    return {
        letter.recipient.name if letter.recipient else "": letter.about["position_number"]
        for letter in Letter.objects.filter(about__game=game.pk, kind="turn").select_related("recipient")
        if sources.find(letter.source).still_wanted(
            Waiting(letter.key, letter.kind, letter.about, letter.recipient, letter.created_at)
        )
    }


def agrees_with_its_log() -> bool:
    return all(not found for _, found in differences())


def test_F36_alice_takes_back_her_whole_turn_and_bobs_reply_with_it(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    before = game.position
    play(game, "3-1")
    play(game, "2")
    take_back(game, 0)
    assert (game.position, game.to_move, game.plies, game.turn) == (before, 0, 2, 3)
    assert list(game.proposals.values_list("kind", "state")) == [("takeback", "agreed")]
    assert agrees_with_its_log()


def test_the_kept_standing_is_enough_to_play_on_after_a_takeback() -> None:
    game = GameFactory.create(plies="1 1 2 2")
    take_back(game, 0)
    play(game, "3-1")
    take_back(game, 0)
    take_back(game, 0)
    assert (game.plies, game.to_move) == (0, 0)
    with pytest.raises(NotAllowed):
        ask(game, 0)
    assert agrees_with_its_log()


def test_D18_the_deadline_gives_alice_what_was_left_to_her_and_takes_nobody_out_of_the_game(
    clock: time_machine.Traveller,
) -> None:
    game = GameFactory.create(reflection=DAY)
    clock.shift(15 * HOUR)
    play(game, "1")
    clock.shift(20 * HOUR)
    play(game, "1")
    clock.shift(10 * HOUR)
    take_back(game, 0)
    now = NOON + 45 * HOUR
    assert game.deadline == now + 9 * HOUR
    assert not reflection.run_out(game_id=game.pk, now=now + timedelta(hours=8, minutes=59))
    assert reflection.run_out(game_id=game.pk, now=now + 9 * HOUR)
    assert agrees_with_its_log()


@pytest.mark.parametrize("plies", ["1 1", "4"], ids=["a whole turn", "an unfinished one"])
def test_D18_alice_has_a_third_of_the_time_at_least_though_bob_agrees_at_night(
    clock: time_machine.Traveller, alice: Player, bob: Player, plies: str
) -> None:
    game = GameFactory.create(players=[alice, bob], reflection=DAY)
    clock.shift(23 * HOUR)
    for ply in plies.split():
        play(game, ply)
    take_back(game, 0)
    now = NOON + 23 * HOUR
    assert game.deadline == now + 8 * HOUR
    assert game.warn_at is not None
    assert game.warn_at > now, "the letter of the turn tells the deadline first"
    pause_games(player=bob)
    clock.shift(DAY)
    resume_games(player=bob)
    game.refresh_from_db()
    assert game.deadline == now + DAY + 8 * HOUR, "a pause takes nothing of it"
    play(game, "3")
    game.refresh_from_db()
    assert game.deadline == now + DAY + DAY, "the next turn has all its time"
    assert agrees_with_its_log()


def test_N21_the_right_one_is_told_and_letters_of_the_turns_after_it_stay_in(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1 2")
    assert wanted(game) == {"Bob": game.turn_number}
    take_back(game, 0)
    assert wanted(game) == {"Alice": game.turn_number}
    assert game.turn_number == game.position_number == game.head


def test_N21_when_one_takes_back_in_their_own_turn_they_hear_of_the_turn_anew(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    play(game, "3")
    take_back(game, 0)
    assert wanted(game) == {"Alice": game.head}


def test_numbers_never_come_again_and_what_was_meant_for_older_ones_is_stale() -> None:
    game = GameFactory.create(plies="1 1")
    number = game.position_number
    play(game, "2")
    take_back(game, 0)
    assert game.position_number > number + 1
    for seat, text in ((0, "3"), (1, "2")):
        for old in (number, number + 1):
            with pytest.raises(StalePosition):
                moves.play_move(game=game.pk, seat=seat, text=text, position_number=old, via="link", key=uuid4().hex)


def test_a_ply_that_was_played_again_after_a_takeback_is_no_answer_to_an_older_form() -> None:
    game = GameFactory.create(plies="1 1")
    play(game, "3")
    game.refresh_from_db()
    between = game.position_number
    take_back(game, 0)
    play(game, "4")
    with pytest.raises(StalePosition):
        moves.play_move(game=game.pk, seat=0, text="4", position_number=between, via="web", key="k")


def test_a_late_press_is_told_that_the_move_was_taken_back_and_not_that_it_was_played(client: Client, alice: Player) -> None:
    game = GameFactory.create(players=[alice, PlayerFactory.create()], plies="1 1")
    client.force_login(alice)
    form = {"key": "k", "position": game.position_number, "move": "2"}
    assert "You played 2." in client.post(reverse("games:move", args=[game.pk]), form, follow=True).content.decode()
    take_back(game, 0)
    for sent in (form, {**form, "key": "another"}):
        answer = client.post(reverse("games:move", args=[game.pk]), sent)
        assert answer.status_code == 409
        said = answer.content.decode()
        assert "This move was played and taken back since." in said
        assert "You played" not in said
    play(game, "2")
    play(game, "1")
    assert client.post(reverse("games:move", args=[game.pk]), form).status_code == 409, "played anew is another move"


def test_a_press_again_is_a_success_though_the_answer_to_it_was_taken_back() -> None:
    game = GameFactory.create(plies="1 1")
    pressed: dict[str, Any] = {"game": game.pk, "seat": 0, "text": "2", "via": "web", "key": "k"}
    pressed["position_number"] = game.position_number
    first = moves.play_move(**pressed)
    play(game, "2")
    take_back(game, 1)
    for again in (pressed, {**pressed, "key": "another"}):
        answer = moves.play_move(**again)
        assert (answer.moved, answer.same) == (first.moved, True)


def test_bobs_move_lets_the_request_lapse_and_so_does_alices_own() -> None:
    for plies in ("1", "1 1"):
        game = GameFactory.create(plies=plies)
        number = ask(game, 0)
        play(game, "2")
        assert list(game.proposals.values_list("state", flat=True)) == ["lapsed"]
        with pytest.raises(ProposalClosed):
            agree(game, 1, number)
    assert agrees_with_its_log()


def test_when_both_ask_each_asks_for_their_own_turn() -> None:
    game = GameFactory.create(plies="1 1")
    first, second = ask(game, 0), ask(game, 1)
    assert ask(game, 0) == second, "asking again adds nothing"
    agree(game, 0, second)
    assert (game.plies, game.to_move) == (1, 1)
    with pytest.raises(ProposalClosed):
        agree(game, 1, first)
    assert agrees_with_its_log()


def test_F34_asking_refusing_and_agreeing_stand_in_the_log() -> None:
    game = GameFactory.create(plies="1")
    proposals.refuse(game=game.pk, seat=1, number=ask(game, 0), via="web", key="r")
    take_back(game, 0)
    said = game.entries.exclude(kind__in=["join", "move"]).values_list("kind", "seat", "text")
    assert list(said) == [("propose", 0, "takeback"), ("refuse", 1, "4"), ("propose", 0, "takeback"), ("agree", 1, "6")]


def test_F34_a_game_with_hidden_hands_knows_no_takebacks(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(3)
    game = GameFactory.create(players=players, ruleset="toy", plies="pass")
    with pytest.raises(NotAllowed):
        ask(game, 0)
    page = selectors.game_page(game.pk, players[0])
    assert page is not None
    assert [kind for kind, _title in page.may_propose] == ["stop"]


def test_F34_nobody_goes_back_to_before_a_card_was_drawn(open_toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="open_toy", plies="pass pass")
    proposals.withdraw(game=game.pk, seat=0, number=ask(game, 0), via="web", key="w")
    card = open_toy.load(game.position).hands[2][0]
    play(game, f"offer {card}")
    play(game, "refuse")
    for seat in range(3):
        with pytest.raises(NotAllowed):
            ask(game, seat)


def test_at_a_larger_table_all_the_others_must_agree(open_toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(4), ruleset="open_toy", plies="pass pass")
    number = ask(game, 0)
    for seat in (1, 2):
        agree(game, seat, number)
        assert game.plies == 2
    assert proposals.propose(game=game.pk, seat=0, kind="takeback", via="web", key="again").same
    agree(game, 3, number)
    assert (game.plies, game.to_move) == (0, 0)
    assert agrees_with_its_log()


def test_nothing_is_taken_back_after_the_end_in_a_pause_or_after_the_deadline(clock: time_machine.Traveller) -> None:
    over, late = GameFactory.create(plies="1 1"), GameFactory.create(plies="1 1", reflection=DAY)
    moves.resign(game=over.pk, seat=1, via="web", key="r")
    with pytest.raises(GameIsOver):
        ask(over, 0)
    number = ask(late, 0)
    clock.shift(DAY)
    with pytest.raises(TimeIsOver):
        agree(late, 1, number)
    with pytest.raises(TimeIsOver):
        ask(late, 1)
    players = PlayerFactory.create_batch(2)
    paused = GameFactory.create(players=players, plies="1 1")
    pause_games(player=players[0])
    with pytest.raises(GamePaused):
        ask(paused, 0)


def test_the_page_offers_it_says_what_would_be_undone_and_marks_what_was(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1 2")
    kinds = {one.name: selectors.game_page(game.pk, one) for one in (alice, bob)}
    assert {name: [kind for kind, _ in page.may_propose] for name, page in kinds.items() if page} == {
        "Alice": ["draw", "takeback"],
        "Bob": ["draw", "takeback"],
    }
    play(game, "2")
    number = ask(game, 0)
    page = selectors.game_page(game.pk, bob)
    assert page is not None
    [asked] = page.proposed
    assert (asked.title, asked.to_answer) == ("to take their last turn back (2, 2)", True)
    assert [kind for kind, _ in page.may_propose] == ["draw", "takeback"]
    agree(game, 1, number)
    page = selectors.game_page(game.pk, alice)
    assert page is not None
    assert [turn.text for turn in page.log if turn.undone] == ["2", "2"]
    assert [(turn.number, turn.text) for turn in page.log if turn.number and not turn.undone] == [(1, "1"), (2, "1")]
    assert page.log[-1].text == "agreed: the turn is taken back"
    assert page.last is not None
    assert page.last.number == 2
    assert [step.undone for step in page.steps] == [False, False, False, True, True, False]
    assert page.ways == ()
    assert page.choices
    play(game, "3-1")
    page = selectors.game_page(game.pk, alice)
    assert page is not None
    assert (page.log[-1].number, page.log[-1].text) == (3, "3-1")


def test_alice_asks_by_a_button_bob_agrees_by_another_and_the_log_shows_the_turn_struck_through(
    client: Client, alice: Player, bob: Player
) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1 2")
    page = reverse("games:game", args=[game.pk])
    client.force_login(alice)
    assert "Ask to take my last turn back" in client.get(page).content.decode()
    client.post(reverse("games:propose", args=[game.pk]), {"kind": "takeback", "key": "p"})
    shown = client.get(page).content.decode()
    assert "Ask to take my last turn back" not in shown
    client.force_login(bob)
    assert "Alice proposes to take their last turn back (2)." in client.get(page).content.decode()
    number = game.proposals.get().number
    client.post(reverse("games:answer", args=[game.pk]), {"number": number, "answer": "agree", "key": "a"})
    shown = client.get(page).content.decode()
    assert shown.count("<s>") == shown.count("<em>taken back</em>") == 1
    assert "agreed: the turn is taken back" in shown
    step = client.get(reverse("games:step", args=[game.pk, number - 1])).content.decode()
    assert "This was taken back." in step


def test_what_alice_hears_after_a_takeback_leaves_out_what_was_undone(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1 2 3")
    take_back(game, 0)
    page = selectors.game_page(game.pk, alice)
    assert page is not None
    told = [(line.who, line.text) for line in table.context_of(page, 0)["lines"]]
    assert told == [
        ("Bob", "1"),
        ("Alice", "proposed to take their last turn back"),
        ("Bob", "agreed: the turn is taken back"),
    ]


def test_the_record_of_a_game_with_a_takeback_can_be_read_and_replayed(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1 2 2")
    take_back(game, 0)
    play(game, "3-1")
    text = selectors.record_of(game.pk, alice)
    assert text is not None
    assert "1. 1 1 2. 2 2 <propose 1 takeback> <agree 2 5> 2. 3-1 *" in text
