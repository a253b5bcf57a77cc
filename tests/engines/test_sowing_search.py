"""The search of sowing games: it finds what plain alpha-beta over the rules finds, and says what is exact."""

from __future__ import annotations

from typing import Any

import pytest

from games.engines import choice, sowing
from games.engines.budget import Budget, never
from games.engines.sowing import alphabeta, search
from games.engines.sowing.compiled import ints
from games.rules import registry
from games.rules.evaluation import WON
from tests.engines.boards import GAMES, NAMES, evaluation, wandering
from tests.engines.uncompiled import uncompiled

PLAIN: Any = uncompiled("search")
both = pytest.mark.parametrize("module", [search, PLAIN], ids=["compiled", "uncompiled"])
games = pytest.mark.parametrize("game", GAMES, ids=NAMES)


def whole_width(module: Any) -> Any:
    """The manner of a search that looks neither less deep than it is told nor deeper."""
    words = [0] * (448 * 5 + 16)
    return module.Manner(
        calm=0, reduce=99, extend=1, weights=uncompiled("compiled").ints(words) if module is PLAIN else ints(words)
    )


def begun(module: Any, name: str, position: Any, nodes: int = 1 << 60, **more: Any) -> Any:
    """A search from a position, by the compiled source or as it stands."""
    seat = registry.get(name).to_move(position)
    assert seat is not None
    prepared = sowing.prepare(evaluation(name), position, seat, Budget(nodes), None, search.Memory(10))
    if module is search and not more:
        return prepared
    return module.Search(
        prepared.variant,
        module.Board(*prepared.board),
        earlier=prepared.earlier,
        nodes=nodes,
        expired=more.pop("expired", never),
        memory=module.Memory(more.pop("bits", 12)),
        **more,
    )


def by_the_rules(name: str, position: Any, seat: int, ahead: int, ply: int = 0) -> int:
    """Plain minimax over the ruleset: stones in store, an extra move takes no ply of those to look ahead."""
    ruleset = registry.get(name)
    decides = ruleset.to_move(position)
    if decides is None:
        own, other = ruleset.scores(position)[seat], ruleset.scores(position)[1 - seat]
        return 0 if own == other else WON - ply if own > other else ply - WON
    if ahead <= 0:
        return evaluation(name).value(position, seat)
    values = []
    for move in ruleset.legal_moves(position):
        after = ruleset.play(position, move)
        same = ruleset.to_move(after) == decides
        values.append(by_the_rules(name, after, seat, ahead if same else ahead - 1, ply + 1))
    return max(values) if decides == seat else min(values)


@games
@both
@pytest.mark.parametrize("plies", [6, 40, 70])
def test_every_move_is_worth_what_plain_minimax_says(game: tuple[str, dict[str, str]], module: Any, plies: int) -> None:
    name, options = game
    ruleset = registry.get(name)
    position = wandering(name, options, seed=plies, plies=plies)
    seat = ruleset.to_move(position)
    assert seat is not None
    ahead = 3 if name == "oware" else 2
    found = begun(module, name, position, manner=whole_width(module)).rank(depth=ahead, margin=alphabeta.BEYOND)
    known = {}
    for move in ruleset.legal_moves(position):
        after = ruleset.play(position, move)
        same = ruleset.to_move(after) == seat
        known[int(move) - 1] = by_the_rules(name, after, seat, ahead if same else ahead - 1, 1)
    if found.depth == ahead:
        assert {one.pit: one.value for one in found.moves} == known
    assert known[found.moves[0].pit] == max(known.values())


@games
def test_a_search_that_is_left_again_and_again_finds_the_same(game: tuple[str, dict[str, str]], monkeypatch: Any) -> None:
    name, options = game
    position = wandering(name, options, seed=5, plies=12)
    whole = begun(search, name, position, 20_000, bits=12).rank()
    monkeypatch.setattr(search, "CHUNK", 7)
    pieces = begun(search, name, position, 20_000, bits=12).rank()
    assert pieces == whole
    assert whole.nodes == 20_000


def test_both_ways_to_run_it_find_the_same() -> None:
    for name, options in GAMES[::2]:
        position = wandering(name, options, seed=8, plies=9)
        compiled, plain = (begun(module, name, position, 1_500, bits=12).rank() for module in (search, PLAIN))
        assert [(one.pit, one.value, one.line) for one in plain.moves] == [
            (one.pit, one.value, one.line) for one in compiled.moves
        ]


def test_what_is_over_in_time_is_over_after_the_chunk() -> None:
    asked = []

    def expired() -> bool:
        asked.append(True)
        return len(asked) == 3

    found = begun(search, "oware", wandering("oware", {}, 1, 4), expired=expired).rank()
    assert found.nodes == 3 * search.CHUNK
    assert found.depth >= 2


