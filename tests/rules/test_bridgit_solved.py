"""Perfect play of Bridg-It: against every line on small boards, against hard opponents on large ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from games.engines.budget import Budget, never
from games.engines.choice import choose
from games.rules.catalogue.bridgit import RULESET, play
from games.rules.catalogue.bridgit.evaluation import EVALUATION, shortest, winning
from games.rules.catalogue.bridgit.net import Net
from games.rules.catalogue.bridgit.notation import SWAP, written
from games.rules.catalogue.bridgit.play import BridgitPosition, Point


@cache
def wins(position: BridgitPosition) -> bool:
    """Whether the seat to move wins, by looking at every line."""
    after = (play.draw(position, middle) for middle in play.free(position))
    return any(one.over or not wins(one) for one in after)


def reachable(position: BridgitPosition) -> Iterator[BridgitPosition]:
    known, waiting = {position}, [position]
    while waiting:
        one = waiting.pop()
        yield one
        new = {after for after in (play.draw(one, middle) for middle in play.free(one)) if not after.over} - known
        known |= new
        waiting += new


def late(size: int, free: int, games: int) -> Iterator[BridgitPosition]:
    """Positions of random games in which so many middles are left to the mover at most."""
    random = Random(size)
    for _ in range(games):
        position = play.start(size, swap=False)
        while not position.over:
            if len(list(play.free(position))) <= free:
                yield position
            position = play.draw(position, random.choice(list(play.free(position))))


def assert_right(position: BridgitPosition) -> None:
    middle = winning(position)
    assert (middle is not None) is wins(position)
    if middle is not None:
        after = play.draw(position, middle)
        assert after.over or not wins(after)


def test_every_position_of_the_smallest_boards_is_judged_as_looking_at_every_line_does() -> None:
    for size in (1, 2):
        for position in reachable(play.start(size, swap=False)):
            assert_right(position)


@cache
def wins_with_swap(position: BridgitPosition) -> bool:
    """The same by the ruleset, which knows of the swap."""
    after = [RULESET.play(position, move) for move in RULESET.legal_moves(position)]
    return any(one.over or not wins_with_swap(one) for one in after)


@pytest.mark.parametrize("size", [1, 2])
def test_with_the_swap_too_the_smallest_boards_are_judged_as_looking_at_every_line_does(size: int) -> None:
    start = RULESET.start({"n": size, "swap": True}, 2)
    seconds = [RULESET.play(start, move) for move in RULESET.legal_moves(start)]
    thirds = [RULESET.play(one, move) for one in seconds if not one.over for move in RULESET.legal_moves(one)]
    for position in [start, *seconds, *thirds]:
        if not position.over:
            solved = EVALUATION.solve(position, 1, never)
            assert solved is not None
            assert (solved.value > 0) is wins_with_swap(position)
            after = RULESET.play(position, solved.best[0])
            assert solved.value < 0 or after.over or not wins_with_swap(after)


def test_who_has_lost_sets_problems() -> None:
    """After no line on somebody's way is it harder to find an answer that keeps the game won; after some it is easier."""
    harder = 0
    for position in late(3, 9, 20):
        solved = EVALUATION.solve(position, 1, never)
        assert solved is not None
        if solved.value > 0:
            continue
        keep = {written(middle): right_answers(position, middle) for middle in play.free(position)}
        likely = [written(middle) for middle in play.free(position) if middle in ways(position)]
        assert keep[solved.best[0]] == min(keep[move] for move in likely)
        harder += keep[solved.best[0]] < max(keep[move] for move in likely)
    assert harder


def right_answers(position: BridgitPosition, middle: Point) -> float:
    """The part of all answers that keeps the game won."""
    after = play.draw(position, middle)
    answers = [play.draw(after, answer) for answer in play.free(after)]
    return sum(one.over or winning(one) is None for one in answers) / len(answers)


def ways(position: BridgitPosition) -> set[Point]:
    """The middles on shortest ways of either seat."""
    return {middle for seat in (0, 1) for middle in shortest(Net(position, seat)).through}


def test_late_positions_of_a_board_of_three_are_judged_as_looking_at_every_line_does() -> None:
    for position in late(3, 6, 60):
        assert_right(position)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_all_positions_of_a_board_of_three_within_nine_lines_of_the_end_are_judged_rightly() -> None:
    for position in late(3, 10, 400):
        assert_right(position)


def random_line(position: BridgitPosition, random: Random) -> Point:
    return random.choice(list(play.free(position)))


def nearest_line(position: BridgitPosition, random: Random) -> Point:
    """The line that is on most of the shortest ways of both."""
    weights: dict[Point, float] = {}
    for seat in (0, 1):
        ways = shortest(Net(position, seat))
        for middle, many in ways.through.items():
            weights[middle] = weights.get(middle, 0) + many / ways.many + random.random() / 4
    return max((one for one in play.free(position) if one in weights), key=weights.__getitem__, default=next(play.free(position)))


@pytest.mark.parametrize("size", [2, 3, 5, 8, 12])
@pytest.mark.parametrize("opponent", [random_line, nearest_line])
def test_who_begins_without_swap_never_loses(size: int, opponent: object) -> None:
    random = Random(size)
    for _game in range(3 if size < 12 else 1):
        position = play.start(size, swap=False)
        while not position.over:
            if position.mover == 0:
                middle = winning(position)
                assert middle is not None
            else:
                middle = opponent(position, random)  # type: ignore[operator]
            position = play.draw(position, middle)
        assert position.mover == 0


@pytest.mark.parametrize("size", [2, 3, 4])
def test_with_the_swap_the_second_player_wins_whatever_the_first_line(size: int) -> None:
    random = Random(size)
    start = play.start(size, swap=True)
    for first in play.free(start):
        position = play.draw(start, first)
        while not position.over:
            if position.mover == 1:
                move = choose(RULESET, RULESET.view(position, 1), level=6, budget=Budget(50), seed=1)
                position = RULESET.play(position, move)
            else:
                position = play.draw(position, nearest_line(position, random))
        assert position.mover == 1


def test_the_truth_about_the_start_is_told() -> None:
    alone = EVALUATION.solve(play.start(5, swap=False), 1, never)
    swapping = EVALUATION.solve(play.start(5, swap=True), 1, never)
    assert alone is not None
    assert swapping is not None
    assert alone.value > 0 > swapping.value
    assert alone.best
    assert swapping.best


def test_a_good_first_line_is_taken_over_and_a_useless_one_is_left() -> None:
    start = play.start(4, swap=True)
    taken = EVALUATION.solve(play.draw(start, (3, 3)), 1, never)
    left = EVALUATION.solve(play.draw(start, (1, 1)), 1, never)
    assert taken is not None
    assert left is not None
    assert taken.best == (SWAP,)
    assert taken.value > 0 < left.value


def test_a_board_that_is_too_large_is_played_without_the_truth() -> None:
    position = play.start(31, swap=False)
    assert EVALUATION.solve(position, 1, never) is None
    assert choose(RULESET, RULESET.view(position, 0), level=1, budget=Budget(5), seed=1) in map(written, play.free(position))
