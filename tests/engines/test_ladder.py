"""The ladder of levels, a glance of it in every run and the whole under soak, and Rainbow against players of anything."""

from __future__ import annotations

import pytest

from games.rules import registry
from tests.ladder import GAMES, GOAL, anything, match, opponent, rungs

every_game = pytest.mark.parametrize("name", registry.names())
SIX: dict[str, dict[str, int]] = {"bridgit": {"n": 4}}
"""Options with which six games do not take long."""


@every_game
def test_in_six_games_a_strong_player_beats_a_beginner(name: str) -> None:
    score = match(registry.get(name), opponent(5), opponent(1), 6, options=dict(SIX.get(name, {})))
    assert score.share >= GOAL


@pytest.mark.soak
@pytest.mark.timeout(7200)
@every_game
def test_every_level_beats_the_one_below(name: str) -> None:
    shares = {level: score.share for level, score in rungs(registry.get(name), GAMES)}
    assert {level: share for level, share in shares.items() if share < GOAL} == {}


@pytest.mark.parametrize(("seats", "games", "share"), [(2, 10, 0.8), (5, 10, 0.5), (10, 10, 0.3)])
def test_rainbow_is_won_against_players_of_anything(seats: int, games: int, share: float) -> None:
    score = match(registry.get("rainbow"), opponent(5), anything, games, seats=seats)
    assert score.share >= share


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("seats", "share"), [(2, 0.9), (5, 0.6), (10, 0.4)])
def test_rainbow_is_won_clearly_over_many_games(seats: int, share: float) -> None:
    score = match(registry.get("rainbow"), opponent(6), anything, 100, seats=seats)
    assert score.share >= share
