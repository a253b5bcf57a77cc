"""How a Bridg-It board looks: in words, as text, as a picture. The first player goes from the bottom to the top."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from textwrap import wrap
from typing import Final

from games.drawing import palette
from games.drawing.canvas import Canvas
from games.rules.catalogue.bridgit import play
from games.rules.catalogue.bridgit.notation import SEAT_TITLES, SEATS, column, written
from games.rules.catalogue.bridgit.play import BridgitPosition, BridgitView, Point
from games.rules.phrase import Phrase, Say, phrase, phrases
from games.rules.position import Moment, whose_turn
from games.rules.ruleset import Marks

STEP: Final = 40
MARGIN: Final = 76
DOT: Final = 10
LINE: Final = 12
SMALL_STEP: Final = 12
SMALL_MARGIN: Final = 14
COLUMNS: Final = 40
"""The widest diagram that a letter holds."""

COLOURS: Final = (palette.FIRST, palette.SECOND)


def describe(view: BridgitView, say: Say) -> str:
    """Whose dots are which, what each has joined, chain by chain, and who must move: whole sentences for the ear."""
    position = view.position
    sentences = [
        phrase(
            "The first player has %(dots)s round dots (O) and joins bottom and top, "
            "the second as many square ones (#) and joins left and right.",
            dots=position.size * (position.size + 1),
        ),
        *_own(view),
        *chain.from_iterable(_drawn(position, seat) for seat in (0, 1)),
        *_swap(view),
        _state(view, mine=True),
    ]
    return " ".join(map(say, sentences))


def _own(view: BridgitView) -> Iterator[Phrase]:
    if view.seat is not None:
        yield phrase("The square dots are yours.") if view.seat else phrase("The round dots are yours.")


def _swap(view: BridgitView) -> Iterator[Phrase]:
    """The one move that nobody would find on the board."""
    if view.moment is Moment.NOW and play.may_swap(view.position):
        yield phrase("Instead of a line of their own, the second player may answer “swap” and take the first line over.")


def _drawn(position: BridgitPosition, seat: int) -> list[Phrase]:
    lines = position.lines[seat]
    told = [phrases("%(seat)s: %(count)s line.", "%(seat)s: %(count)s lines.", len(lines), seat=SEAT_TITLES[seat])]
    for joined in _chains(seat, lines):
        reach = sorted({end for middle in joined for end in play.ends(seat, middle)}, key=lambda dot: (dot[1 - seat], dot))
        low, high = reach[0][1 - seat] == 0, reach[-1][1 - seat] == 2 * position.size
        told.append(_chain(seat, ", ".join(map(written, sorted(joined))), low=low, high=high))
    return told


def _chain(seat: int, points: str, *, low: bool, high: bool) -> Phrase:
    if low and high:
        return phrase("Joined from side to side: %(points)s.", points=points)
    if low:
        bottom, left = (
            phrase("Joined with the bottom: %(points)s.", points=points),
            phrase("Joined with the left side: %(points)s.", points=points),
        )
        return left if seat else bottom
    if high:
        top, right = (
            phrase("Joined with the top: %(points)s.", points=points),
            phrase("Joined with the right side: %(points)s.", points=points),
        )
        return right if seat else top
    return phrase("Joined: %(points)s.", points=points)


def _chains(seat: int, lines: Iterable[Point]) -> list[set[Point]]:
    """The lines in groups that hang together, each found from its leftmost line."""
    groups: list[tuple[set[Point], set[Point]]] = []
    for middle in sorted(lines):
        dots, joined = set(play.ends(seat, middle)), {middle}
        apart = []
        for group in groups:
            if group[0] & dots:
                dots |= group[0]
                joined |= group[1]
            else:
                apart.append(group)
        groups = [*apart, (dots, joined)]
    return sorted((joined for _, joined in groups), key=min)


def _state(view: BridgitView, *, mine: bool) -> Phrase:
    mover = view.position.mover
    return whose_turn(view.moment, SEAT_TITLES[mover], own=mine and view.seat == mover)


def diagram(view: BridgitView) -> str:
    """A row for each row of points, the first player's dots as O, the second's as #, lines between them; where that would be
    wider than 40 columns, the lines by their middles."""
    position = view.position
    last = 2 * position.size
    if last + 5 > COLUMNS:
        return "\n".join(chain.from_iterable(_listed(position, seat) for seat in (0, 1)))
    rows = [f"{y + 1:>3} " + "".join(_sign(position, (x, y)) for x in range(last + 1)) for y in range(last, -1, -1)]
    return "\n".join((*rows, "    " + "".join(column(x) for x in range(last + 1))))


def _sign(position: BridgitPosition, point: Point) -> str:
    x, y = point
    if (x + y) % 2:
        return "O" if x % 2 else "#"
    seats = [seat for seat in (0, 1) if point in position.lines[seat]]
    if not seats:
        return " "
    return "|" if play.is_upright(seats[0], point) else "-"


def _listed(position: BridgitPosition, seat: int) -> list[str]:
    return wrap(f"{SEATS[seat]}: {' '.join(map(written, sorted(position.lines[seat])))}", COLUMNS)


def picture(view: BridgitView, marks: Marks, say: Say) -> str:
    """The board: round dots and whole lines of the first player, square dots and lines with a dark core of the second.

    The middle of every line that may be drawn is an element whose `data-place` is the move. The winning line is edged.
    """
    position = view.position
    size = 2 * MARGIN + 2 * position.size * STEP
    title = say(phrase("Bridg-It: %(state)s", state=_state(view, mine=False)))
    canvas = Canvas(name="bridgit", width=size, height=size, title=title, description=describe(view, say))
    board = _Board(canvas, position.size)
    board.wood()
    winner = play.winning_line(position.size, position.mover, position.lines[position.mover]) if position.over else ()
    board.edge(position.mover, winner)
    board.edge_last([one for one in _points(position) if written(one) in marks.last])
    for seat in (0, 1):
        board.dots(seat)
        board.lines(seat, position.lines[seat])
    board.places(position, marks)
    return canvas.svg()


def _points(position: BridgitPosition) -> Iterable[Point]:
    return sorted({middle for seat in (0, 1) for middle in play.middles(position.size, seat)})


class _Board:
    """The board while it is drawn."""

    def __init__(self, canvas: Canvas, size: int, step: int = STEP, margin: int = MARGIN) -> None:
        self.canvas, self.size, self.step, self.margin = canvas, size, step, margin
        self.whole = 2 * margin + 2 * size * step

    def at(self, point: Point) -> tuple[int, int]:
        """Where a point lies in the picture."""
        return self.margin + point[0] * self.step, self.whole - self.margin - point[1] * self.step

    def wood(self) -> None:
        """The board, the sides that each must join, letters and numbers."""
        wood = self.canvas.fade("wood", palette.WOOD_LIT, palette.WOOD, palette.WOOD_SHADED)
        self.canvas.rectangle(1, 1, self.whole - 2, self.whole - 2, corner=24, fill=palette.WOOD_EDGE)
        self.canvas.rectangle(4, 4, self.whole - 8, self.whole - 10, corner=22, fill=wood, stroke=palette.BEVEL, stroke_width=1.5)
        first, last = self.margin, self.whole - self.margin
        near, far = first - 24, last + 24
        self.canvas.path(
            f"M{first} {near}H{last}M{first} {far}H{last}", stroke=COLOURS[0], stroke_width=6, stroke_linecap="round"
        )
        sides = f"M{near} {first}V{last}M{far} {first}V{last}"
        self.canvas.path(sides, stroke=COLOURS[1], stroke_width=6, stroke_linecap="round")
        self.canvas.path(sides, stroke=palette.INK, stroke_width=1.5)
        with self.canvas.group(fill=palette.LABEL):
            for number in range(2 * self.size + 1):
                x, y = self.at((number, number))
                self.canvas.words(x, self.whole - 22, column(number), size=19)
                self.canvas.words(28, y + 7, str(number + 1), size=19)

    def dots(self, seat: int) -> None:
        """All dots of a seat."""
        points = [(x, y) for x in range(1 - seat, 2 * self.size + 1, 2) for y in range(seat, 2 * self.size + 1, 2)]
        steps = "".join("M{} {}h0".format(*self.at(point)) for point in points)
        self.canvas.path(steps, stroke=COLOURS[seat], stroke_width=2 * DOT, stroke_linecap="square" if seat else "round")

    def small_dots(self, seat: int) -> None:
        """All dots of a seat, row by row: dashes without length, so that even a large board is short."""
        near, far = self.at((1 - seat, 0))[0], self.at((2 * self.size - 1 + seat, 0))[0]
        rows = "".join(f"M{near} {self.at((0, y))[1]}H{far + 1}" for y in range(seat, 2 * self.size + 1, 2))
        self.canvas.path(
            rows,
            stroke=COLOURS[seat],
            stroke_width=4,
            stroke_linecap="square" if seat else "round",
            stroke_dasharray=f"0 {2 * self.step}",
        )

    def lines(self, seat: int, lines: Iterable[Point]) -> None:
        """The lines of a seat; those of the second have a dark core."""
        steps = self.steps(seat, lines)
        if steps:
            self.canvas.path(steps, stroke=COLOURS[seat], stroke_width=LINE, stroke_linecap="round")
            if seat:
                self.canvas.path(steps, stroke=palette.INK, stroke_width=2.5)

    def edge(self, seat: int, lines: Iterable[Point]) -> None:
        """A wide light under lines."""
        steps = self.steps(seat, lines)
        if steps:
            self.canvas.path(steps, stroke=palette.LAST, stroke_width=LINE + 14, stroke_linecap="round")

    def edge_last(self, points: Iterable[Point]) -> None:
        """A ring around the middles of what was drawn last."""
        for point in points:
            x, y = self.at(point)
            self.canvas.circle(x, y, 0.62 * self.step, fill="none", stroke=palette.LAST, stroke_width=4)

    def places(self, position: BridgitPosition, marks: Marks) -> None:
        """The middles: those that may be chosen as small discs, the chosen one as the line that it would be."""
        with self.canvas.group(fill=palette.CHOICE, stroke_linecap="round"):
            for point in _points(position):
                place, (x, y) = written(point), self.at(point)
                if place == marks.chosen:
                    steps = self.steps(position.mover, (point,))
                    self.canvas.path(steps, data_place=place, stroke=palette.CHOSEN, stroke_width=LINE, stroke_dasharray="6 10")
                elif place in marks.choices:
                    self.canvas.circle(x, y, 6, data_place=place)
                else:
                    self.canvas.path(f"M{x} {y}h0", data_place=place)

    def steps(self, seat: int, lines: Iterable[Point]) -> str:
        """The path of a seat's lines."""
        ends = [tuple(map(self.at, play.ends(seat, middle))) for middle in sorted(lines)]
        return "".join(f"M{x} {y}L{across} {along}" for (x, y), (across, along) in ends)


def miniature(view: BridgitView, say: Say) -> str:
    """Dots and lines alone, as small as a stamp."""
    position = view.position
    size = 2 * SMALL_MARGIN + 2 * position.size * SMALL_STEP
    title = phrase("%(first)s to %(second)s lines", first=len(position.lines[0]), second=len(position.lines[1]))
    canvas = Canvas(name="bridgit", width=size, height=size, title=say(title))
    canvas.rectangle(0, 0, size, size, corner=size / 12, fill=palette.WOOD)
    board = _Board(canvas, position.size, SMALL_STEP, SMALL_MARGIN)
    for seat in (0, 1):
        board.small_dots(seat)
        steps = board.steps(seat, position.lines[seat])
        if steps:
            width = 7 if view.moment is Moment.OVER and position.over and seat == position.mover else 5
            canvas.path(steps, stroke=COLOURS[seat], stroke_width=width, stroke_linecap="round")
    return canvas.svg()
