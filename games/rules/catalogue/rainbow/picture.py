"""How a table of Rainbow looks: the rain, the others in the order of play, one's own rainbow and drops.

A colour is told by its letter and by as many pips as its place in the rainbow, so that nobody needs to see colours; below one's
own drops their names stand.
"""

from __future__ import annotations

import re
from textwrap import wrap
from typing import Final

from games.drawing import palette
from games.drawing.canvas import Canvas
from games.rules.catalogue.rainbow import prose, words
from games.rules.catalogue.rainbow.colours import counted
from games.rules.catalogue.rainbow.play import COLOURS
from games.rules.catalogue.rainbow.view import RainbowView
from games.rules.phrase import Say, phrase, phrases
from games.rules.position import Moment, numbered
from games.rules.ruleset import Marks

WIDTH: Final = 640
EDGE: Final = 16
SKY: Final = 72
LINE: Final = 32
CARD_HEIGHT: Final = 78
GAP: Final = 8
SMALL: Final = 24
"""The smallest letters: they are 12 pixels high on a screen of 360."""
CARD_WIDTH: Final = (WIDTH - 2 * EDGE - GAP) / 2
OWN: Final = 212
"""So high is what is the reader's, without the lines that name their drops."""
COLUMNS: Final = 42
"""So many letters of these have room in a line."""
STEP: Final = 58
"""From one of one's own drops to the next: ten lie in a row."""

OFFERED: Final = "offered"
RAIN: Final = 20
"""So many drops of the rain have room below its number when everything is open."""
NAME: Final = 13
"""So many letters of a name have room on a card."""


def drop_place(colour: str) -> str:
    """The place of one's own drops of a colour."""
    return f"drop {colour}"


