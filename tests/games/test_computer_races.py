"""Computers and guests in real processes: whatever comes at once with a thought, there is one outcome and the log agrees."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Analysis, Game, LogEntry
from games.services import analysis, moves, proposals
from tests.factories import (
    ComputerGameFactory,
    GameFactory,
    GuestGameFactory,
    ModeratorFactory,
    PlayerFactory,
    play,
)
from tests.games.races import RUNS, Racers, agreed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.locking]

FEW = RUNS // 8


def asked() -> Game:
    """A game in which a computer is to move."""
    game: Game = ComputerGameFactory.create(ruleset="bridgit", options={"n": 3}, level=1)
    play(game, "b2")
    game.refresh_from_db()
    assert game.engine_asked_at is not None
    return game


def think(game: Game) -> dict[str, object]:
    return {"do": "think", "game": game.pk}


def moves_of(game: Game) -> list[int | None]:
    return list(game.entries.filter(kind="move").order_by("number").values_list("seat", flat=True))


def test_four_workers_who_think_of_one_move_play_it_once(racers: Racers) -> None:
    for _ in range(FEW):
        game = asked()
        told = racers.race(*[think(game)] * 4)
        assert set(told) <= {"done", "nothing"}
        assert "done" in told
        assert moves_of(game) == [0, 1]
    assert agreed()


def test_a_thought_against_a_resignation_has_one_outcome(racers: Racers) -> None:
    for run in range(FEW):
        game = asked()
        told = racers.race(think(game), {"do": "resign", "game": game.pk, "seat": 0, "key": f"r{run}"})
        assert told[0] in ("done", "nothing")
        assert told[1] == "done"
        game.refresh_from_db()
        assert (game.result, game.engine_asked_at) == ("0-1", None)
        assert moves_of(game) == ([0, 1] if told[0] == "done" else [0])
    assert agreed()


def test_C8_a_thought_against_an_adjudication_has_one_outcome(racers: Racers) -> None:
    moderator = ModeratorFactory.create()
    for run in range(FEW):
        game = asked()
        ruling = {"do": "adjudicate", "game": game.pk, "by": moderator.pk, "verdict": "draw", "head": game.head, "key": f"a{run}"}
        told = racers.race(think(game), ruling)
        assert told in (["done", "StalePosition"], ["nothing", "done"])
        game.refresh_from_db()
        assert (game.ended_at is None) == (told[0] == "done")
    assert agreed()


def test_a_suspension_against_a_thought_pauses_the_game_before_or_after_it(racers: Racers) -> None:
    for _ in range(FEW):
        game = asked()
        pause = {"do": "pause", "player": game.seat_set.get(number=0).player_id}
        told = racers.race(think(game), pause, think(game))
        assert told[1] == "done"
        game.refresh_from_db()
        assert (game.standing["paused"], game.engine_asked_at, game.deadline) == ([0], None, None)
        assert moves_of(game) == ([0, 1] if "done" in (told[0], told[2]) else [0])
    assert agreed()


def test_a_takeback_that_a_computer_agrees_to_four_times_at_once_is_one(racers: Racers) -> None:
    for run in range(FEW):
        game = asked()
        proposals.propose(game=game.pk, seat=0, kind="takeback", via="web", key=f"t{run}")
        told = racers.race(*[think(game)] * 4)
        assert set(told) <= {"done", "nothing"}
        assert game.entries.filter(kind="agree").count() == 1
        game.refresh_from_db()
        assert (game.to_move, game.engine_asked_at) == (0, None)
    assert agreed()


def test_two_browsers_that_claim_a_guests_game_at_once_share_no_seat(racers: Racers) -> None:
    for _ in range(FEW):
        game: Any = GuestGameFactory.create(ruleset="bridgit", level=1)
        players = PlayerFactory.create_batch(2)
        claims = [{"do": "claim", "game": game.pk, "player": one.pk, "key": game.key} for one in (*players, players[0])]
        told = racers.race(*claims)
        assert sorted(told) == ["done", "nothing", "nothing"]
        assert game.seat_set.get(number=0).player_id in [one.pk for one in players]
    assert agreed()


def test_two_workers_at_one_analysis_find_everything_once(racers: Racers) -> None:
    for run in range(FEW):
        game = GameFactory.create(ruleset="bridgit", options={"n": 3}, plies="b2 b4 d2")
        moves.resign(game=game.pk, seat=1, via="web", key=f"r{run}")
        analysis.ask(game=game.pk)
        assert racers.race(*[{"do": "analyse", "game": game.pk}] * 4) == ["done"] * 4
        row = Analysis.objects.get(game=game)
        assert row.done_at is not None
        assert len(row.findings) == row.total
    assert not LogEntry.objects.filter(via="engine").exists()
