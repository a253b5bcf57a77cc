"""Search where things are hidden, chance decides or many play, in games so small that the right move is plain."""

from __future__ import annotations

from random import Random

import pytest

from games.engines.budget import ASKED_EVERY, Budget
from games.engines.choice import analyse, choose
from games.engines.finding import CERTAIN
from games.engines.ismcts import InformationSets
from games.rules.evaluation import Guessing
from games.rules.position import CHANCE
from tests.engines.written import Decides, End, Place, Written

NODES = 3_000
WIN, DRAW, LOSS = (1, 0), (0.5, 0.5), (0, 1)
CUPS = ("left", "middle", "right")


def under(cup: str) -> Decides:
    """A pea lies under a cup; whoever would rather not look for it has half the points."""
    return Decides(0, {"seek": Decides(0, {one: WIN if one == cup else LOSS for one in CUPS}), "keep": DRAW})


def wheel(weights: tuple[int, int, int]) -> Decides:
    """A wheel with one field to win at and two to lose at, each as wide as its weight."""
    return Decides(0, {"spin": Decides(CHANCE, {"w": WIN, "x": LOSS, "y": LOSS}, weights), "keep": DRAW})


PEA = Written(*map(under, CUPS))


def chosen(game: Written, seed: int = 1, nodes: int = NODES, way: tuple[str, ...] = ()) -> str:
    return choose(game, game.view(Place(0, way), 0), level=6, budget=Budget(nodes), seed=seed)


def seen_through(node: Decides | End) -> float:
    """What the first seat gets that sees through cups."""
    return max(map(seen_through, node.moves.values())) if isinstance(node, Decides) else node[0]


@pytest.mark.parametrize("seed", range(5))
def test_nobody_hopes_to_find_what_only_who_sees_through_cups_would_find(seed: int) -> None:
    mean = {move: sum(seen_through(under(cup).moves[move]) for cup in CUPS) / len(CUPS) for move in ("seek", "keep")}
    assert max(mean, key=mean.__getitem__) == "seek", "whoever solves each world by itself falls for it"
    assert chosen(PEA, seed) == "keep"


@pytest.mark.parametrize("seed", range(5))
def test_of_moves_that_do_well_in_some_worlds_the_one_is_played_that_does_well_in_most(seed: int) -> None:
    game = Written(under("left"), under("right"), under("right"))
    assert chosen(game, seed, way=("seek",)) == "right"
    assert chosen(game, seed) == "seek"


@pytest.mark.parametrize(("weights", "move"), [((8, 1, 1), "spin"), ((1, 4, 5), "keep"), ((1, 1, 1), "keep")])
def test_what_falls_often_counts_often(weights: tuple[int, int, int], move: str) -> None:
    game = Written(wheel(weights))
    assert {chosen(game, seed) for seed in range(5)} == {move}
    shares = analyse(game, Place(0), budget=Budget(NODES)).shares
    assert shares[0] == pytest.approx(CERTAIN * (weights[0] / sum(weights) if move == "spin" else 0.5), abs=60)


class Fond(Guessing[Place]):
    """Likes what is written first."""

    def reply(self, position: Place, random: Random, blur: int) -> str:
        return next(iter(self.ruleset.legal_moves(position)))

    def hopes(self, position: Place) -> tuple[int, ...]:
        return (500, 500)


@pytest.mark.parametrize(
    ("weights", "nodes", "move"), [((1, 4, 5), 10, "spin"), ((1, 4, 5), 1_000, "keep"), ((9, 5, 5), 200, "spin")]
)
def test_what_a_game_likes_is_left_only_for_what_is_better_beyond_doubt(
    weights: tuple[int, int, int], nodes: int, move: str
) -> None:
    game = Written(wheel(weights))
    search = InformationSets(game, Fond(game), lambda _luck: Place(0), Budget(nodes), Random(1))
    assert search.rank(Place(0), ["spin", "keep"], 0).best.move == move


def test_others_play_for_themselves_and_against_nobody() -> None:
    bob = Decides(1, {"spite alice": (0, 0, 1), "share": (0.6, 0.4, 0)})
    charlie = Decides(2, {"spare alice": (1, 0, 0), "take all": (0, 0, 1)})
    game = Written(Decides(0, {"trust charlie": charlie, "trust bob": bob, "trust nobody": (0.4, 0.3, 0.3)}))
    assert chosen(game) == "trust bob"
    finding = analyse(game, Place(0), budget=Budget(NODES))
    assert finding.best == ("trust bob", "share")
    assert finding.shares == pytest.approx((600, 400, 0), abs=60)
    assert not finding.exact


def test_a_move_that_few_worlds_have_is_made_wherever_it_is_there() -> None:
    """In one house of four there is a back door, by which bob gladly lets alice in."""
    wait, stay = (0.4, 0.6), (0.5, 0.5)
    closed = Decides(0, {"go in": Decides(1, {"wait": wait}), "stay": stay})
    back_door = Decides(0, {"go in": Decides(1, {"wait": wait, "open": (1, 1)}), "stay": stay})
    assert chosen(Written(closed, closed, closed, back_door)) == "go in"
    assert chosen(Written(*[closed] * 9, back_door)) == "stay"


@pytest.mark.parametrize("nodes", [1, 2, 7, 500])
def test_it_keeps_to_its_nodes_and_does_the_same_again(nodes: int) -> None:
    first = analyse(PEA, Place(1), budget=Budget(nodes), seed=3)
    assert first.nodes <= nodes
    assert analyse(PEA, Place(1), budget=Budget(nodes), seed=3) == first
    assert chosen(PEA, nodes=nodes) == chosen(PEA, nodes=nodes)


def test_the_time_is_asked_for_seldom() -> None:
    asked = []

    def expired() -> bool:
        asked.append(True)
        return len(asked) == 3

    finding = analyse(PEA, Place(0), budget=Budget(10**9, expired))
    assert finding.nodes == 3 * ASKED_EVERY


def test_an_analysis_knows_where_the_pea_lies() -> None:
    for world, cup in enumerate(CUPS):
        finding = analyse(PEA, Place(world), budget=Budget(NODES))
        assert finding.best == ("seek", cup)
        assert finding.shares[0] > CERTAIN * 3 / 4


def test_worlds_are_drawn_by_the_seed_alone() -> None:
    view = PEA.view(Place(2), 0)
    assert {PEA.imagine(view, Random(luck)).world for luck in range(20)} == {0, 1, 2}
    assert len({choose(PEA, PEA.view(Place(world), 0), level=6, budget=Budget(40), seed=8) for world in range(3)}) == 1