def picture(view: RainbowView, marks: Marks, say: Say) -> str:
    """The whole table as one seat or a spectator may see it. Own drops of a colour are `drop G`, the drop that one is asked to
    take is `offered`, seats are `seat 3`, the rain is `rain`."""
    others = view.others
    card_height = CARD_HEIGHT + (LINE if view.hands else 0)
    rows = (len(others) + 1) // 2
    top = SKY + (LINE if view.rain_drops else 0) + EDGE
    mine = top + rows * (card_height + GAP)
    named = _named(view, say)
    height = mine + (OWN + LINE * len(named) if view.seat is not None else 0) + EDGE
    title = say(phrase("Rainbow: %(state)s", state=prose.state(view, mine=False)))
    canvas = Canvas(name="rainbow", width=WIDTH, height=height, title=title, description=prose.describe(view, say))
    canvas.rectangle(1, 1, WIDTH - 2, height - 2, corner=20, fill=palette.CLOTH, stroke=palette.CLOTH_EDGE, stroke_width=2)
    table = _Table(canvas, view, marks, say)
    table.rain()
    for index, seat in enumerate(others):
        x = EDGE + (index % 2) * (CARD_WIDTH + GAP)
        table.card(seat, x, top + (index // 2) * (card_height + GAP), card_height)
    if view.seat is not None:
        table.own(view.seat, mine, named)
    return canvas.svg()


class _Table:
    """The table while it is drawn."""

    def __init__(self, canvas: Canvas, view: RainbowView, marks: Marks, say: Say) -> None:
        self.canvas, self.view, self.marks, self.say = canvas, view, marks, say

    def rain(self) -> None:
        """The rain with its number, and the drop on offer."""
        view, canvas = self.view, self.canvas
        with canvas.group(data_place="rain"):
            height = SKY - 18 + (LINE if view.rain_drops else 0)
            self._box(EDGE, 14, WIDTH - 2 * EDGE, height, "rain", fill=palette.CLOTH_EDGE)
            for column in range(3):
                canvas.path(_drop(EDGE + 26 + column * 18, 40 + column % 2 * 6, 9), fill=palette.CARD_EDGE)
            told = phrases("The rain holds %(count)s drop.", "The rain holds %(count)s drops.", view.rain)
            canvas.words(EDGE + 86, 49, self.say(told), size=SMALL, fill=palette.LABEL, text_anchor="start")
            if view.rain_drops:
                drops = f"{' '.join(view.rain_drops[:RAIN])}{'…' * (len(view.rain_drops) > RAIN)}"
                canvas.words(EDGE + 86, 49 + LINE, drops, size=SMALL, fill=palette.LABEL, text_anchor="start")

    def card(self, seat: int, x: float, y: float, height: int) -> None:
        """Another seat: who, how many drops, how long a rainbow; at the end the drops."""
        view, canvas = self.view, self.canvas
        width = CARD_WIDTH
        gone = seat in view.out
        with canvas.group(data_place=words.place(seat), opacity=0.55 if gone else None):
            self._box(x, y, width, CARD_HEIGHT if not view.hands else height, words.place(seat), decides=self._decides(seat))
            canvas.words(x + 12, y + 28, _short(self.say(numbered(seat))), size=SMALL, fill=palette.LABEL, text_anchor="start")
            self._number(x + width - 62, y + 22, view.sizes[seat], gone=gone)
            self._small_rainbow(x + 12, y + 40, view.rainbows[seat])
            if self._offers(seat):
                canvas.path(_drop(x + width - 22, y + 57, 9), fill=palette.LAST)
            if view.hands:
                drops = " ".join(view.hands[seat])
                canvas.words(x + 12, y + 98, drops, size=SMALL, fill=palette.LABEL, text_anchor="start")

    def own(self, seat: int, y: float, named: list[str]) -> None:
        """The reader's rainbow, the drop that waits for their answer, and their drops with their names."""
        view, canvas = self.view, self.canvas
        with canvas.group(data_place=words.place(seat)):
            height = OWN + LINE * len(named) - 4
            self._box(EDGE, y, WIDTH - 2 * EDGE, height, words.place(seat), decides=self._decides(seat))
            for index, colour in enumerate(COLOURS):
                self._slot(EDGE + 44 + index * 64, y + 50, colour, missing=index - view.rainbows[seat])
            for index, line in enumerate(named):
                canvas.words(EDGE + 16, y + 224 + index * LINE, line, size=SMALL, fill=palette.LABEL, text_anchor="start")
        if view.knows_offer and view.decider == seat:
            with canvas.group(data_place=OFFERED):
                self._halo(WIDTH - 70, y + 56, 40, OFFERED)
                self._large(WIDTH - 70, y + 56, view.offer)
        x = EDGE + 48.0
        for colour in COLOURS:
            number = view.hand.count(colour)
            if not number:
                continue
            with canvas.group(data_place=drop_place(colour)):
                for index in range(number):
                    self._halo(x + index * STEP, y + 158, 34, drop_place(colour))
                for index in range(number):
                    self._large(x + index * STEP, y + 158, colour)
            x += number * STEP

    def _decides(self, seat: int) -> bool:
        return self.view.moment is Moment.NOW and self.view.decider == seat

    def _offers(self, seat: int) -> bool:
        return bool(self.view.offer) and seat == self.view.mover and self.view.moment is not Moment.OVER

    def _box(
        self, x: float, y: float, width: float, height: float, place: str, *, fill: str = palette.CARD, decides: bool = False
    ) -> None:
        edge, thick = palette.CARD_EDGE, 1.5
        if place in self.marks.last:
            edge, thick = palette.LAST, 3
        self.canvas.rectangle(x, y, width, height, corner=12, fill=fill, stroke=edge, stroke_width=thick)
        if decides:
            self.canvas.rectangle(x + 3, y + 6, 5, height - 12, corner=2.5, fill=palette.CHOSEN)

    def _number(self, x: float, y: float, number: int, *, gone: bool) -> None:
        self.canvas.path(_drop(x, y, 9), fill=palette.CARD_EDGE)
        self.canvas.words(x + 32, y + 7, "–" if gone else str(number), size=SMALL, fill=palette.LABEL)

    def _small_rainbow(self, x: float, y: float, length: int) -> None:
        for index, colour in enumerate(COLOURS):
            left = x + index * 35
            if index < length:
                self.canvas.rectangle(left, y, 31, 28, corner=5, fill=palette.DROPS[colour])
                self.canvas.words(left + 15.5, y + 23, colour, size=SMALL, fill=palette.INK)
            else:
                self.canvas.rectangle(left, y, 31, 28, corner=5, fill="none", stroke=palette.CARD_EDGE)

    def _slot(self, x: float, y: float, colour: str, *, missing: int) -> None:
        """One band of the reader's rainbow: below 0 it lies there, at 0 it is the next."""
        if missing < 0:
            self.canvas.rectangle(x - 28, y - 30, 56, 60, corner=8, fill=palette.DROPS[colour])
            self._lettered(x, y - 4, colour)
        else:
            edge = palette.CARD_EDGE if missing else palette.LABEL
            self.canvas.rectangle(x - 28, y - 30, 56, 60, corner=8, fill="none", stroke=edge, stroke_dasharray="5 4")
            self.canvas.words(x, y + 8, colour, size=SMALL, fill=edge)

    def _large(self, x: float, y: float, colour: str) -> None:
        self.canvas.path(_drop(x, y, 24), fill=palette.DROPS[colour], stroke=palette.CLOTH_EDGE, stroke_width=1.5)
        self._lettered(x, y, colour)

    def _lettered(self, x: float, y: float, colour: str) -> None:
        pips = COLOURS.index(colour) + 1
        self.canvas.words(x, y + 9, colour, size=26, fill=palette.INK)
        steps = "".join(f"M{x + (index - (pips - 1) / 2) * 5:g} {y + 16:g}h0" for index in range(pips))
        self.canvas.path(steps, stroke=palette.INK, stroke_width=3.4, stroke_linecap="round")

    def _halo(self, x: float, y: float, radius: float, place: str) -> None:
        """A light behind what may be chosen, and behind what is."""
        if place == self.marks.chosen:
            self.canvas.circle(x, y - 2, radius, fill=palette.CHOSEN)
        elif place in self.marks.choices:
            self.canvas.circle(x, y - 2, radius, fill="none", stroke=palette.CHOICE, stroke_width=1.5, stroke_dasharray="4 4")


def _drop(x: float, y: float, radius: float) -> str:
    """A drop whose round part has this radius around (x, y)."""
    tip, shoulder = y - 1.7 * radius, y - 0.55 * radius
    side = 0.84 * radius
    return f"M{x:g} {tip:g}L{x + side:g} {shoulder:g}A{radius:g} {radius:g} 0 1 1 {x - side:g} {shoulder:g}Z"


def _named(view: RainbowView, say: Say) -> list[str]:
    """The reader's drops in words, in lines; no number is parted from its colour."""
    return wrap(re.sub("(?<!,) ", "\N{NO-BREAK SPACE}", say(counted(view.hand))), COLUMNS) if view.hand else []


def _short(name: str) -> str:
    return name if len(name) <= NAME else f"{name[: NAME - 1]}…"


def miniature(view: RainbowView, say: Say) -> str:
    """The rainbows side by side, the reader's marked below."""
    lengths = ", ".join(map(str, view.rainbows))
    width, height = 96, 64
    canvas = Canvas(
        name="rainbow", width=width, height=height, title=say(phrase("Lengths of the rainbows: %(lengths)s", lengths=lengths))
    )
    canvas.rectangle(0, 0, width, height, corner=8, fill=palette.CLOTH)
    step = (width - 12) / view.seats
    thick = round(min(24.0, step * 0.8), 1)
    middles = [6 + step * (seat + 0.5) for seat in range(view.seats)]
    canvas.path("".join(f"M{x:.1f} 55V6" for x in middles), stroke=palette.CLOTH_EDGE, stroke_width=thick)
    for index, colour in enumerate(COLOURS):
        lie = [x for x, length in zip(middles, view.rainbows, strict=True) if index < length]
        if lie:
            bands = "".join(f"M{x:.1f} {55 - 7 * index}v-6" for x in lie)
            canvas.path(bands, stroke=palette.DROPS[colour], stroke_width=thick)
    if view.seat is not None:
        canvas.path(f"M{middles[view.seat]:.1f} 61v-3", stroke=palette.LAST, stroke_width=thick)
    return canvas.svg()