def test_a_win_within_the_horizon_is_exact_and_a_way_to_it() -> None:
    ruleset = registry.get("mangala")
    board = {
        "south_pits": [0, 0, 0, 0, 2, 1],
        "north_pits": [3, 1, 0, 2, 1, 0],
        "south_store": 23,
        "north_store": 15,
        "turn": "S",
    }
    position = ruleset.load(board)
    found = choice.analyse(ruleset, position, budget=Budget(100_000))
    assert found.exact
    assert found.value >= WON - len(found.best)
    for move in found.best:
        position = ruleset.play(position, move)
    assert ruleset.outcome(position).points[0] == 1  # type: ignore[union-attr]


def test_the_third_time_is_an_end_and_no_claim_rests_on_it() -> None:
    """South is ahead and both go round: a division wins, but it is not called proved."""
    ruleset = registry.get("oware")
    board = {
        "south_pits": [1, 0, 0, 0, 0, 0],
        "north_pits": [1, 0, 0, 0, 0, 0],
        "south_store": 24,
        "north_store": 22,
        "turn": "S",
    }
    position = ruleset.load(board)
    found = choice.analyse(ruleset, position, budget=Budget(200_000))
    assert not found.exact
    assert 0 < found.value < alphabeta.SETTLED


@pytest.mark.parametrize("name", ["mangala", "oware"])
def test_an_opponent_of_each_level_plays_on_whatever_the_seed(name: str) -> None:
    ruleset = registry.get(name)
    position = wandering(name, {}, 3, 10)
    view = ruleset.view(position, ruleset.to_move(position))
    for level in range(1, 6):
        first, again = (choice.choose(ruleset, view, level=level, budget=None, seed=4) for _ in range(2))
        assert first == again
        assert first in list(ruleset.legal_moves(position))
    assert choice.choose(ruleset, view, level=6, budget=Budget(5_000), seed=4) in list(ruleset.legal_moves(position))


@games
def test_the_strongest_level_plays_the_same_where_nothing_can_be_compiled(
    game: tuple[str, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, options = game
    ruleset, position = registry.get(name), wandering(name, options, 3, 12)
    view = ruleset.view(position, ruleset.to_move(position))
    compiled = choice.choose(ruleset, view, level=6, budget=Budget(2_000), seed=4)
    monkeypatch.setattr("games.engines.sowing", uncompiled())
    assert choice.nodes_of(ruleset, 6) == registry.evaluation(name).skills[5].nodes, "no more than it has time for"
    assert choice.choose(ruleset, view, level=6, budget=Budget(2_000), seed=4) == compiled
    asked: list[bool] = []

    def expired() -> bool:
        asked.append(True)
        return True

    assert choice.choose(ruleset, view, level=6, budget=Budget(10**9, expired), seed=4) in list(ruleset.legal_moves(position))
    assert asked


@games
def test_moves_that_were_not_looked_at_any_more_do_not_seem_better(game: tuple[str, dict[str, str]]) -> None:
    name, options = game
    for seed in range(6):
        position = wandering(name, options, seed, plies=10)
        for nodes in (300, 500, 900):
            found = begun(search, name, position, nodes, bits=12).rank(margin=1)
            values = [one.value for one in found.moves]
            assert values[0] == max(values)


@pytest.mark.parametrize(("game", "seed", "plies", "nodes"), [(GAMES[1], 1806, 31, 180), (GAMES[3], 2153, 108, 260)])
def test_a_move_that_loses_is_no_better_than_those_not_looked_at_any_more(
    game: tuple[str, dict[str, str]], seed: int, plies: int, nodes: int
) -> None:
    """The budget ends when the move that was the best turns out to lose; the others are not lost, as a longer look shows."""
    name, options = game
    position = wandering(name, options, seed, plies)
    assert begun(search, name, position, 100_000).rank().moves[0].value > -alphabeta.SETTLED
    found = begun(search, name, position, nodes).rank(margin=1)
    assert min(one.value for one in found.moves) <= -alphabeta.SETTLED
    assert found.moves[0].value > -alphabeta.SETTLED


def test_the_best_line_outlasts_what_is_looked_at_after_it() -> None:
    name, options = GAMES[0]
    for seed in range(30):
        ruleset, position = registry.get(name), wandering(name, options, seed, plies=10)
        if ruleset.to_move(position) is None:
            continue
        found = begun(search, name, position, 20_000, bits=8).rank()
        line = found.moves[0].line
        for pit in line:
            position = ruleset.play(position, str(pit + 1))
        assert len(line) > 1 or ruleset.to_move(position) is None


@pytest.mark.parametrize("earlier", ["", "6 6 1 1 2 2 3 3 4 4 5 5"])
def test_the_best_line_ends_where_the_game_does(earlier: str) -> None:
    """Two lone stones go round: the third time the same boards come, it is over."""
    ruleset = registry.get("oware")
    board = {
        "south_pits": [0, 0, 0, 0, 0, 1],
        "north_pits": [0, 0, 0, 0, 0, 1],
        "south_store": 22,
        "north_store": 24,
        "turn": "N",
    }
    position = ruleset.load(board)
    for move in earlier.split():
        position = ruleset.play(position, move)
    line = choice.analyse(ruleset, position, budget=Budget(20_000)).best
    assert line
    for move in line:
        position = ruleset.play(position, move)
