"""Alpha-beta against plain looking at everything, where games are short enough for that."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.engines.alphabeta import Search
from games.engines.budget import Budget
from games.engines.choice import analyse
from games.rules import registry
from games.rules.evaluation import WON, Evaluation
from games.rules.position import DRAW, WIN
from games.rules.ruleset import AnyRuleset
from tests.nim import RULESET as NIM
from tests.nim import NimPosition
from tests.rules.boards import MANGALA, board

ENDINGS = [
    "24  0 0 0 0 1 2\n 0 0 0 0 2 1  18",
    "24  1 0 0 1 0 0\n 0 1 0 0 1 1  19",
    "20  0 0 2 0 0 1\n 1 0 0 1 0 2  21",
    "23  0 1 0 0 1 0\n 0 0 1 0 1 1  20",
]


def plain(ruleset: AnyRuleset, position: Any, seat: int, ply: int = 0) -> int:
    """The value to a seat, by looking at every game to its end."""
    decides = ruleset.to_move(position)
    if decides is None:
        outcome = ruleset.outcome(position)
        assert outcome is not None
        points = outcome.points[seat]
        return 0 if points == DRAW else WON - ply if points == WIN else ply - WON
    values = [plain(ruleset, ruleset.play(position, move), seat, ply + 1) for move in ruleset.legal_moves(position)]
    return max(values) if decides == seat else min(values)


@pytest.mark.parametrize("stones", range(1, 13))
def test_a_forced_win_of_nim_is_found_and_the_nearest_one(stones: int) -> None:
    position = NimPosition(stones)
    finding = analyse(NIM, position, budget=Budget(20_000))
    assert finding.exact
    assert (finding.value > 0) is bool(stones % 4)
    assert finding.value == plain(NIM, position, 0)
    if stones % 4:
        assert finding.best[0] == str(stones % 4)


@pytest.mark.parametrize("text", ENDINGS)
def test_extra_moves_keep_the_sign_and_a_win_nearer_is_better(text: str) -> None:
    position = board(text, end="playout")
    search = Search(MANGALA, Evaluation(MANGALA), Budget(200_000))
    ranking = search.rank(position, 0, margin=3 * WON)
    assert ranking.exact
    for one in ranking.moves:
        child = MANGALA.play(position, one.move)
        assert one.value == plain(MANGALA, child, 0, 1)


def test_a_line_of_an_analysis_may_hold_several_plies_of_one_turn() -> None:
    position = board("20  0 0 0 0 0 9\n 0 0 0 0 2 1  16")
    finding = analyse(MANGALA, position, budget=Budget(5_000))
    movers = []
    for move in finding.best:
        movers.append(MANGALA.to_move(position))
        position = MANGALA.play(position, move)
    assert movers[:2] == [0, 0]


def test_a_game_of_which_nothing_is_known_is_played_all_the_same() -> None:
    evaluation = registry.evaluation_of(NIM)
    assert type(evaluation) is Evaluation
    assert evaluation.value(NimPosition(5), 0) == 0
    assert [*evaluation.promising(NimPosition(2))] == ["1", "2"]


def test_moves_that_were_not_looked_at_any_more_do_not_seem_better() -> None:
    """Where the budget ends beyond the first ply, what others seemed to be worth less deep is no reason to prefer them."""
    bridgit = registry.get("bridgit")
    evaluation = registry.evaluation_of(bridgit)
    position = bridgit.start({"n": 4, "swap": False}, 2)
    for seed in range(4):
        position = bridgit.play(position, Random(seed).choice(list(bridgit.legal_moves(position))))
        for nodes in range(45, 200, 7):
            ranking = Search(bridgit, evaluation, Budget(nodes)).rank(position, bridgit.to_move(position) or 0, margin=1)
            assert ranking.best.value == max(one.value for one in ranking.moves), nodes
