"""Larger tables: who leaves, who is silent, who agrees, who wins; and two minutes a turn."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine

from accounts.models import Player
from games import selectors
from games.models import Game
from games.rules import registry
from games.services import adjudicate, check, moves, proposals, reflection
from games.services.errors import GamePaused, NotAllowed, ProposalClosed
from games.services.reflection import Ticks
from tests.factories import GameFactory, PlayerFactory, PulseFactory, play, players_of
from tests.games.postbag import sent, text
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db

SILENT = 3


@pytest.fixture
def table() -> Game:
    """A game of Rainbow for four."""
    game: Game = GameFactory.create(players=PlayerFactory.create_batch(4), ruleset="rainbow")
    return game


def player(game: Game, seat: int) -> Player:
    return players_of(game)[seat]


def a_move(game: Game) -> None:
    """Whoever is to move does what is possible: a pass where it is, else the first thing."""
    game.refresh_from_db()
    ruleset = registry.get(game.ruleset)
    possible = list(ruleset.legal_moves(ruleset.load(game.position)))
    play(game, next((move for move in ("pass", "refuse") if move in possible), possible[0]))
    game.refresh_from_db()


def out_of_time(game: Game) -> None:
    game.refresh_from_db()
    assert game.deadline is not None
    assert reflection.run_out(game_id=game.pk, now=game.deadline + timedelta(seconds=1))
    game.refresh_from_db()


def silence(game: Game, seat: int, times: int = SILENT) -> None:
    """The seat lets its time run out so often, while the others move."""
    with time_machine.travel(game.created_at, tick=False) as clock:
        while times:
            game.refresh_from_db()
            assert game.deadline is not None
            if game.to_move == seat:
                out_of_time(game)
                times -= 1
                clock.move_to(game.entries.order_by("-number").first().at)  # type: ignore[union-attr]
            else:
                a_move(game)


def offers(game: Game, seat: int) -> dict[str, str]:
    shown = selectors.game_page(game.pk, player(game, seat))
    assert shown is not None
    return dict(shown.may_propose)


def test_D8_any_of_them_may_run_out_of_time_and_each_costs_their_own_turn_only(table: Game) -> None:
    assert table.to_move is not None
    first = table.to_move
    for turn in range(4):
        assert table.to_move == (first + turn) % 4
        out_of_time(table)
    assert table.ended_at is None
    assert table.to_move == first
    assert list(check.differences()) == [(table.pk, [])]


def test_who_was_silent_for_three_turns_is_removed_when_all_others_agree(table: Game) -> None:
    silence(table, 1, SILENT - 1)
    assert "remove 1" not in offers(table, 0)
    silence(table, 1, 1)
    assert "remove 1" in offers(table, 0)
    assert "remove 1" not in offers(table, 1)
    with time_machine.travel(table.entries.last().at, tick=False):  # type: ignore[union-attr]
        proposals.propose(game=table.pk, seat=0, kind="remove 1", via="web", key="a")
        table.refresh_from_db()
        asked = table.head
        with pytest.raises(NotAllowed):
            proposals.agree(game=table.pk, seat=1, number=asked, via="web", key="b")
        proposals.agree(game=table.pk, seat=2, number=asked, via="web", key="c")
        table.refresh_from_db()
        assert 1 not in table.standing["left"]
        proposals.agree(game=table.pk, seat=3, number=asked, via="web", key="d")
        table.refresh_from_db()
        told = [text(one) for one in sent() if one["To"] == player(table, 1).email]
    assert table.standing["left"] == [1]
    assert table.ended_at is None
    assert list(check.differences()) == [(table.pk, [])]
    assert "is removed from the game" in page(of(player(table, 0)), "game", table.pk)
    assert "the others go on without you" in " ".join(told[-1].split())


def test_a_table_may_agree_to_go_on_without_somebody_who_is_suspended(table: Game) -> None:
    assert table.deadline is not None
    began = table.deadline - timedelta(seconds=table.reflection)
    with time_machine.travel(began + timedelta(hours=1), tick=False) as clock:
        adjudicate.pause_games(player=player(table, 1))
        assert set(offers(table, 0)) == {"remove 1"}
        assert not offers(table, 1)
        assert "Or all the others agree to go on without." in page(of(player(table, 0)), "game", table.pk)
        with pytest.raises(GamePaused):
            proposals.propose(game=table.pk, seat=0, kind="draw", via="web", key="a")
        proposals.propose(game=table.pk, seat=0, kind="remove 1", via="web", key="b")
        table.refresh_from_db()
        asked = table.head
        clock.shift(timedelta(days=9))
        for seat in (2, 3):
            shown = selectors.game_page(table.pk, player(table, seat))
            assert shown is not None
            assert [one.to_answer for one in shown.proposed] == [True]
            proposals.agree(game=table.pk, seat=seat, number=asked, via="web", key=f"c{seat}")
            table.refresh_from_db()
        assert table.standing["left"] == [1]
        assert table.deadline is not None, "time runs again"
        assert list(check.differences()) == [(table.pk, [])]
        a_move(table)


def test_nobody_goes_on_without_somebody_who_may_play_again(table: Game) -> None:
    adjudicate.pause_games(player=player(table, 1))
    proposals.propose(game=table.pk, seat=0, kind="remove 1", via="web", key="a")
    table.refresh_from_db()
    adjudicate.resume_games(player=player(table, 1))
    with pytest.raises(ProposalClosed):
        proposals.agree(game=table.pk, seat=2, number=table.head, via="web", key="b")
    assert "remove 1" not in offers(table, 0)
    assert list(check.differences()) == [(table.pk, [])]


def test_who_may_not_play_either_is_not_asked_and_asks_nobody(table: Game) -> None:
    for seat in (1, 2):
        adjudicate.pause_games(player=player(table, seat))
    with pytest.raises(NotAllowed):
        proposals.propose(game=table.pk, seat=2, kind="remove 1", via="web", key="a")
    proposals.propose(game=table.pk, seat=0, kind="remove 1", via="web", key="b")
    table.refresh_from_db()
    asked = table.head
    with pytest.raises(GamePaused):
        proposals.agree(game=table.pk, seat=2, number=asked, via="web", key="c")
    proposals.agree(game=table.pk, seat=3, number=asked, via="web", key="d")
    table.refresh_from_db()
    assert (table.standing["left"], table.standing["paused"], table.deadline) == ([1], [2], None)


def test_of_two_nobody_goes_on_without_the_other_in_a_pause() -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(2), ruleset="rainbow")
    adjudicate.pause_games(player=player(game, 1))
    assert not offers(game, 0)
    with pytest.raises(GamePaused):
        proposals.propose(game=game.pk, seat=0, kind="remove 1", via="web", key="a")


def test_a_table_at_which_everybody_is_silent_for_three_turns_is_annulled_and_says_so(table: Game) -> None:
    for _turn in range(4 * SILENT - 1):
        out_of_time(table)
    assert table.ended_at is None
    sent()
    out_of_time(table)
    assert (table.termination, table.result) == ("abandoned", "*")
    assert list(check.differences()) == [(table.pk, [])]
    told = re.sub(r"<[^>]+>", "", page(of(player(table, 0)), "game", table.pk))
    assert "The service: annulled the game: nobody plays any more" in " ".join(told.split()), " ".join(told.split())[600:2200]
    assert [one["To"] for one in sent()].count(player(table, 0).email) == 1


def test_a_table_goes_on_as_long_as_one_of_them_plays(table: Game) -> None:
    for seat in (0, 1, 2):
        silence(table, seat)
    assert table.ended_at is None


def test_who_acts_again_is_no_longer_silent(table: Game) -> None:
    silence(table, 1)
    with time_machine.travel(table.entries.last().at, tick=False):  # type: ignore[union-attr]
        while table.to_move != 1:
            a_move(table)
        a_move(table)
    assert "remove 1" not in offers(table, 0)


def test_all_may_agree_to_stop_and_one_who_refuses_keeps_the_game_going(table: Game) -> None:
    proposals.propose(game=table.pk, seat=0, kind="stop", via="web", key="a")
    table.refresh_from_db()
    proposals.refuse(game=table.pk, seat=2, number=table.head, via="web", key="b")
    proposals.propose(game=table.pk, seat=3, kind="stop", via="web", key="c")
    table.refresh_from_db()
    asked = table.head
    for seat in (0, 1, 2):
        table.refresh_from_db()
        assert table.ended_at is None
        proposals.agree(game=table.pk, seat=seat, number=asked, via="web", key=f"d{seat}")
    table.refresh_from_db()
    assert table.termination == "agreement"


def test_who_resigns_leaves_a_game_that_goes_on_and_the_next_letters_say_so(table: Game) -> None:
    assert table.to_move is not None
    first = table.to_move
    sent()
    moves.resign(game=table.pk, seat=first, via="web", key="a")
    table.refresh_from_db()
    assert table.ended_at is None
    assert table.to_move == (first + 1) % 4
    [letter] = sent()
    assert letter["To"] == player(table, table.to_move).email
    assert f"{player(table, first)}: resigned." in text(letter)
    assert moves.resign(game=table.pk, seat=first, via="web", key="b").same


def test_nobody_calls_off_a_game_of_many_alone(table: Game) -> None:
    assert "Call the game off" not in page(of(player(table, 0)), "game", table.pk)
    assert "Nobody calls off a game of so many alone" in press(of(player(table, 0)), "abort", table, status=403, sure="1")
    table.refresh_from_db()
    assert table.ended_at is None


def test_the_last_one_left_has_won_and_each_other_has_lost(table: Game) -> None:
    for seat in (0, 3, 1):
        moves.resign(game=table.pk, seat=seat, via="web", key=uuid4().hex)
    table.refresh_from_db()
    assert table.ended_at is not None
    assert [seat.points for seat in table.seat_set.all()] == [0, 0, 2, 0]
    shown = {seat: selectors.player_page(player(table, seat).pk, None) for seat in (2, 3)}
    assert shown[2] is not None
    assert shown[3] is not None
    assert [(one.won, one.drawn, one.lost) for one in shown[2].totals] == [(1, 0, 0)]
    assert [(one.won, one.drawn, one.lost) for one in shown[3].totals] == [(0, 0, 1)]


@pytest.mark.parametrize("phase", [0.0, 0.01, 0.37, 0.5, 0.99])
def test_at_two_minutes_a_turn_the_sweep_acts_within_two_seconds(phase: float) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="rainbow", reflection=timedelta(minutes=2))
    assert game.deadline is not None
    memory, acted = Ticks(), None
    for tick in range(-3, 4):
        late = tick + phase
        now = game.deadline + timedelta(seconds=late)
        PulseFactory.create(at=now)
        if reflection.sweep(now=now, monotonic=1000.0 + late, memory=memory):
            acted = late
            break
    assert acted is not None
    assert 0 <= acted <= 2
    assert game.entries.filter(kind="timeout").count() == 1


def test_at_two_minutes_a_turn_pages_ask_every_two_seconds_and_see_the_time_out(table: Game) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(2), ruleset="rainbow", reflection=timedelta(minutes=2))
    client = of(player(game, 0))
    first = client.get(f"/games/{game.pk}/")
    assert 'data-every="2"' in first.content.decode()
    assert client.get(f"/games/{game.pk}/", headers={"If-None-Match": first["ETag"]}).status_code == 304
    out_of_time(game)
    again = client.get(f"/games/{game.pk}/", headers={"If-None-Match": first["ETag"], "HX-Request": "true"})
    assert again.status_code == 200
    assert "time ran out" in again.content.decode()
