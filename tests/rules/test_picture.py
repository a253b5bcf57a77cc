"""How Mangala looks and sounds: from one's own side, complete, marked by shape, small."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import hypot
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import registry
from games.rules.catalogue.mangala.play import MangalaPosition, MangalaView
from games.rules.phrase import in_english
from games.rules.ruleset import Marks, Ruleset

MANGALA: Ruleset[MangalaPosition, MangalaView] = registry.get("mangala")
SVG = "{http://www.w3.org/2000/svg}"
SOUTH, NORTH = 0, 1
EVERYWHERE = (*(f"{side}{pit}" for side in "SN" for pit in range(1, 7)), "store S", "store N")
MIDGAME = {
    "south_pits": [0, 1, 2, 6, 12, 14],
    "north_pits": [0, 0, 0, 3, 1, 0],
    "south_store": 8,
    "north_store": 1,
    "turn": "S",
}
HEAPED = {
    "south_pits": [1, 0, 0, 0, 0, 0],
    "north_pits": [0, 0, 0, 0, 0, 20],
    "south_store": 27,
    "north_store": 0,
    "turn": "S",
    "end": "playout",
}


def seen(data: dict[str, Any], seat: int | None) -> MangalaView:
    return MANGALA.view(MANGALA.load(data), seat)


def drawn(view: MangalaView, marks: Marks = Marks()) -> ElementTree.Element:  # noqa: B008 - Marks are immutable
    return ElementTree.fromstring(MANGALA.picture(view, marks, in_english))


def places(svg: ElementTree.Element) -> dict[str, ElementTree.Element]:
    """The groups of pits and stores by place."""
    return {group.attrib["data-place"]: group for group in svg.iter(f"{SVG}g") if "data-place" in group.attrib}


def middle(group: ElementTree.Element) -> tuple[float, float]:
    hole = group[0].attrib
    return float(hole["x"]) + float(hole["width"]) / 2, float(hole["y"]) + float(hole["height"]) / 2


def stones_in(group: ElementTree.Element) -> int:
    return len(group.findall(f"{SVG}g/{SVG}circle"))


def words_in(group: ElementTree.Element) -> list[str]:
    return [words.text or "" for words in group.findall(f"{SVG}text")]


def positions(seed: int) -> Iterator[MangalaPosition]:
    """The positions of a random game."""
    random, position = Random(seed), MANGALA.start({}, 2)
    while MANGALA.has_move(position):
        yield position
        position = MANGALA.play(position, random.choice(list(MANGALA.legal_moves(position))))
    yield position


@pytest.mark.parametrize(("seat", "own", "other"), [(SOUTH, "S", "N"), (NORTH, "N", "S"), (None, "S", "N")])
def test_F42_own_pits_lie_below_from_left_to_right_and_the_own_store_at_their_right(
    seat: int | None, own: str, other: str
) -> None:
    at = {place: middle(group) for place, group in places(drawn(seen(MIDGAME, seat))).items()}
    near, far = [[at[f"{side}{pit}"] for pit in range(1, 7)] for side in (own, other)]
    assert near == sorted(near)
    assert far == sorted(far, reverse=True)
    assert len({y for _, y in near}) == len({y for _, y in far}) == 1
    assert near[0][1] > far[0][1]
    assert [x for x, _ in near] == [x for x, _ in reversed(far)], "facing pits stand above each other"
    assert at[f"store {own}"][0] > near[-1][0]
    assert at[f"store {other}"][0] < near[0][0]


@given(st.integers(0, 10**9))
def test_F42_norths_picture_and_words_are_souths_turned_round(seed: int) -> None:
    swapped = {"S": "N", "N": "S", "South": "North", "North": "South"}
    for position in list(positions(seed))[::7]:
        turned = position._replace(holes=(*position.holes[7:], *position.holes[:7]), mover=1 - position.mover)
        south, north = MANGALA.view(position, SOUTH), MANGALA.view(turned, NORTH)
        souths = MANGALA.picture(south, Marks(), in_english) + MANGALA.describe(south, in_english)
        norths = MANGALA.picture(north, Marks(), in_english) + MANGALA.describe(north, in_english)
        assert souths == re.sub(r"\b(?:South|North)\b|(?<=\")[SN](?=\d\")|(?<=store )[SN]\b", lambda m: swapped[m[0]], norths)


def test_every_pit_shows_its_stones_their_count_and_its_number() -> None:
    shown = places(drawn(seen(MIDGAME, SOUTH)))
    assert set(shown) == set(EVERYWHERE)
    assert [stones_in(shown[f"S{pit}"]) for pit in range(1, 7)] == [0, 1, 2, 6, 12, 14]
    assert [words_in(shown[f"S{pit}"]) for pit in range(1, 7)] == [
        ["0", "1"],
        ["1", "2"],
        ["2", "3"],
        ["6", "4"],
        ["12", "5"],
        ["14", "6"],
    ]
    assert stones_in(shown["store S"]) == 8
    assert words_in(shown["store S"]) == ["8"]


def test_a_great_heap_is_drawn_as_a_heap_and_counted_exactly() -> None:
    heap = places(drawn(seen(HEAPED, SOUTH)))["N6"]
    assert stones_in(heap) == 19
    assert words_in(heap)[0] == "20"


@given(st.integers(0, 10**9))
def test_every_stone_lies_in_its_hole(seed: int) -> None:
    full = {**HEAPED, "north_pits": [0, 0, 0, 0, 0, 1], "south_store": 46}
    for position in (MANGALA.load(HEAPED), MANGALA.load(full), *list(positions(seed))[::5]):
        for group in places(drawn(MANGALA.view(position, SOUTH))).values():
            x, y = middle(group)
            width, height = (float(group[0].attrib[name]) for name in ("width", "height"))
            for stone in group.iterfind(f"{SVG}g/{SVG}circle"):
                across, along, radius = float(stone.attrib["cx"]) - x, float(stone.attrib["cy"]) - y, float(stone.attrib["r"])
                beyond = max(0.0, abs(along) - (height - width) / 2)
                assert hypot(across, beyond) + radius <= width / 2


def shapes(group: ElementTree.Element) -> set[str]:
    """What a group is made of, without its colours."""
    unlike = {"fill", "stroke"}
    return {f"{part.tag} {sorted((k, v) for k, v in part.attrib.items() if k not in unlike)}" for part in group}


@pytest.mark.parametrize(
    "marks",
    [
        Marks(last=("S4",)),
        Marks(last=("S4", "S5")),
        Marks(captured=("S4",)),
        Marks(choices=("S4",)),
        Marks(chosen="S4"),
    ],
)
def test_every_mark_can_be_told_by_its_shape(marks: Marks) -> None:
    view = seen(MIDGAME, SOUTH)
    plain, marked = places(drawn(view)), places(drawn(view, marks))
    assert shapes(marked["S4"]) - shapes(plain["S4"])
    assert shapes(marked["N4"]) == shapes(plain["N4"])


def test_the_marks_differ_from_each_other() -> None:
    view = seen(MIDGAME, SOUTH)
    plain = shapes(places(drawn(view))["S4"])
    each = [
        Marks(last=("S4",)),
        Marks(last=("S4", "S5")),
        Marks(captured=("S4",)),
        Marks(choices=("S4",)),
        Marks(chosen="S4"),
    ]
    added = [frozenset(shapes(places(drawn(view, marks))["S4"]) - plain) for marks in each]
    assert len(set(added)) == len(each)


@pytest.mark.parametrize(("turn", "mover"), [("S", "South"), ("N", "North")])
def test_the_name_of_who_must_move_is_underlined(turn: str, mover: str) -> None:
    svg = drawn(seen({**MIDGAME, "turn": turn}, SOUTH))
    bold = [words.text for words in svg.findall(f"{SVG}text") if words.get("font-weight")]
    assert bold == [mover]


@given(st.integers(0, 10**9))
def test_a_picture_is_small_and_safe_in_a_page_with_a_strict_policy(seed: int) -> None:
    marks = Marks(last=EVERYWHERE[:13], captured=("S4", "N3"), choices=EVERYWHERE[:6], chosen="S1")
    for position in list(positions(seed))[::7]:
        text = MANGALA.picture(MANGALA.view(position, SOUTH), marks, in_english)
        assert len(text) < 12_000
        svg = ElementTree.fromstring(text)
        names = {name for element in svg.iter() for name in element.attrib}
        assert not {name for name in names if name == "style" or name.startswith("on") or "href" in name}
        ids = [element.attrib["id"] for element in svg.iter() if "id" in element.attrib]
        assert len(set(ids)) == len(ids)
        assert all(one.startswith("mangala-") for one in ids)
        assert set(re.findall(r"url\(#([\w-]+)\)", text)) <= set(ids)


def test_a_player_hears_his_own_side_first_and_that_it_is_his_turn() -> None:
    assert MANGALA.describe(seen(MIDGAME, SOUTH), in_english) == (
        "The board from the side of South. "
        "Your pits 1 to 6 hold 0, 1, 2, 6, 12 and 14. Your store holds 8 stones. "
        "North: pits 1 to 6 hold 0, 0, 0, 3, 1 and 0. North: the store holds 1 stone. "
        "It is your turn."
    )


def test_F42_the_other_player_hears_the_same_from_his_side() -> None:
    assert MANGALA.describe(seen(MIDGAME, NORTH), in_english) == (
        "The board from the side of North. "
        "Your pits 1 to 6 hold 0, 0, 0, 3, 1 and 0. Your store holds 1 stone. "
        "South: pits 1 to 6 hold 0, 1, 2, 6, 12 and 14. South: the store holds 8 stones. "
        "South is to move."
    )


def test_a_spectator_is_told_about_both_by_name() -> None:
    said = MANGALA.describe(seen(MIDGAME, None), in_english)
    assert "South: pits 1 to 6 hold 0, 1, 2, 6, 12 and 14." in said
    assert "Your" not in said
    assert said.endswith("South is to move.")


def test_a_finished_game_says_so_in_title_words_and_picture() -> None:
    view = seen({**MIDGAME, "south_pits": [0, 0, 0, 0, 0, 1], "south_store": 25}, SOUTH)
    assert MANGALA.describe(view, in_english).endswith("The game is over.")
    svg = drawn(view)
    assert svg.findtext(f"{SVG}title") == "Mangala: The game is over."
    assert svg.findtext(f"{SVG}desc") == MANGALA.describe(view, in_english)
    assert not [words for words in svg.findall(f"{SVG}text") if words.get("font-weight")]


def test_the_diagram_shows_both_sides_with_numbers_stores_and_letters() -> None:
    south = """
         6   5   4   3   2   1    N
      +-------------------------+
      |   0   1   3   0   0   0 |
