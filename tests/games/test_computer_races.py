"""Computers, guests and analyses with two at once, in real processes: one outcome, and the log agrees."""

from __future__ import annotations

import signal
from collections import Counter
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from games.models import Analysis, Game, Seat, Thought
from games.services import analysis, engine
from tests.factories import ComputerGameFactory, GameFactory, GuestGameFactory, ModeratorFactory, PlayerFactory, played_out
from tests.games.races import RUNS, Racers, agreed
from tests.games.test_computers import play_until_turn_of_the_computer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.locking]


def thinking() -> Game:
    """A game in which the computer is to move."""
    game: Game = ComputerGameFactory.create(ruleset="bridgit", level=1)
    play_until_turn_of_the_computer(game)
    return game


def test_four_workers_that_are_asked_for_one_move_play_it_once(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = thinking()
        think = {"do": "think", "game": game.pk}
        assert Counter(racers.race(think, think, think, think)) == {"done": 1, "nothing": 3}
        assert game.entries.filter(kind="move", seat=1).count() == 1
        assert Thought.objects.get(game=game).tries <= 1, "nobody was killed"
    assert agreed()


def test_a_computers_move_against_an_end_has_one_outcome(racers: Racers) -> None:
    moderator = ModeratorFactory.create()
    for run in range(RUNS):
        game = thinking()
        end = {"do": "resign", "game": game.pk, "seat": 0, "key": "r"}
        if run % 2:
            rule = {"verdict": "draw", "head": game.head, "key": uuid4().hex}
            end = {"do": "adjudicate", "game": game.pk, "by": moderator.pk, **rule}
        thought, ended = racers.race({"do": "think", "game": game.pk}, end)
        game.refresh_from_db()
        moved = game.entries.filter(kind="move", seat=1).exists()
        assert thought == ("done" if moved else "nothing")
        if run % 2:
            assert (ended, game.ended_at is None) in (("done", False), ("StalePosition", True))
        else:
            assert (ended, game.termination) == ("done", "resignation")
    assert agreed()


def test_a_computers_move_against_a_pause_or_a_takeback_has_one_outcome(racers: Racers) -> None:
    for run in range(RUNS // 2):
        game = thinking()
        player = Seat.objects.get(game=game, number=0).player_id
        ask = {"do": "propose", "game": game.pk, "seat": 0, "kind": "takeback", "key": "p"}
        other = ask if run % 2 else {"do": "pause", "player": player}
        thought, asked = racers.race({"do": "think", "game": game.pk}, other)
        assert thought in ("done", "nothing")
        assert asked == "done"
        game.refresh_from_db()
        assert (game.engine_asked_at is None) or run % 2
    assert agreed()


def test_a_guests_game_is_claimed_once_by_whoever_comes_first(racers: Racers) -> None:
    players = [PlayerFactory.create() for _ in range(2)]
    for _ in range(RUNS // 4):
        game: Any = GuestGameFactory.create()
        claims = [
            {"do": "claim", "game": game.pk, "key": game.key, "player": player.pk} for player in players for _twice in range(2)
        ]
        assert Counter(racers.race(*claims)) == {"done": 1, "nothing": 3}
        assert Seat.objects.get(game=game, number=0).player in players
    assert agreed()


def test_two_who_ask_for_an_analysis_at_once_get_one_and_two_workers_share_it(racers: Racers) -> None:
    for _ in range(RUNS // 8):
        players = [PlayerFactory.create() for _ in range(2)]
        over = played_out(GameFactory.create(players=players, ruleset="bridgit", options={"n": 3}), plies=2)
        ask, work = {"do": "analyse", "game": over.pk}, {"do": "work", "game": over.pk}
        assert racers.race(ask, ask, ask, ask) == ["done"] * 4
        assert racers.race(work, work) == ["done"] * 2
        row = Analysis.objects.get(game=over)
        assert row.done_at is not None
        assert len(row.findings) == row.total
        assert not [one for one in row.findings.values() if one is False], "nobody was killed"


def test_R2_workers_that_are_killed_outright_over_an_analysis_are_counted(racers: Racers) -> None:
    over = played_out(GameFactory.create(ruleset="bridgit", options={"n": 3}), plies=2)
    analysis.ask(game=over.pk)
    for _killed in range(analysis.MOST_TRIES):
        die({"do": "work and die", "game": over.pk})
        assert analysis.ask_again(timezone.now() + analysis.PATIENCE) == 1
    assert racers.race({"do": "work", "game": over.pk}) == ["done"]
    row = Analysis.objects.get()
    assert [one is False for one in row.findings.values()] == [True, False, False]


def test_R2_a_move_that_kills_its_workers_is_played_all_the_same(racers: Racers) -> None:
    game = thinking()
    for _killed in range(engine.MOST_TRIES):
        die({"do": "think and die", "game": game.pk})
        assert racers.race({"do": "think", "game": game.pk}) == ["nothing"], "for all that is known somebody thinks"
        assert engine.ask_again(timezone.now() + engine.PATIENCE) == 1
    assert racers.race({"do": "think", "game": game.pk}) == ["done"]
    assert agreed()


def die(act: dict[str, Any]) -> None:
    """A process that is killed while it acts."""
    doomed = Racers(1)
    assert doomed.race(act) == [""]
    assert doomed.process.wait() == -signal.SIGKILL
    doomed.close()
