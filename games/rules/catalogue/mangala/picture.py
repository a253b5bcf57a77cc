"""How a Mangala board looks from one side: in words, as text, as a picture. One's own pits are below, 1 to 6 from the left."""

from __future__ import annotations

from typing import Final

from games.drawing import palette
from games.drawing.canvas import Canvas
from games.rules.catalogue.mangala.play import STORE, MangalaView
from games.rules.phrase import Phrase, Say, phrase
from games.rules.ruleset import Marks
from games.rules.sowing import SEAT_TITLES, SIDES, pit_place, store_place

WIDTH: Final = 640
HEIGHT: Final = 236
PIT: Final = 34
STEP: Final = 80
LEFT: Final = 120
NEAR: Final = 160
FAR: Final = 76
LAID_OUT: Final = 14
"""So many stones are drawn one by one; beyond that the heap looks the same and the number tells."""

_RINGS: Final = (
    (0.0, 0.0), (-9.0, -6.0), (9.0, -5.0), (0.0, -14.0), (-1.0, 10.0), (-13.0, 6.0), (12.0, 7.0),
    (-16.0, -8.0), (16.0, -9.0), (-8.0, 16.0), (8.0, 16.0), (-8.0, -18.0), (9.0, -18.0), (0.0, 2.0),
)  # fmt: skip


def _own(view: MangalaView) -> tuple[int, ...]:
    holes = view.position.holes
    return holes if view.side == 0 else holes[7:] + holes[:7]


def describe(view: MangalaView, say: Say) -> str:
    """Whose side this is, all pits and stores, and who moves: whole sentences."""
    own = _own(view)
    near, far = SEAT_TITLES[view.side], SEAT_TITLES[1 - view.side]
    sentences = [
        phrase("The board from the side of %(seat)s.", seat=near),
        phrase("%(seat)s, pits 1 to 6: %(pits)s; store: %(store)s.", seat=near, pits=_row(own[:6]), store=own[STORE]),
        phrase("%(seat)s, pits 1 to 6: %(pits)s; store: %(store)s.", seat=far, pits=_row(own[7:13]), store=own[13]),
        _state(view),
    ]
    return " ".join(say(sentence) for sentence in sentences)


def _row(pits: tuple[int, ...]) -> str:
    return ", ".join(map(str, pits))


def _state(view: MangalaView) -> Phrase:
    if view.position.termination:
        return phrase("The game is over.")
    return phrase("%(seat)s is to move.", seat=SEAT_TITLES[view.position.mover])


def diagram(view: MangalaView) -> str:
    """Seven lines, 38 columns: the far side's numbers and pits, the stores, the near side's pits and numbers."""
    own = _own(view)
    near, far = SIDES[view.side], SIDES[1 - view.side]
    indent = " " * 6
    return "\n".join(
        (
            indent + "".join(f"{number:>4}" for number in range(6, 0, -1)) + f"    {far}",
            indent + "+" + "-" * 25 + "+",
            indent + "|" + "".join(f"{stones:>4}" for stones in reversed(own[7:13])) + " |",
            f"{far} {own[13]:>2}  |{'':25}|  {near} {own[STORE]:>2}",
            indent + "|" + "".join(f"{stones:>4}" for stones in own[:6]) + " |",
            indent + "+" + "-" * 25 + "+",
            indent + "".join(f"{number:>4}" for number in range(1, 7)) + f"    {near}",
        )
    )


def picture(view: MangalaView, marks: Marks, say: Say) -> str:
    """The wooden board with its stones; each pit and store is a group with `data-place`."""
    near, far = view.side, 1 - view.side
    own = _own(view)
    title = say(phrase("Mangala: %(state)s", state=_state(view)))
    canvas = Canvas(name="mangala", width=WIDTH, height=HEIGHT, title=title, description=describe(view, say))
    canvas.rectangle(2, 2, WIDTH - 4, HEIGHT - 4, corner=46, fill=palette.WOOD, stroke=palette.WOOD_EDGE, stroke_width=4)
    _store(canvas, 14, own[13], store_place(far), marks)
    _store(canvas, WIDTH - 78, own[STORE], store_place(near), marks)
    for pit in range(1, 7):
        _pit(canvas, LEFT + STEP * (6 - pit), FAR, own[6 + pit], pit_place(far, pit), marks, label=FAR - 46, number=pit)
        _pit(canvas, LEFT + STEP * (pit - 1), NEAR, own[pit - 1], pit_place(near, pit), marks, label=NEAR + 60, number=pit)
    return canvas.svg()


def _pit(canvas: Canvas, x: int, y: int, stones: int, place: str, marks: Marks, *, label: int, number: int) -> None:
    with canvas.group(data_place=place):
        canvas.circle(x, y, PIT, fill=palette.HOLLOW, stroke=palette.HOLLOW_EDGE, stroke_width=2)
        _mark(canvas, x, y, place, marks)
        for across, down in _RINGS[: min(stones, LAID_OUT)]:
            _stone(canvas, x + across, y + down - 3)
        if stones:
            canvas.rectangle(x - 13, y + 15, 26, 19, corner=9, fill=palette.INK)
        canvas.text(x, y + 30, str(stones), size=16, fill=palette.LABEL, font_weight=700)
        canvas.text(x, label, str(number), size=14, fill=palette.INK)


def _mark(canvas: Canvas, x: int, y: int, place: str, marks: Marks) -> None:
    """Marks differ in shape as well as in colour: a ring for the last move, dashes for a capture, a wedge for a choice."""
    if place in marks.last:
        ends_here = marks.last[-1] == place
        canvas.circle(x, y, PIT - 1, fill="none", stroke=palette.LAST, stroke_width=5 if ends_here else 2)
    if place in marks.captured:
        canvas.circle(x, y, PIT - 5, fill="none", stroke=palette.CAPTURED, stroke_width=4, stroke_dasharray="6 5")
    if place in marks.choices:
        canvas.path(f"M{x - 7} {y + PIT + 12}l7 -9l7 9z", fill=palette.CHOICE, stroke=palette.INK)


def _store(canvas: Canvas, x: int, stones: int, place: str, marks: Marks) -> None:
    middle = x + 32
    with canvas.group(data_place=place):
        canvas.rectangle(x, 30, 64, HEIGHT - 60, corner=32, fill=palette.HOLLOW, stroke=palette.HOLLOW_EDGE, stroke_width=2)
        if place in marks.last:
            canvas.rectangle(x + 2, 32, 60, HEIGHT - 64, corner=30, fill="none", stroke=palette.LAST, stroke_width=3)
        for index in range(min(stones, 48)):
            _stone(canvas, middle - 18 + 12 * (index % 4), HEIGHT - 62 - 10 * (index // 4))
        canvas.rectangle(middle - 18, HEIGHT - 56, 36, 22, corner=11, fill=palette.INK)
        canvas.text(middle, HEIGHT - 39, str(stones), size=17, fill=palette.LABEL, font_weight=700)


def _stone(canvas: Canvas, x: float, y: float) -> None:
    canvas.circle(x, y, 6.5, fill=palette.STONE, stroke=palette.STONE_EDGE)