N  1  |                         |  S  8
      |   0   1   2   6  12  14 |
      +-------------------------+
         1   2   3   4   5   6    S"""
    north = """
         6   5   4   3   2   1    S
      +-------------------------+
      |  14  12   6   2   1   0 |
S  8  |                         |  N  1
      |   0   0   0   3   1   0 |
      +-------------------------+
         1   2   3   4   5   6    N"""
    assert MANGALA.diagram(seen(MIDGAME, SOUTH)) == south[1:]
    assert MANGALA.diagram(seen(MIDGAME, NORTH)) == north[1:]


@pytest.mark.parametrize(
    ("seat", "title"), [(SOUTH, "South 8, North 1"), (NORTH, "North 1, South 8"), (None, "South 8, North 1")]
)
def test_a_miniature_names_the_stores_from_the_own_side_first(seat: int | None, title: str) -> None:
    svg = ElementTree.fromstring(MANGALA.miniature(seen(MIDGAME, seat), in_english))
    assert svg.findtext(f"{SVG}title") == title
    assert [words.text for words in svg.findall(f"{SVG}text")] == title.replace(",", "").split()[3::-2]


@given(st.integers(0, 10**9))
def test_a_miniature_is_small_enough_for_a_long_list(seed: int) -> None:
    for position in list(positions(seed))[::5]:
        text = MANGALA.miniature(MANGALA.view(position, SOUTH), in_english)
        assert len(text) < 1_600
        assert "style=" not in text
