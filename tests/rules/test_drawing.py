"""The canvas draws what it is told, safely and always alike; the palette can be seen."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.drawing import palette
from games.drawing.canvas import Canvas, apart

SVG = "{http://www.w3.org/2000/svg}"
WOODS = (palette.WOOD_LIT, palette.WOOD, palette.WOOD_SHADED)
HOLLOWS = (palette.HOLLOW, palette.HOLLOW_SHADED)
MARKS = (palette.LAST, palette.CAPTURED, palette.CHOICE, palette.CHOSEN)


def a_canvas(title: str = "A board", description: str = "Nothing on it.") -> Canvas:
    return Canvas(name="board", width=100, height=50, title=title, description=description)


def parsed(canvas: Canvas) -> ElementTree.Element:
    return ElementTree.fromstring(canvas.svg())


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def test_an_empty_picture_has_a_size_a_role_and_names_for_those_who_do_not_see_it() -> None:
    svg = parsed(a_canvas())
    assert svg.get("viewBox") == "0 0 100 50"
    assert svg.get("role") == "img"
    title, description = svg
    assert (title.text, description.text) == ("A board", "Nothing on it.")
    assert svg.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}" == "board-title board-desc"


def test_shapes_take_looks_as_attributes_and_leave_out_what_is_none() -> None:
    canvas = a_canvas()
    with canvas.group(data_place="S4", class_="pit"):
        canvas.circle(1.5, 2.25, 3, stroke_width=2, fill=None)
        canvas.rectangle(0, 0, 10, 5, corner=2)
        canvas.path("M0 0h5", stroke="#000000")
        canvas.words(5, 5, "4", size=12)
    [group] = parsed(canvas).findall(f"{SVG}g")
    assert group.attrib == {"data-place": "S4", "class": "pit"}
    circle, rectangle, path, words = group
    assert circle.attrib == {"cx": "1.5", "cy": "2.25", "r": "3", "stroke-width": "2"}
    assert rectangle.attrib == {"x": "0", "y": "0", "width": "10", "height": "5", "rx": "2"}
    assert path.attrib == {"d": "M0 0h5", "stroke": "#000000"}
    assert (words.text, words.get("font-size")) == ("4", "12")


def test_paints_are_named_after_the_picture_and_lie_in_it() -> None:
    canvas = a_canvas()
    assert canvas.fade("wood", "#111111", "#222222", "#333333") == "url(#board-wood)"
    assert canvas.glow("ball", "#ffffff", "#000000", x=0.4) == "url(#board-ball)"
    fade, glow = parsed(canvas)[2:]
    assert (fade.get("id"), glow.get("id"), glow.get("cx")) == ("board-wood", "board-ball", "0.4")
    assert [stop.get("offset") for stop in fade] == ["0", "0.5", "1"]


def test_S5_a_hostile_text_stays_a_text() -> None:
    hostile = "\"><script>alert('x')</script>&amp;\x00\u202eLRO"
    canvas = a_canvas(hostile, hostile)
    canvas.words(0, 0, hostile, size=1, class_=hostile)
    svg = parsed(canvas)
    shown = "\"><script>alert('x')</script>&amp;LRO"
    assert [element.text for element in svg] == [shown] * 3
    assert svg[2].get("class") == shown
    assert "script" not in {element.tag for element in svg.iter()}


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_makes_a_well_formed_picture(text: str) -> None:
    canvas = a_canvas(text, text)
    canvas.words(0, 0, text, size=1, class_=text)
    assert parsed(canvas).tag == f"{SVG}svg"


def test_the_same_drawing_is_the_same_text() -> None:
    def drawn() -> str:
        canvas = a_canvas()
        canvas.glow("ball", "#ffffff", "#000000")
        canvas.circle(1, 2, 1 / 3)
        return canvas.svg()

    assert drawn() == drawn()
    assert 'r="0.33"' in drawn()


@pytest.mark.parametrize("ground", [*WOODS, *HOLLOWS])
def test_words_can_be_read_on_the_board(ground: str) -> None:
    assert contrast(palette.LABEL, ground) >= 4.5


@pytest.mark.parametrize("ground", [palette.LABEL, palette.CHOICE, palette.CHOSEN])
def test_ink_can_be_read_on_what_it_is_written_on(ground: str) -> None:
    assert contrast(palette.INK, ground) >= 4.5


@pytest.mark.parametrize("ground", [*WOODS, *HOLLOWS])
@pytest.mark.parametrize("mark", MARKS)
def test_marks_can_be_told_from_the_board(mark: str, ground: str) -> None:
    assert contrast(mark, ground) >= 3


@pytest.mark.parametrize("ground", HOLLOWS)
@pytest.mark.parametrize("stone", [palette.STONE_LIT, palette.STONE, palette.STONE_SHADED])
def test_stones_can_be_told_from_the_hollow(stone: str, ground: str) -> None:
    assert contrast(stone, ground) >= 3


def test_the_same_picture_stands_twice_in_a_page_with_ids_of_its_own() -> None:
    canvas = a_canvas()
    canvas.circle(1, 1, 1, fill=canvas.glow("ball", "#ffffff", "#000000"))
    once, again = parsed(canvas), ElementTree.fromstring(apart(canvas.svg(), "two"))
    ids = [[one.attrib["id"] for one in svg.iter() if "id" in one.attrib] for svg in (once, again)]
    assert ids[1] == [f"{one}-two" for one in ids[0]]
    assert again.get("aria-labelledby") == "board-title-two board-desc-two"
    [circle] = again.findall(f"{SVG}circle")
    assert circle.get("fill") == "url(#board-ball-two)"


def test_a_picture_without_a_description_is_named_by_its_title() -> None:
    svg = parsed(Canvas(name="board", width=1, height=1, title="A board"))
    assert [element.tag for element in svg] == [f"{SVG}title"]
    assert svg.get("aria-labelledby") == "board-title"
