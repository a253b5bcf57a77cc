"""Endgame tables in play: what they prove is reached, and what repetition may take away is not called exact."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from games.engines import choice
from games.engines.budget import Budget
from games.rules import registry
from games.rules.catalogue.oware.play import OwarePosition
from tests.engines.boards import GAMES, NAMES, evaluation
from tests.engines.test_endgames import TooFar, played_out, spread, table_of, value_in

STONES = 4
OWARE = registry.get("oware")
CIRCLE = "2533445566211223345546615261132233445566213243541"
"""Moves without a capture from the board of the test on."""

TWICE = 40
"""From this move on boards have stood twice, and games are short: what comes again ends them."""

oware_games = pytest.mark.parametrize("options", [options for _, options in GAMES[2:]], ids=NAMES[2:])


class InMemory:
    """Tables up to STONES."""

    def of(self, variant: int) -> tuple[Any, int]:
        return values(variant), STONES


@cache
def values(variant: int) -> Any:
    return table_of(variant, STONES)


def endgame(pits: tuple[int, ...], options: dict[str, str], behind: int = 0) -> Any:
    """These stones on the board, South to move, whose store has about so many less."""
    stored = 48 - sum(pits)
    south = (stored - behind + 1) // 2
    board = {"south_pits": list(pits[:6]), "north_pits": list(pits[6:]), "south_store": south, "north_store": stored - south}
    return OWARE.load({**board, "turn": "S", **options})


def lead(position: OwarePosition) -> int:
    """By how many half stones the seat to move is ahead."""
    south, north = OWARE.scores(position)
    return int(2 * (south - north)) * (-1 if position.mover else 1)


def proven(position: OwarePosition) -> int:
    """By how many stones the seat to move ends ahead, by the tables."""
    return lead(position) // 2 + value_in(values(evaluation("oware").variant(position)), "oware", position)


def stubborn(position: OwarePosition, random: Random) -> str:
    """One of the moves that lose least."""
    promised = {}
    for move in OWARE.legal_moves(position):
        after = OWARE.play(position, move)
        # Whoever made the last move stays the mover of a game that is over.
        promised[move] = lead(after) // 2 if after.termination else -proven(after)
    return random.choice([move for move, worth in promised.items() if worth == max(promised.values())])


@oware_games
def test_what_a_table_proves_is_reached_against_any_defence(options: dict[str, str]) -> None:
    """Just enough for a win or for half of the points, and worth nothing if what is left is divided."""
    random, games, boards = Random(7), 0, list(spread(STONES))
    while games < 60:
        pits = random.choice(boards)
        if not any(pits[:6]) or not any(pits[6:]):
            continue
        gain = proven(endgame(pits, options)) - lead(endgame(pits, options)) // 2
        if gain <= 0:
            continue
        position = endgame(pits, options, behind=gain - games % 2)
        promised = proven(position)
        while OWARE.to_move(position) is not None:
            if position.mover == 0:
                view = OWARE.view(position, 0)
                move = choice.choose(OWARE, view, level=6, budget=Budget(4_000), seed=games, tables=InMemory())
            else:
                move = stubborn(position, random)
            position = OWARE.play(position, move)
        south, north = OWARE.scores(position)
        assert (south > north) == (promised > 0), pits
        assert (south < north) == (promised < 0), pits
        games += 1


@oware_games
def test_what_is_called_exact_is_so_although_boards_have_stood_twice(options: dict[str, str]) -> None:
    """Two players go round in a circle without a capture; a table that does not know it promises what is cut off by now."""
    position = endgame((0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0), options, behind=1)
    checked = 0
    for number, move in enumerate(CIRCLE):
        position = OWARE.play(position, move)
        assert not position.termination
        if number < TWICE:
            continue
        try:
            truth = played_out(OWARE, position, -99, 99, [1_000]) * (-1 if position.mover else 1)
        except TooFar:
            continue
        found = choice.analyse(OWARE, position, budget=Budget(20_000), tables=InMemory())
        checked += 1
        if found.exact:
            assert (found.value > 0) == (truth > 0)
            assert (found.value < 0) == (truth < 0)
    assert checked > 2


def test_a_game_that_tables_show_to_be_lost_is_called_so() -> None:
    """Not all lines are looked at to their end, but each of South's moves leads to a board of the tables that loses."""
    position = endgame((0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1), {"grand_slam": "takes_all"}, behind=1)
    found = choice.analyse(OWARE, position, budget=Budget(3_000), tables=InMemory())
    assert (found.shares, found.exact) == ((0, 1000), True)


@pytest.mark.parametrize("name", ["mangala", "oware"])
def test_the_truth_of_tables_is_for_who_has_the_insight(name: str) -> None:
    """A beginner who plays the end of a game without a fault would be none."""
    ruleset, asked = registry.get(name), []

    class Asked(InMemory):
        def of(self, variant: int) -> tuple[Any, int]:
            asked.append(variant)
            return super().of(variant)

    position = ruleset.start({}, 2)
    told: list[int] = []
    for skill in evaluation(name).skills:
        asked.clear()
        for seed in range(100):
            level = len(told) + 1
            choice.choose(ruleset, ruleset.view(position, 0), level=level, budget=Budget(20), seed=seed, tables=Asked())
        assert len(asked) == pytest.approx(skill.insight / 10, abs=15)
        told.append(len(asked))
    assert (told[0], told[-1]) == (0, 100)
    assert told == sorted(told)
    assert told[-2] < 100
