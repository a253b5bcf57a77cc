"""How a position of Sprouts looks: a sheet of paper with spots and smooth lines, cut to what is drawn on it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

from games.drawing import palette
from games.drawing.canvas import Canvas
from games.rules.catalogue.sprouts import play
from games.rules.catalogue.sprouts.drawing import Drawing, Point, Stroke
from games.rules.catalogue.sprouts.position import SproutsView
from games.rules.catalogue.sprouts.words import describe, state
from games.rules.phrase import Say, phrase, phrases
from games.rules.ruleset import Marks

UNIT: Final = 10
"""So many steps of the grid are one unit of the picture; where spots lie close together, fewer, so that none covers another."""

FINEST: Final = 4
VAST: Final = 7
"""The fewest, and how few make a picture that does not fit a large screen either."""

ROOM: Final = 40
"""The paper round the drawing."""

DISC: Final = 12
PIP: Final = 3
NARROW: Final = 400
"""The widest picture whose numbers are 12 pixels high on a screen that leaves it 320."""

LEAST: Final = 320
"""Sheets are not smaller, either way, so that few spots do not look like balloons."""

SMALL: Final = 60
"""The same of the miniature, where a unit is larger and spots are dots."""


def picture(view: SproutsView, marks: Marks, say: Say) -> str:
    """The drawing: living spots are white with as many pips on their rim as they have lives, dead ones are black.

    Each spot is an element whose `data-place` is its number; the newest line is edged where a move is pointed out.
    """
    plan, drawing = view.position.plan, view.position.drawing
    sheet = _sheet(drawing)
    title = say(phrase("Sprouts: %(state)s", state=state(view, mine=False)))
    looks = "vast" if sheet.unit <= VAST else ""
    canvas = Canvas(
        name="sprouts", width=sheet.width, height=sheet.height, title=title, description=describe(view, say), looks=looks
    )  # fmt: skip
    canvas.rectangle(1, 1, sheet.width - 2, sheet.height - 2, corner=16, fill=palette.PAPER, stroke=palette.WOOD, stroke_width=2)
    if marks.last and drawing.strokes:
        canvas.path(sheet.smooth(-1), stroke=palette.LAST, stroke_width=14, stroke_linecap="round", fill="none")
    lines = "".join(sheet.smooth(number) for number in range(len(drawing.strokes)))
    if lines:
        canvas.path(lines, stroke=palette.INK, stroke_width=3, stroke_linejoin="round", fill="none")
    newest = len(drawing.spots) if marks.last and drawing.strokes else None
    for spot, lives in enumerate(play.lives(plan)):
        if spot:
            if str(spot) in marks.choices:
                x, y = sheet.at(drawing.spots[spot - 1])
                canvas.circle(x, y, DISC + 5, fill="none", stroke=palette.INK, stroke_dasharray="2 4")
            marked = _Marked(spot == newest or str(spot) in marks.last, str(spot) == marks.chosen)
            _spot(canvas, sheet.at(drawing.spots[spot - 1]), spot, lives, marked)
    return canvas.svg()


def is_wide(view: SproutsView) -> bool:
    """Whether the numbers are too small on the narrowest screen."""
    return _sheet(view.position.drawing).width > NARROW


def _sheet(drawing: Drawing) -> _Sheet:
    nearest = min((math.dist(one, other) for one, other in combinations(drawing.spots, 2)), default=math.inf)
    unit = next((unit for unit in range(UNIT, FINEST, -1) if nearest >= unit * (2 * DISC + 2)), FINEST)
    return _Sheet(drawing, unit, ROOM, LEAST)


class _Marked(NamedTuple):
    """Whether a spot is pointed out, and whether a line that is being chosen starts there."""

    pointed_out: bool
    chosen: bool


def _spot(canvas: Canvas, at: tuple[float, float], spot: int, lives: int, marked: _Marked) -> None:
    x, y = at
    with canvas.group(data_place=str(spot)):
        if marked.pointed_out:
            canvas.circle(x, y, DISC + 4, fill=palette.LAST)
        alive = palette.CHOSEN if marked.chosen else "#ffffff"
        width = 4 if marked.chosen else 2
        canvas.circle(x, y, DISC, class_="disc", fill=alive if lives else palette.INK, stroke=palette.INK, stroke_width=width)
        for pip in range(lives):
            canvas.circle(
                x + (pip - (lives - 1) / 2) * 2.6 * PIP, y - DISC - 0.6 * abs(pip - (lives - 1) / 2), PIP, fill=palette.INK
            )
        colour = palette.INK if lives else palette.PAPER
        canvas.words(x, y + 5, str(spot), size=15 if spot < 100 else 12, fill=colour, font_weight="600")


def miniature(view: SproutsView, say: Say) -> str:
    """Lines and dots alone, as small as a stamp."""
    drawing = view.position.drawing
    sheet = _Sheet(drawing, SMALL, 12, 0)
    title = phrases(
        "%(count)s line on %(spots)s spots", "%(count)s lines on %(spots)s spots", len(drawing.strokes), spots=len(drawing.spots)
    )
    canvas = Canvas(name="sprouts", width=sheet.width, height=sheet.height, title=say(title))
    canvas.rectangle(0, 0, sheet.width, sheet.height, corner=8, fill=palette.PAPER)
    lines = "".join(sheet.straight(number) for number in range(len(drawing.strokes)))
    if lines:
        canvas.path(lines, stroke=palette.INK, stroke_width=1.5, stroke_linejoin="round", fill="none")
    dots = "".join("M{:.0f} {:.0f}h0".format(*sheet.at(spot)) for spot in drawing.spots)
    canvas.path(dots, stroke=palette.INK, stroke_width=6, stroke_linecap="round")
    return canvas.svg()


class _Sheet:
    """The paper: what part of the grid is on it, and how large."""

    def __init__(self, drawing: Drawing, unit: int, room: int, least: int) -> None:
        self.drawing, self.unit = drawing, unit
        points = [*drawing.spots, *(point for stroke in drawing.strokes for point in (*stroke.before, *stroke.after))]
        (left, right), (top, bottom) = ((min(along), max(along)) for along in zip(*points, strict=True))
        self.width: int = max(least, round((right - left) / unit) + 2 * room)
        self.height: int = max(least, round((bottom - top) / unit) + 2 * room)
        self.left, self.top = (left + right) / unit / 2 - self.width / 2, (top + bottom) / unit / 2 - self.height / 2

    def at(self, point: Point) -> tuple[float, float]:
        """Where a point lies in the picture."""
        return point[0] / self.unit - self.left, point[1] / self.unit - self.top

    def halves(self, number: int) -> Iterator[list[tuple[float, float]]]:
        """Both halves of a stroke."""
        stroke: Stroke = self.drawing.strokes[number]
        begin, middle, end = (
            self.drawing.spots[at]
            for at in (stroke.first - 1, number % len(self.drawing.strokes) - len(self.drawing.strokes), stroke.second - 1)
        )
        yield [self.at(point) for point in (begin, *stroke.before, middle)]
        yield [self.at(point) for point in (middle, *stroke.after, end)]

    def smooth(self, number: int) -> str:
        """A stroke as a path: bends pull the line towards them, and it goes through the middles between them."""
        steps = []
        for begin, *bends, end in self.halves(number):
            steps.append(f"M{begin[0]:.1f} {begin[1]:.1f}")
            for at, (x, y) in enumerate(bends):
                across, along = bends[at + 1] if at + 1 < len(bends) else end
                if at + 1 < len(bends):
                    across, along = (x + across) / 2, (y + along) / 2
                steps.append(f"Q{x:.1f} {y:.1f} {across:.1f} {along:.1f}")
            if not bends:
                steps.append(f"L{end[0]:.1f} {end[1]:.1f}")
        return "".join(steps)

    @property
    def coarse(self) -> int:
        """Every how many bends are enough on a stamp: the more lines, the fewer."""
        return 2 + len(self.drawing.strokes) // 24

    def straight(self, number: int) -> str:
        """A stroke as a path from bend to bend, some left out."""
        return "".join(
            "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in [*points[: -1 : self.coarse], points[-1]])
            for points in self.halves(number)
        )
