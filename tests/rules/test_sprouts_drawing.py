"""Drawings of Sprouts: what a line encloses is what was asked, nothing ever crosses, and a text holds all of it."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.catalogue.sprouts import RULESET, picture, play
from games.rules.catalogue.sprouts import drawing as drawings
from games.rules.catalogue.sprouts.drawing import Drawing, Stroke, Unstorable, read_line, read_whole, whole_text
from games.rules.catalogue.sprouts.faces import Crossing, regions
from games.rules.catalogue.sprouts.laying import laid, shows
from games.rules.catalogue.sprouts.notation import read
from games.rules.catalogue.sprouts.play import Plan
from games.rules.catalogue.sprouts.position import SproutsPosition
from games.rules.catalogue.sprouts.relaxing import relaxed
from games.rules.phrase import in_english
from games.rules.ruleset import Marks
from tests.rules.test_sprouts import any_line

seeds = st.integers(0, 10**9)


def random_drawings(n: int, seed: int) -> list[tuple[Plan, Drawing]]:
    """A random game, drawn to its end."""
    random, drawn = Random(seed), [(play.start(n, misere=False), drawings.start(n))]
    while play.has_line(drawn[-1][0]):
        plan, drawing = drawn[-1]
        line = any_line(plan, random)
        drawn.append((play.draw(plan, line), laid(drawing, plan, line)))
    return drawn


def after(n: int, *moves: str) -> Drawing:
    plan, drawing = play.start(n, misere=False), drawings.start(n)
    for move in moves:
        line = read(plan, move)
        plan, drawing = play.draw(plan, line), laid(drawing, plan, line)
    return drawing


def ends(drawing: Drawing) -> list[tuple[int, int]]:
    return [(stroke.first, stroke.second) for stroke in drawing.strokes]


def curves(plan: Plan, drawing: Drawing) -> Drawing:
    """The lines as they are shown, in short straight pieces, a thousand times as large."""
    shown = RULESET.picture(RULESET.view(SproutsPosition(plan, drawing), None), Marks(), in_english)
    [path] = re.findall(r'<path d="([^"]*)" stroke="[^"]*" stroke-width="3"', shown)
    halves = []
    for half in path.split("M")[1:]:
        points: list[tuple[float, float]] = []
        for sign, numbers in re.findall(r"(^|[QL])([^QL]*)", half):
            x, y, *end = map(float, numbers.split())
            if sign == "Q":
                (a, b), (c, d) = points[-1], end
                steps = [at / 8 for at in range(1, 9)]
                points += [
                    ((1 - t) ** 2 * a + 2 * t * (1 - t) * x + t * t * c, (1 - t) ** 2 * b + 2 * t * (1 - t) * y + t * t * d)
                    for t in steps
                ]
            else:
                points.append((x, y))
        halves.append([(round(1000 * x), round(1000 * y)) for x, y in points])
    spots = dict.fromkeys(range(1, plan.spots + 1), (0, 0))
    strokes = []
    for number, (stroke, before, after) in enumerate(zip(drawing.strokes, halves[::2], halves[1::2], strict=True)):
        spots |= {stroke.first: before[0], drawing.middle(number): before[-1], stroke.second: after[-1]}
        strokes.append(Stroke(stroke.first, stroke.second, tuple(before[1:-1]), tuple(after[1:-1])))
    return Drawing(tuple(spots.values()), tuple(strokes))


def assert_shown(drawn: list[tuple[Plan, Drawing]]) -> None:
    for plan, drawing in drawn:
        assert regions(drawing) == plan.regions
        assert read_whole(whole_text(drawing), ends(drawing)) == drawing
        points = [*drawing.spots, *(point for stroke in drawing.strokes for point in (*stroke.before, *stroke.after))]
        assert all(drawings.EDGE <= value <= drawings.SIDE - drawings.EDGE for point in points for value in point)
    plan, drawing = drawn[-1]
    assert 2 * plan.n <= plan.moves <= 3 * plan.n - 1
    assert regions(curves(plan, drawing)) == plan.regions, "smooth lines part what the plan parts"
    for (_, before), (_, after) in pairwise(drawn):
        stroke, middle = after.strokes[-1], after.spots[-1]
        if before.with_line(stroke, middle) == after:
            assert read_line(drawings.line_text(stroke, middle), stroke.first, stroke.second) == (stroke, middle)


@settings(max_examples=4)
@given(seeds, st.integers(1, 8))
def test_after_every_line_the_drawing_has_the_regions_of_the_plan(seed: int, n: int) -> None:
    assert_shown(random_drawings(n, seed))


def test_a_bend_that_rounding_makes_twice_hinders_no_further_line() -> None:
    plan, drawing = play.start(3, misere=False), drawings.start(3)
    line = read(plan, "1(4)2")
    plan, drawing = play.draw(plan, line), laid(drawing, plan, line)
    (stroke,) = drawing.strokes
    twice = drawing._replace(strokes=(stroke._replace(before=(*stroke.before, drawing.spots[3]), after=(drawing.spots[3],)),))
    line = read(plan, "3(5)1")
    assert regions(laid(twice, plan, line)) == play.draw(plan, line).regions


@pytest.mark.soak
@pytest.mark.timeout(3600)
@settings(max_examples=60)
@given(seeds, st.integers(1, 8))
def test_games_of_up_to_eight_spots_are_drawn_to_their_ends(seed: int, n: int) -> None:
    assert_shown(random_drawings(n, seed))


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("n", "seed"), [(20, 1), (20, 2), (33, 1)])
def test_large_games_are_drawn_to_their_ends(n: int, seed: int) -> None:
    assert_shown(random_drawings(n, seed))


def test_the_same_moves_make_the_same_drawing() -> None:
    moves = ["1(4)1[2]", "2(5)4", "3(6)3"]
    assert after(3, *moves) == after(3, *moves)


def test_where_there_is_room_nothing_moves_but_the_new_line() -> None:
    before, later = after(4, "1(5)2"), after(4, "1(5)2", "3(6)4")
    assert later == before.with_line(later.strokes[-1], later.spots[-1])


def test_at_the_end_of_a_game_no_line_runs_under_a_spot_that_it_does_not_join() -> None:
    """In this game lines came nearer than the rim of a spot, as long as only what was near gave way."""
    _, drawing = random_drawings(8, 2)[-1]
    lines = [(first, second, shapely.LineString(points)) for first, second, points in drawing.halves()]
    for spot, place in enumerate(drawing.spots, start=1):
        apart = [line.distance(shapely.Point(place)) for first, second, line in lines if spot not in (first, second)]
        assert min(apart) > picture.DISC * picture.UNIT


def test_a_drawing_that_gives_way_keeps_what_lies_where() -> None:
    tight = after(3, "1(4)1[2]", "2(5)4")
    loose = relaxed(tight, 60)
    assert loose != tight
    assert regions(loose) == regions(tight)


def test_lines_that_cross_or_touch_are_no_drawing() -> None:
    begun = drawings.start(4)
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = begun.spots
    crossed = begun.with_line(Stroke(1, 3, (), ()), ((3 * ax + cx) // 4, (3 * ay + cy) // 4))
    crossed = crossed.with_line(Stroke(2, 4, (), ()), ((3 * bx + dx) // 4, (3 * by + dy) // 4))
    touching = begun.with_line(Stroke(1, 3, (begun.spots[1],), ()), ((bx + cx) // 2, (by + cy) // 2))
    for wrong in (crossed, touching):
        with pytest.raises(Crossing):
            regions(wrong)
        assert not shows(wrong, play.start(4, misere=False).regions)


@pytest.mark.parametrize("text", ["", "/", "/1,1*2,2", "/1,1*2,2*3", "/1,1*2,2*9999,1", "/a*1,1*", "/1,1**", "/1,1*1,1/2,2*"])
def test_a_text_that_holds_no_line_is_refused(text: str) -> None:
    with pytest.raises(Unstorable):
        read_line(text, 1, 2)


@pytest.mark.parametrize("text", ["", "//1,1/2,2", "//1,1/2,2/3,3//1,1", "x//1,1//*", "//1,1/2,2/3,3//1,1*2,x"])
def test_a_text_that_holds_no_drawing_is_refused(text: str) -> None:
    with pytest.raises(Unstorable):
        read_whole(text, [(1, 2)])
