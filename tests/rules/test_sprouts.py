"""Sprouts without its drawing: the reference games and counts, what a written move means, what every position keeps."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.catalogue.sprouts import notation, play
from games.rules.catalogue.sprouts.dialects import EmailMatches, ReferenceLines
from games.rules.catalogue.sprouts.enclosure import string
from games.rules.catalogue.sprouts.play import Line, Plan
from games.rules.position import AmbiguousMove, IllegalMove, InvalidNotation
from tests.rules.references import REFERENCE
from tests.rules.sprouts_solver import first_player_wins

LINES = [json.loads(line) for line in (REFERENCE / "sprouts.jsonl").read_text().splitlines()]
EMAIL = [line for line in (REFERENCE / "sprouts_email_game.txt").read_text().splitlines() if not line.startswith("#")]

seeds = st.integers(0, 10**9)


def spots(n: int) -> Plan:
    return play.start(n, misere=False)


def after(n: int, *moves: str) -> Plan:
    plan = spots(n)
    for move in moves:
        plan = play.draw(plan, notation.read(plan, move))
    return plan


def any_line(plan: Plan, random: Random) -> Line:
    """A line by chance, found without looking at all of them."""
    course = random.choice(list(play.courses(plan)))
    return course._replace(near=tuple(walk for walk in course.others if random.random() < 0.5)) if course.parts else course


def random_plans(n: int, seed: int) -> list[Plan]:
    """The positions of a random game, to its end."""
    plans, random = [spots(n)], Random(seed)
    while play.has_line(plans[-1]):
        plans.append(play.draw(plans[-1], any_line(plans[-1], random)))
    return plans


def sequences(plan: Plan, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(
        sequences(play.draw(plan, one), depth - 1) for line in play.lines(plan) for _, one in notation.spellings(plan, line)
    )


@pytest.mark.parametrize("game", LINES, ids=lambda game: f"n={game['n']} {game['moves'][0]}")
def test_reference_games_reach_the_positions_that_another_engine_reached(game: dict[str, object]) -> None:
    plan, reached = spots(int(str(game["n"]))), []
    moves, positions = list[str](game["moves"]), list[str](game["positions"])  # type: ignore[call-overload]
    for move in moves:
        line = notation.read(plan, move)
        assert notation.written(plan, line) == move
        plan = play.draw(plan, line)
        reached.append(string(plan))
    assert reached == positions
    assert not play.has_line(plan)
    assert len(play.survivors(plan)) == game["survivors"]


def test_first_lines_are_as_many_as_another_engine_counts() -> None:
    assert [sum(1 for _ in play.lines(spots(n))) for n in range(2, 7)] == [3, 9, 22, 50, 111]


@pytest.mark.parametrize(("n", "counts"), [(2, [3, 19, 98, 372, 360]), (3, [9, 129, 1641]), (4, [22, 582])])
def test_sequences_are_as_many_as_another_engine_counts(n: int, counts: list[int]) -> None:
    assert [sequences(spots(n), depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("n", "depth", "count"), [(3, 4, 18162), (4, 3, 13836), (5, 2, 2215)])
def test_sequences_are_as_many_deep_down(n: int, depth: int, count: int) -> None:
    assert sequences(spots(n), depth) == count


@pytest.mark.parametrize(("n", "wins"), [(1, False), (2, False), (3, True), pytest.param(4, True, marks=pytest.mark.soak)])
def test_the_winner_is_the_one_that_the_literature_names(n: int, wins: bool) -> None:
    assert first_player_wins(n) is wins


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_with_five_spots_the_first_player_wins() -> None:
    assert first_player_wins(5)


@pytest.mark.parametrize(("n", "wins"), [(1, True), (2, False), (3, False)])
def test_where_the_last_line_loses_the_winner_is_the_one_that_the_literature_names(n: int, wins: bool) -> None:
    assert first_player_wins(n, misere=True) is wins


def test_an_email_match_is_played_with_each_meaning_of_its_one_ambiguous_move() -> None:
    record = EmailMatches().read(EMAIL[0])
    moves = [entry.text for entry in record.entries if entry.kind == "move"]
    assert record.options == {"n": 8, "misere": False}
    assert (record.result, record.termination, record.entries[-1].kind, record.entries[-1].seat) == (
        "1-0",
        "resignation",
        "resign",
        1,
    )
    assert EmailMatches().write(record) == EMAIL[0]
    before = after(8, *moves[:7])
    with pytest.raises(AmbiguousMove) as ambiguous:
        notation.read(before, moves[7])
    assert ambiguous.value.candidates == tuple(f"9(16)13[7,8]#{k}" for k in range(1, 5))
    ends = {after(8, *moves[:7], candidate, moves[8]) for candidate in ambiguous.value.candidates}
    assert len(ends) == 4
    assert all(play.has_line(end) for end in ends)


def test_a_match_that_was_played_to_its_end_is_no_resignation() -> None:
    record = EmailMatches().read("1- 1(2)1 1(3)2 I")
    assert (record.options, record.termination, len(record.entries)) == ({"n": 1, "misere": True}, "no_move", 2)
    assert EmailMatches().write(record) == "1- 1(2)1 1(3)2 I"


def test_a_reference_line_is_written_as_it_was_read() -> None:
    for line in (REFERENCE / "sprouts.jsonl").read_text().splitlines():
        record = ReferenceLines().read(line)
        assert ReferenceLines().read(ReferenceLines().write(record)) == record


@given(seeds, st.integers(1, 12))
def test_a_game_takes_between_two_and_nearly_three_lines_a_spot(seed: int, n: int) -> None:
    end = random_plans(n, seed)[-1]
    assert 2 * n <= end.moves <= 3 * n - 1
    assert end.moves == 3 * n - len(play.survivors(end))
    assert all(play.lives(end)[spot] == 1 for spot in play.survivors(end))


@given(seeds, st.integers(1, 10))
def test_every_position_is_a_drawing_on_a_sphere(seed: int, n: int) -> None:
    for plan in random_plans(n, seed):
        walks = [walk for region in plan.regions for walk in region]
        met = Counter(spot for walk in walks for spot in walk)
        assert sum(play.lives(plan)[1:]) == 3 * n - plan.moves
        assert set(met) == set(range(1, plan.spots + 1))
        for region in plan.regions:
            assert len({spot for walk in region for spot in walk}) == sum(len(set(walk)) for walk in region)
            assert region == tuple(sorted(map(play.turned, region)))
        assert plan.regions == tuple(sorted(plan.regions))
        components = sum(1 for walk in walks) - len(plan.regions) + 1
        assert plan.spots - 2 * plan.moves + len(plan.regions) == 1 + components


@given(seeds, st.integers(1, 9))
def test_every_line_that_is_drawn_can_be_written_and_read(seed: int, n: int) -> None:
    random, plan = Random(seed), spots(n)
    while play.has_line(plan):
        line = any_line(plan, random)
        move = notation.written(plan, line)
        assert play.draw(plan, notation.read(plan, move)) == play.draw(plan, line)
        assert notation.written(plan, notation.read(plan, move)) == move
        plan = play.draw(plan, line)


@given(seeds, st.integers(1, 4))
def test_lines_are_listed_once_and_are_all_the_lines(seed: int, n: int) -> None:
    for plan in random_plans(n, seed)[::3]:
        listed = [(text, play.draw(plan, one)) for line in play.lines(plan) for text, one in notation.spellings(plan, line)]
        assert len({text for text, _ in listed}) == len({reached for _, reached in listed}) == len(listed)
        assert bool(listed) == play.has_line(plan)
        random = Random(seed)
        if listed:
            assert {play.draw(plan, any_line(plan, random)) for _ in range(50)} <= {reached for _, reached in listed}


@given(seeds, st.sampled_from([10, 20, 33]))
def test_a_large_game_needs_no_list_of_its_lines(seed: int, n: int) -> None:
    random = Random(seed)
    plan = random.choice(random_plans(n, seed)[:-1])
    few = list(islice(play.lines(plan), 20))
    assert few
    for line in few:
        move = notation.written(plan, line)
        assert play.draw(plan, notation.read(plan, move)) == play.draw(plan, line)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        (" 2 ( 9 ) 1 ", "1(9)2"), ("1(9)2#1", "1(9)2"), ("1(9)1", "1(9)1"), ("1(9)1[]", "1(9)1"), ("1(9)1[2-8]", "1(9)1"),
        ("1(9)1[3 - 5]", "1(9)1[3-5]"), ("1(9)1[3;4 5]", "1(9)1[3-5]"), ("1(9)1[2,6,7,8]", "1(9)1[3-5]"),
        ("1(9)1[3,4,3]", "1(9)1[3,4]"), ("1(9@2)1[3,4]", "1(9)1[3,4]"), ("1(9)1[2-5]#1", "1(9)1[6-8]"),
        ("1(9)1[3–5,7]", "1(9)1[2,6,8]"),
    ],
)  # fmt: skip
def test_a_line_is_read_in_many_spellings(typed: str, written: str) -> None:
    assert notation.written(spots(8), notation.read(spots(8), typed)) == written


BEGUN = after(3, "1(4)1[2]", "1(5)2")


@pytest.mark.parametrize(
    ("typed", "kind", "said"),
    [
        ("1-2", InvalidNotation, "as in 1(6)2"), ("1(6)2[a]", InvalidNotation, "no list of spots"),
        ("0(6)2", InvalidNotation, "no move"), ("1(٦)2", InvalidNotation, "no move"),
        ("2(7)3", IllegalMove, "number 6 here, not 7"), ("2(6)9", IllegalMove, "no spot 9"),
        ("2(6)2[9]", IllegalMove, "no spot 9"), ("1(6)2", IllegalMove, "Spot 1 has three"),
        ("4(6)4", IllegalMove, "only one more"), ("2(6)3", IllegalMove, "do not lie on a common region"),
        ("2(6)2[3]", IllegalMove, "parts just these spots"), ("2(6)4[3]", IllegalMove, "parts just these spots"),
        ("4(6)5#9", IllegalMove, "ways only"), ("3(6@2)4", IllegalMove, "can spot 6 reach 2"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused_in_words(typed: str, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind) as refused:
        notation.read(BEGUN, typed)
    assert said in str(refused.value)


def test_a_line_that_must_part_spots_says_so() -> None:
    """1 and 2 come to lie on different sides of any line from 3 to 4."""
    plan = after(2, "1(3)2", "1(4)2")
    with pytest.raises(IllegalMove, match=re.escape("name those on one side, as in [3,5-7]")):
        notation.read(plan, "3(5)4")
    assert notation.written(plan, notation.read(plan, "3(5)4[2]#1")) == "3(5)4[1]#1"


def test_the_spots_in_brackets_need_not_be_all_on_the_side_they_name() -> None:
    """Of each boundary with living spots one is enough."""
    plan = after(5, "3(6)4")
    assert notation.written(plan, notation.read(plan, "1(7)1[3]")) == "1(7)1[2,5]"
    assert notation.written(plan, notation.read(plan, "1(7)1[6,5]")) == "1(7)1[2]"


def test_the_new_spot_may_be_said_to_reach_a_spot() -> None:
    plan = after(3, "1(4)2")
    with pytest.raises(AmbiguousMove) as ambiguous:
        notation.read(plan, "1(5)2")
    assert ambiguous.value.candidates == ("1(5)2#1", "1(5)2#2")
    both = [notation.read(plan, text) for text in ambiguous.value.candidates]
    assert all("3" in string(play.draw(plan, line)) for line in both)


def test_dead_boundaries_are_not_asked_about_but_can_be_placed() -> None:
    """The loop at 1 is closed from within: nothing can start from outside it, and a loop at 2 may lie on either side of it."""
    plan = after(4, "1(5)1")
    inside = next(one for one in play.lines(plan) if one.region == ((1, 5),) and one.first != one.second)
    plan = play.draw(plan, inside)
    [loop] = [line for line in play.lines(plan) if notation.written(plan, line).startswith("2(7)2[3]")]
    assert [text for text, _ in notation.spellings(plan, loop)] == ["2(7)2[3]", "2(7)2[3]#2"]
    first, second = (play.draw(plan, notation.read(plan, text)) for text in ("2(7)2[3]", "2(7)2[3]#2"))
    assert string(first) < string(second)
    assert play.draw(plan, notation.read(plan, "2(7)2[3]#1")) == first


def test_among_many_dead_boundaries_every_line_can_be_written() -> None:
    """Nine loops, closed from within: a line that leaves one of them on its first side is written as the same line that does
    not."""
    plan = spots(12)
    for spot in range(1, 10):
        plan = play.draw(plan, next(play.courses(plan, spot, spot)))
        plan = play.draw(plan, min(play.courses(plan, spot, plan.spots), key=lambda course: len(course.region)))
    outside = max(plan.regions, key=len)
    dead = [walk for walk in outside if play.is_dead(plan, walk)]
    assert len(dead) == 9
    loop = next(line for line in play.lines(plan) if line.parts and line.region == outside)
    odd = loop._replace(near=tuple(sorted((*loop.near, dead[0]))))
    assert notation.written(plan, odd) == notation.written(plan, loop)
    assert play.effect(plan, notation.read(plan, notation.written(plan, odd))) == play.effect(plan, odd)
