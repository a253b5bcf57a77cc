"""Computers at the table: they move and answer by themselves, nobody waits for them in vain, and no letter goes to them."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import timedelta
from itertools import count
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
import time_machine
from django.db import IntegrityError
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import selectors
from games.admin import _seated
from games.engines.choice import choose
from games.models import Challenge, Game, Seat, Thought
from games.rules import registry
from games.services import adjudicate, challenge, check, engine, moves, notices, projection, proposals, reflection
from games.services.errors import KeyReused, NotAllowed
from notifications import delivery
from notifications.models import Letter
from tests.factories import ChallengeFactory, ComputerGameFactory, GuestGameFactory, play, think
from tests.games.court import rule
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: Player) -> Game:
    """Alice begins against a computer."""
    return ComputerGameFactory.create(player=alice)


def test_a_game_against_the_computer_begins_at_once(alice: Player, game: Game) -> None:
    assert [(seat.player, seat.engine) for seat in game.seat_set.all()] == [(alice, None), (None, 2)]
    assert game.challenge is not None
    assert game.challenge.state == Challenge.State.STARTED
    assert not list(check.disagreements(registry.get("mangala"), game))


def test_the_same_form_begins_one_game(alice: Player) -> None:
    games = [ComputerGameFactory.create(player=alice, key="k") for _twice in range(2)]
    assert games[0] == games[1]
    with pytest.raises(KeyReused):
        ComputerGameFactory.create(player=alice, key="k", level=5)


def test_whoever_is_suspended_begins_none(alice: Player) -> None:
    alice.suspended_at = timezone.now()
    alice.save()
    with pytest.raises(NotAllowed):
        ComputerGameFactory.create(player=alice)


def test_the_computer_answers_a_turn_whole_by_its_own_way_and_nobody_writes_to_it(alice: Player, game: Game) -> None:
    play(game, "1")
    play_until_turn_of_the_computer(game)
    assert think(game)
    game.refresh_from_db()
    assert game.to_move == 0
    assert {entry.via for entry in game.entries.filter(kind="move", seat=1)} == {"engine"}
    assert set(Letter.objects.values_list("recipient", flat=True)) == {alice.pk}
    assert not list(check.disagreements(registry.get("mangala"), game))


def test_N15_whoever_sits_at_the_page_gets_no_letter_for_each_answer(alice: Player, game: Game) -> None:
    play_until_turn_of_the_computer(game)
    think(game)
    [letter] = Letter.objects.filter(kind="turn").order_by("-pk")[:1]
    assert letter.due_at == letter.created_at + timedelta(minutes=2)
    page(of(alice), "game", game.pk)
    with time_machine.travel(letter.due_at + timedelta(seconds=1)):
        delivery.deliver_waiting()
    letter.refresh_from_db()
    assert letter.state == Letter.State.DROPPED


def play_until_turn_of_the_computer(game: Game) -> None:
    """Somebody plays on while they move again."""
    game.refresh_from_db()
    while game.to_move == 0:
        ruleset = registry.get(game.ruleset)
        play(game, next(ruleset.legal_moves(ruleset.load(game.position))))
        game.refresh_from_db()


def test_thinking_twice_plays_once(game: Game) -> None:
    play_until_turn_of_the_computer(game)
    with patch.object(moves, "play_move") as played:
        engine.act(game=game.pk, now=timezone.now, expired=lambda: lambda: False)
    first = played.call_args.kwargs
    think(game)
    moves.play_move(**first)  # the worker that was slower
    game.refresh_from_db()
    assert game.entries.filter(kind="move", seat=1, text=first["text"]).count() == 1


def test_no_key_of_a_form_is_in_the_way_of_the_computer(alice: Player, game: Game) -> None:
    client, ruleset = of(alice), registry.get("mangala")
    while game.to_move == 0:
        move = next(ruleset.legal_moves(ruleset.load(game.position)))
        press(client, "move", game, move=move, key=f"engine:1:{game.head + 1}")
        game.refresh_from_db()
    assert think(game)


@pytest.mark.parametrize("name", ["mangala", "oware", "bridgit", "sprouts"])
def test_every_game_of_two_is_played_to_and_fro(alice: Player, name: str) -> None:
    game = ComputerGameFactory.create(player=alice, ruleset=name, level=1)
    play_until_turn_of_the_computer(game)
    assert think(game)
    game.refresh_from_db()
    assert game.to_move == 0


def test_a_table_of_rainbow_plays_on_alone_until_it_is_alices_turn(alice: Player) -> None:
    game = ComputerGameFactory.create(player=alice, ruleset="rainbow", level=1)
    assert game.seats == 4
    for _turn in range(3):
        while think(game):
            pass
        game.refresh_from_db()
        if game.ended_at is not None:
            break
        assert game.to_move is not None
        assert game.seat_set.get(number=game.to_move).player == alice
        ruleset = registry.get("rainbow")
        play(game, next(ruleset.legal_moves(ruleset.load(game.position))))
    assert not list(check.disagreements(registry.get("rainbow"), Game.objects.get(pk=game.pk)))


def test_a_table_of_strong_computers_lets_others_have_their_turn(alice: Player) -> None:
    tables = (
        ComputerGameFactory.create(player=alice, ruleset="rainbow", seats=20, level=1, begins="opponent") for _ in range(99)
    )
    # The lot says who begins; Alice sits last.
    game = next(one for one in tables if one.to_move is not None and one.to_move < 15)
    began, seconds = timezone.now(), count()
    with patch.object(engine, "nudge_all") as asked:
        acted = engine.act(game=game.pk, now=lambda: began + timedelta(seconds=next(seconds)), expired=lambda: lambda: True)
    assert 1 <= acted <= 3
    assert asked.call_args.args == ("games.think", [game.pk])


def test_no_time_runs_for_a_computer_and_the_list_says_who_is_to_move(alice: Player, game: Game) -> None:
    play_until_turn_of_the_computer(game)
    game.refresh_from_db()
    assert (game.deadline, game.warn_at) == (None, None)
    assert game.engine_asked_at is not None
    later = timezone.now() + timedelta(days=40)
    assert not reflection.run_out(game_id=game.pk, now=later)
    [line] = selectors.my_games(alice).running
    assert line.state == "Turn 2, the computer is to move"
    assert notices.check(timezone.now() + timedelta(days=1)) == 0
    think(game)
    game.refresh_from_db()
    assert game.deadline is not None
    assert game.engine_asked_at is None


def test_what_nobody_thinks_about_is_asked_again(game: Game) -> None:
    play_until_turn_of_the_computer(game)
    now = timezone.now()
    with patch.object(engine, "nudge_all") as asked:
        assert engine.ask_again(now) == 0, "the nudge has just gone"
        assert engine.ask_again(now + timedelta(seconds=2)) == 1
        assert engine.ask_again(now + timedelta(seconds=4)) == 0, "a worker may need some seconds"
        assert engine.ask_again(now + timedelta(seconds=40)) == 1
    assert asked.call_args.args == ("games.think", [game.pk])
    think(game)
    assert engine.ask_again(now + timedelta(minutes=9)) == 0


def test_an_answer_that_was_lost_is_asked_for_although_another_was_thought_of_just_now(game: Game) -> None:
    play_until_turn_of_the_computer(game)
    think(game)
    play_until_turn_of_the_computer(game)
    with patch.object(engine, "nudge_all"):
        assert engine.ask_again(timezone.now() + timedelta(seconds=2)) == 1


def test_whoever_cannot_think_plays_some_legal_move(game: Game, caplog: pytest.LogCaptureFixture) -> None:
    play_until_turn_of_the_computer(game)
    with patch.object(engine, "choose", side_effect=MemoryError):
        assert think(game)
    game.refresh_from_db()
    assert game.to_move == 0
    assert "could not think" in caplog.text


def test_whoever_was_killed_twice_while_thinking_thinks_no_more_there(game: Game) -> None:
    play_until_turn_of_the_computer(game)
    game.refresh_from_db()
    for levels in ([2], [1], []):
        met: list[int] = []

        def die(*_asked: object, level: int, met: list[int] = met, **_told: object) -> None:
            met.append(level)
            raise SystemExit  # as a worker that the kernel ends

        dying = patch.object(engine, "choose", side_effect=die)
        with dying, suppress(SystemExit):
            think(game)
        assert met[:1] == levels
    assert Thought.objects.get(game=game).tries >= 1
    game.refresh_from_db()
    assert game.to_move == 0


def test_two_workers_do_not_think_of_the_same_move(game: Game) -> None:
    play_until_turn_of_the_computer(game)
    met: list[int] = []

    def another_comes(*asked: object, level: int, **told: object) -> str:
        met.append(level)
        assert not think(game), "it would take the first one for killed, and think less"
        return choose(*asked, level=level, **told)  # type: ignore[arg-type]

    with patch.object(engine, "choose", side_effect=another_comes):
        assert think(game)
    assert set(met) == {2}


def test_a_refusal_is_no_worker_that_was_killed(game: Game) -> None:
    play_until_turn_of_the_computer(game)
    for _times in range(3):
        with patch.object(moves, "play_move", side_effect=NotAllowed):
            assert not think(game)
    assert Thought.objects.get(game=game).tries == 0
    assert think(game)


def test_a_computer_agrees_to_a_takeback(game: Game) -> None:
    play_until_turn_of_the_computer(game)
    think(game)
    game.refresh_from_db()
    asked = proposals.propose(game=game.pk, seat=0, kind="takeback", via="web", key=uuid4().hex)
    game.refresh_from_db()
    assert game.engine_asked_at is not None
    assert not asked.same
    think(game)
    game.refresh_from_db()
    assert (game.plies, game.to_move) == (0, 0)


def test_a_computer_takes_a_draw_when_it_expects_no_more(game: Game) -> None:
    for hoped, state in ((900, "refused"), (500, "agreed")):
        proposals.propose(game=game.pk, seat=0, kind="draw", via="web", key=uuid4().hex)
        with patch.object(engine, "analyse") as finding:
            finding.return_value.shares = (1000 - hoped, hoped)
            think(game)
        assert game.proposals.latest("pk").state == state
    game.refresh_from_db()
    assert game.result == "1/2-1/2"


def test_of_two_a_computer_stops_only_when_it_expects_no_more_by_what_it_may_know(alice: Player) -> None:
    """Whoever is losing at Rainbow would have half a point for the asking."""
    game, ruleset = ComputerGameFactory.create(player=alice, ruleset="rainbow", seats=2, level=1), registry.get("rainbow")
    seats = {seat.engine: seat.number for seat in game.seat_set.all()}
    think(game)
    for hoped, state in ((900, "refused"), (500, "agreed")):
        proposals.propose(game=game.pk, seat=seats[None], kind="stop", via="web", key=uuid4().hex)
        game.refresh_from_db()
        truth = projection.course_of(ruleset, game).standing.position
        with patch.object(engine, "analyse") as finding:
            finding.return_value.shares = [1000 - hoped] * 2
            finding.return_value.shares[seats[1]] = hoped
            think(game)
        assert game.proposals.latest("pk").state == state
        worlds = [call.args[1] for call in finding.call_args_list]
        assert {ruleset.view(world, seats[1]) for world in worlds} == {ruleset.view(truth, seats[1])}
        assert len({world.hands for world in worlds}) > 1, "it does not see what its opponent holds"


def test_whoever_cannot_think_of_a_proposal_refuses_it(game: Game, caplog: pytest.LogCaptureFixture) -> None:
    proposals.propose(game=game.pk, seat=0, kind="draw", via="web", key=uuid4().hex)
    with patch.object(engine, "analyse", side_effect=MemoryError):
        think(game)
    assert game.proposals.latest("pk").state == "refused"
    assert "could not think of a proposal" in caplog.text


def test_whoever_was_killed_twice_over_a_proposal_refuses_it(game: Game) -> None:
    proposals.propose(game=game.pk, seat=0, kind="draw", via="web", key=uuid4().hex)
    for _times in range(3):
        with patch.object(engine, "analyse", side_effect=SystemExit), suppress(SystemExit):
            think(game)
    assert game.proposals.latest("pk").state == "refused"


def test_nobody_is_a_rematch_or_reader_of_a_computer(alice: Player, game: Game) -> None:
    moves.resign(game=game.pk, seat=0, via="web", key=uuid4().hex)
    page = selectors.game_page(game.pk, alice)
    assert page is not None
    assert (page.may_rematch, page.may_report, page.computer) == (False, False, 2)
    assert [one.name for one in page.players] == ["Alice", "Computer, level 2"]
    words = selectors.words_of(game.pk, alice)
    assert words is not None
    assert not words.may_write


def test_computers_at_one_table_are_told_apart(alice: Player) -> None:
    """One offers a drop to another: who is who is all that there is to know."""
    game = GuestGameFactory.create(ruleset="rainbow")
    seat = game.seat_set.get(engine=None).number
    shown = selectors.game_page(game.pk, None, guest=seat)
    assert shown is not None
    names = [one.name for one in shown.players]
    assert names[seat] == "Guest"
    assert len({*names}) == len(names) > 2
    assert [one for one in names if one != "Guest"] == [
        f"Computer {place} (level 2)" for place in range(1, len(names) + 1) if place != seat + 1
    ]


def test_a_seat_has_one_holder(alice: Player, game: Game) -> None:
    with pytest.raises(IntegrityError):
        Seat.objects.filter(game=game, number=0).update(engine=3)


def test_results_against_computers_are_counted_apart(alice: Player, bob: Player, game: Game) -> None:
    moves.resign(game=game.pk, seat=0, via="web", key=uuid4().hex)
    page = selectors.player_page(alice.pk, alice)
    assert page is not None
    assert page.totals == ()
    assert "No game is finished yet" not in of(alice).get(reverse("games:player", args=[alice.pk])).content.decode()
    assert [(one.title, one.lost) for one in page.against_computers] == [("Mangala", 1)]
    assert [one.name for one in page.finished[0].opponents] == ["Computer, level 2"]


def test_a_suspended_player_keeps_the_computer_waiting(alice: Player, game: Game) -> None:
    play_until_turn_of_the_computer(game)
    adjudicate.pause_games(player=alice)
    assert not think(game)
    adjudicate.resume_games(player=alice)
    assert think(game)


@pytest.mark.usefixtures("charlie_rules")
def test_nobody_is_told_of_more_time_for_a_computer(charlie: Player, game: Game) -> None:
    play_until_turn_of_the_computer(game)
    with pytest.raises(NotAllowed, match="no time runs"):
        rule(adjudicate.extend_deadline, game, charlie, seconds=3600)
    assert not game.entries.filter(kind="clock").exists()


def test_time_that_ran_while_the_computer_thought_is_nobodys(alice: Player, game: Game) -> None:
    play_until_turn_of_the_computer(game)
    with time_machine.travel(timezone.now() + timedelta(days=30), tick=False):
        think(game)
        game.refresh_from_db()
        assert game.deadline == timezone.now() + timedelta(days=3)


def test_the_form_of_a_challenge_begins_a_game_against_the_computer(alice: Player) -> None:
    client, sent = of(alice), {"option_end": "first25", "reflection": "86400", "begins": "opponent", "opponent": "", "key": "k"}
    url = f"{reverse('games:challenge_new')}?game=mangala"
    for _twice in range(2):
        answer = client.post(url, {**sent, "computer": "3"})
        assert answer["Location"] == reverse("games:game", args=[Game.objects.get().pk])
    assert "Computer, level 3 is to move" in page(client, "game", Game.objects.get().pk)
    both = client.post(url, {**sent, "key": "l", "computer": "3", "opponent": "bob@example.org"})
    assert "not both" in both.content.decode()


def test_computers_take_seats_of_a_table(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, ruleset="rainbow", seats=4)
    client, told = of(alice), {"level": "1"}
    for _twice in range(2):
        client.post(reverse("games:add_computer", args=[made.pk]), told)
    shown = page(client, "challenge", made.pk)
    assert shown.count("Computer (level 1)") == 2
    assert "(3/4)" in shown
    client.post(reverse("games:send_computer_away", args=[made.pk]))
    assert "(2/4)" in page(client, "challenge", made.pk)
    assert of(bob).post(reverse("games:add_computer", args=[made.pk]), told).status_code == 404
    challenge.accept_challenge(challenge_id=made.pk, player=bob)
    begun = client.post(reverse("games:add_computer", args=[made.pk]), told)
    game = Game.objects.get()
    assert begun["Location"] == reverse("games:game", args=[game.pk])
    assert sorted((seat.engine or 0) for seat in game.seat_set.all()) == [0, 0, 1, 1]
    assert not list(check.disagreements(registry.get("rainbow"), game))
    moves.resign(game=game.pk, seat=game.seat_set.get(player=bob).number, via="web", key=uuid4().hex)
    assert set(Letter.objects.filter(kind__in=("turn", "over")).values_list("recipient", flat=True)) <= {alice.pk, bob.pk}


def test_the_lot_of_a_table_with_computers_can_be_checked(alice: Player) -> None:
    game = ComputerGameFactory.create(player=alice, ruleset="rainbow", level=1)
    moves.resign(game=game.pk, seat=game.seat_set.get(player=alice).number, via="web", key=uuid4().hex)
    think(game)
    game.refresh_from_db()
    assert (game.termination, game.plies) == ("agreement", 0), "nobody wants to see computers play on among themselves"
    assert "The seats are as the lot of the seed has them." in page(of(alice), "luck", game.pk)


def test_the_desk_and_the_record_name_computers(alice: Player, game: Game) -> None:
    moves.resign(game=game.pk, seat=0, via="web", key=uuid4().hex)
    assert '[North "Computer, level 2"]' in page(of(alice), "record", game.pk)
    assert _seated(game, game.seat_set.get(number=1)) == "Computer, level 2 (North)"


def test_where_no_computer_sits_none_is_said_to_have_left(alice: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, ruleset="rainbow", seats=4)
    client = of(alice)
    client.post(reverse("games:add_computer", args=[made.pk]), {"level": "1"})
    gone = reverse("games:send_computer_away", args=[made.pk])
    assert "The computer has left its seat." in client.post(gone, follow=True).content.decode()
    assert "The computer has left its seat." not in client.post(gone, follow=True).content.decode()


@pytest.mark.parametrize(
    ("ruleset", "terms"),
    [
        ("bridgit", {"options": {"n": 8, "swap": False}, "reflection": timedelta(days=7), "public": True}),
        ("rainbow", {"seats": 3}),
    ],
)
def test_who_plays_again_plays_the_same_with_seats_exchanged(alice: Player, ruleset: str, terms: dict[str, Any]) -> None:
    game = ComputerGameFactory.create(player=alice, ruleset=ruleset, level=4, **terms)
    assert not game.seat_set.get(player=alice).number or ruleset == "rainbow"
    moves.resign(game=game.pk, seat=game.seat_set.get(player=alice).number, via="web", key="r")
    think(game)
    shown = page(of(alice), "game", game.pk).partition(f'action="{reverse("games:computer")}"')[2].partition("</form>")[0]
    assert "Play again" in shown
    of(alice).post(reverse("games:computer"), dict(re.findall(r'name="(\w+)" value="([^"]*)"', shown)))
    again = Game.objects.latest("pk")
    assert again != game
    for same in ("ruleset", "options", "seats", "reflection", "public"):
        assert getattr(again, same) == getattr(game, same), same
    assert set(again.seat_set.exclude(player=alice).values_list("engine", flat=True)) == {4}
    assert again.seat_set.get(player=alice).number or ruleset == "rainbow"


def test_a_game_whose_rules_are_gone_is_not_played_again(alice: Player, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(ruleset="gone")
    answer = of(alice).post(reverse("games:computer"), {"game": "mangala", "level": 2, "key": "k", "again": game.pk})
    assert answer.status_code == 400
    assert "There is no such game." in answer.content.decode()


def test_nobody_has_the_terms_of_games_that_others_played(alice: Player, bob: Player) -> None:
    game = ComputerGameFactory.create(player=alice, ruleset="bridgit", options={"n": 8, "swap": False})
    sent = {"game": "bridgit", "level": 2, "key": "k"}
    assert of(bob).post(reverse("games:computer"), {**sent, "again": game.pk}).status_code == 302
    assert Game.objects.latest("pk").options["n"] != 8
    for odd in ("0", "-1", "x", "9" * 30):
        assert of(bob).post(reverse("games:computer"), {**sent, "again": odd}).status_code == 400
