"""How the board of a sowing game looks from one side: a picture, and a very small one. One's own pits are below, 1 to 6 from
the left."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin
from typing import Final, NamedTuple

from games.drawing import palette
from games.drawing.canvas import Canvas, Value
from games.rules.phrase import Say, phrase
from games.rules.position import Moment, in_halves
from games.rules.ruleset import Facts, Marks
from games.rules.sowing import PITS, SEAT_TITLES, pit_place, store_place
from games.rules.sowing.words import AnyView, describe, state

WIDTH: Final = 640
HEIGHT: Final = 292
STEP: Final = 74
PIT: Final = 68
STORE_WIDTH: Final = 70
STORE_HEIGHT: Final = 186
STORE_AT: Final = 262
"""Distance of a store from the middle of the board, to the right on the near side."""

ROW: Final = 47
COUNT: Final = 88
NUMBER: Final = 119
STORE_COUNT: Final = 70
TITLE: Final = 117
"""Distances from the middle line outwards: a row's pits, their counts and numbers; a store's count and its owner."""

SMALL_WIDTH: Final = 264
SMALL_HEIGHT: Final = 110
SMALL_FIRST: Final = 60
SMALL_STEP: Final = 29
SMALL_ROWS: Final = (34, 76)
"""The miniature: where its first pits lie, how far apart, and the heights of the far and the near row."""

STONE: Final = 7
SIDE_BY_SIDE: Final = 12
ON_TOP: Final = 7
"""So many stones lie side by side in a pit and so many on them as a heap; more are left to the number."""
STORED: Final = 35

_RINGS: Final[dict[int, tuple[tuple[int, float], ...]]] = {
    0: (), 1: ((1, 0),), 2: ((2, 9),), 3: ((3, 10),), 4: ((4, 12),), 5: ((5, 14),), 6: ((5, 16), (1, 0)), 7: ((6, 17), (1, 0)),
    8: ((7, 19), (1, 0)), 9: ((7, 20), (2, 8)), 10: ((8, 21), (2, 8)), 11: ((8, 22), (3, 9.5)), 12: ((9, 23), (3, 9.5)),
}  # fmt: skip
"""How stones lie in a pit, by their number: so many on a ring of that radius, the outer ring first."""


def picture(facts: Facts, view: AnyView, marks: Marks, say: Say) -> str:
    """The wooden board of a game with its stones; each pit and store is a group whose `data-place` is its place.

    Marks differ in shape as well as in colour: rings where the last move went, the thick one where it ended; dashes and a
    cross where stones were captured; a disc under the number of a pit that may be chosen, an arrow under the chosen one.
    """
    own, (near_store, far_store) = view.own, view.stores
    title = say(phrase("%(game)s: %(state)s", game=facts.title, state=state(view, to_reader=False)))
    canvas = Canvas(name=facts.name, width=WIDTH, height=HEIGHT, title=title, description=describe(view, say))
    board = _Board(canvas, marks)
    halves = ((1 - view.side, own[7:13], far_store, -1), (view.side, own[:6], near_store, 1))
    for seat, pits, store, outwards in halves:
        board.owner(say(SEAT_TITLES[seat]), outwards, moves=seat == view.position.mover and view.moment is not Moment.OVER)
        with canvas.group(fill=palette.LABEL, stroke_linecap="round"):
            board.store(store_place(seat), store, outwards)
            for pit, stones in enumerate(pits, 1):
                board.pit(pit_place(seat, pit), stones, pit, outwards)
    return canvas.svg()


class _Hole(NamedTuple):
    """A pit or a store: a rectangle around (x, y) whose ends are round."""

    x: float
    y: float
    width: int
    height: int


class _Board:
    """The board while it is drawn. `outwards` is 1 on the near half and -1 on the far one, which is the same turned round."""

    def __init__(self, canvas: Canvas, marks: Marks) -> None:
        self.canvas, self.marks = canvas, marks
        self.hollow = canvas.glow("hollow", palette.HOLLOW, palette.HOLLOW, palette.HOLLOW_SHADED, y=0.62, radius=0.6)
        stone = (palette.STONE_LIT, palette.STONE, palette.STONE_SHADED, palette.STONE_EDGE)
        self.ball = canvas.glow("ball", *stone, x=0.38, y=0.3, radius=0.78)
        self.rim = canvas.fade("rim", palette.WOOD_EDGE, palette.BEVEL)
        self._wood(canvas.fade("wood", palette.WOOD_LIT, palette.WOOD, palette.WOOD_SHADED))

    def _wood(self, wood: str) -> None:
        self.canvas.rectangle(1, 1, WIDTH - 2, HEIGHT - 2, corner=52, fill=palette.WOOD_EDGE)
        self.canvas.rectangle(5, 4, WIDTH - 10, HEIGHT - 11, corner=48, fill=wood, stroke=palette.BEVEL, stroke_width=1.5)
        grain = "".join(
            f"M{12 + 3 * (line % 4)} {y}q150 {9 - 7 * (line % 3)} 300 {line % 5 - 2}t308 {3 - line % 4}"
            for line, y in enumerate(range(26, HEIGHT - 14, 19))
        )
        self.canvas.path(grain, fill="none", stroke=palette.GRAIN, stroke_width=1.2, stroke_opacity=0.3)
        # The seam of the two halves, which fold together.
        seam = f"M{WIDTH / 2 - STORE_AT + 42} {HEIGHT / 2}h{2 * STORE_AT - 84}"
        self.canvas.path(seam, stroke=palette.WOOD_EDGE, stroke_width=1.5, stroke_opacity=0.7)

    def pit(self, place: str, stones: int, number: int, outwards: int) -> None:
        """A pit with its marks, its stones, their count and its number."""
        x, middle = WIDTH / 2 + outwards * STEP * (number - 3.5), HEIGHT / 2
        hole = _Hole(x, middle + outwards * ROW, PIT, PIT)
        with self.canvas.group(data_place=place):
            self._hole(hole, place)
            self._balls([(x + across, hole.y + along - 2 * outwards) for across, along in _laid_out(stones, number + outwards)])
            self._count(x, middle + outwards * COUNT, str(stones))
            self._number(x, middle + outwards * NUMBER, place, number)

    def store(self, place: str, stones: Fraction, outwards: int) -> None:
        """A store with its marks, its stones and their count; half a stone is in the count only."""
        x, middle = WIDTH / 2 + outwards * STORE_AT, HEIGHT / 2
        with self.canvas.group(data_place=place):
            self._hole(_Hole(x, middle, STORE_WIDTH, STORE_HEIGHT), place)
            self._balls([(x + outwards * across, middle + outwards * along) for across, along in _piled(int(stones))])
            self._count(x, middle + outwards * STORE_COUNT, in_halves(stones))

    def owner(self, name: str, outwards: int, *, moves: bool) -> None:
        """The name beside a store, underlined where that player decides."""
        x, y = WIDTH / 2 + outwards * STORE_AT, HEIGHT / 2 + outwards * TITLE
        self.canvas.words(x, y + 6, name, size=17, fill=palette.LABEL, font_weight=700 if moves else None)
        if moves:
            self.canvas.path(f"M{x - 22} {y + 14}h44", stroke=palette.LABEL, stroke_width=3, stroke_linecap="round")

    def _hole(self, hole: _Hole, place: str) -> None:
        self._outline(hole, 0, fill=self.hollow, stroke=self.rim, stroke_width=2.5)
        if place in self.marks.last:
            width = 5 if place == self.marks.last[-1] else 2
            self._outline(hole, 1, fill="none", stroke=palette.LAST, stroke_width=width)
        if place in self.marks.captured:
            self._outline(hole, 8, fill="none", stroke=palette.CAPTURED, stroke_width=3, stroke_dasharray="7 6")
            self.canvas.path(f"M{hole.x - 8} {hole.y - 8}l16 16m0-16l-16 16", stroke=palette.CAPTURED, stroke_width=3)

    def _outline(self, hole: _Hole, inset: float, **looks: Value) -> None:
        width, height = hole.width - 2 * inset, hole.height - 2 * inset
        if inset and width == height:
            return self.canvas.circle(hole.x, hole.y, width / 2, **looks)
        return self.canvas.rectangle(hole.x - width / 2, hole.y - height / 2, width, height, corner=width / 2, **looks)

    def _balls(self, places: list[tuple[float, float]]) -> None:
        shadows = "".join(f"M{x + 1:.0f} {y + 3:.0f}h0" for x, y in places)
        if shadows:
            self.canvas.path(shadows, stroke=palette.SHADOW, stroke_width=2 * STONE)
        with self.canvas.group(fill=self.ball):
            for x, y in places:
                self.canvas.circle(round(x), round(y), STONE)

    def _count(self, x: float, y: float, written: str) -> None:
        reach = 5 if len(written) < 3 else 9
        self.canvas.path(f"M{x - reach:.0f} {y}h{2 * reach}", stroke=palette.HOLLOW_SHADED, stroke_width=26)
        self.canvas.words(x, y + 7.5, written, size=22, font_weight=700)

    def _number(self, x: float, y: float, place: str, number: int) -> None:
        chosen, choosable = place == self.marks.chosen, place in self.marks.choices
        if chosen:
            self.canvas.path(f"M{x} {y - 17}l17 13h-6v16h-22v-16h-6z", fill=palette.CHOSEN, stroke=palette.INK, stroke_width=1.5)
        elif choosable:
            self.canvas.circle(x, y, 13, fill=palette.CHOICE, stroke=palette.INK, stroke_width=1.5)
        ink = palette.INK if chosen or choosable else None
        self.canvas.words(x, y + 7, str(number), size=19, fill=ink, font_weight=700 if choosable else None)


@lru_cache(maxsize=1024)
def _laid_out(stones: int, tilt: float) -> tuple[tuple[float, float], ...]:
    """Where the stones of a pit lie around its middle: side by side, and on top of those."""
    below = min(stones, SIDE_BY_SIDE)
    above = min(stones - below, ON_TOP)
    return tuple(
        (radius * cos(angle), radius * sin(angle))
        for layer, turned in ((below, tilt), (above, tilt + 1))
        for many, radius in _RINGS[layer]
        for angle in (turned + 2 * pi * one / many for one in range(many))
    )


def _piled(stones: int) -> list[tuple[float, float]]:
    """Where the stones of a store lie around its middle: rows of four and three, from the count inwards."""
    places: list[tuple[float, float]] = []
    rows = 0
    while len(places) < min(stones, STORED):
        many = min(stones - len(places), 4 - rows % 2)
        places += [(15.0 * (one - (many - 1) / 2), 47 - 12.5 * rows) for one in range(many)]
        rows += 1
    return places


def miniature(facts: Facts, view: AnyView, say: Say) -> str:
    """The board as small as a stamp: pits and stones as dots, what the stores hold as numbers. Under 2 KB for any list."""
    own, (mine, theirs) = view.own, map(in_halves, view.stores)
    near, far = SEAT_TITLES[view.side], SEAT_TITLES[1 - view.side]
    stores = phrase("%(near)s %(mine)s, %(far)s %(theirs)s", near=near, mine=mine, far=far, theirs=theirs)
    canvas = Canvas(name=facts.name, width=SMALL_WIDTH, height=SMALL_HEIGHT, title=say(stores))
    canvas.rectangle(0, 0, SMALL_WIDTH, SMALL_HEIGHT, corner=18, fill=palette.WOOD)
    with canvas.group(stroke=palette.HOLLOW_SHADED, stroke_linecap="round"):
        # A little beyond the last pit, or rounding leaves it out.
        rows = "".join(f"M{SMALL_FIRST} {y}h{SMALL_STEP * (PITS - 1) + 1}" for y in SMALL_ROWS)
        canvas.path(rows, stroke_width=28, stroke_dasharray=f"0 {SMALL_STEP}")
        canvas.path(f"M23 38v34M{SMALL_WIDTH - 23} 38v34", stroke_width=30)
    dots = [
        (round(SMALL_FIRST + SMALL_STEP * pit + across * 0.4), round(y + along * 0.4))
        for y, held in zip(SMALL_ROWS, (own[12:6:-1], own[:6]), strict=True)
        for pit, stones in enumerate(held)
        for across, along in _laid_out(stones, pit)
    ]
    if dots:
        # From dot to dot a path says less than from the corner of the picture.
        steps = "".join(f"m{x - x0}{'' if y < y0 else ' '}{y - y0}h0" for (x0, y0), (x, y) in pairwise([(0, 0), *dots]))
        canvas.path(steps, stroke=palette.STONE, stroke_width=6.5, stroke_linecap="round")
    for x, held in ((23, theirs), (SMALL_WIDTH - 23, mine)):
        size = 20 if len(held) < 3 else 15
        canvas.words(x, SMALL_HEIGHT / 2 + 7, held, size=size, fill=palette.LABEL, font_weight=700)
    return canvas.svg()
