"""The graph of a game: what each seat could expect, position by position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.drawing import palette
from games.drawing.canvas import Canvas
from games.engines.finding import CERTAIN

WIDTH: Final = 640
HEIGHT: Final = 284
EDGE: Final = 42
BELOW: Final = 42
"""So much lies below the lines: the numbers of moves."""
NAME: Final = 36
"""So much more where there is a name below them."""
SIZE: Final = 24
"""Of words: at 360 pixels they are still twelve pixels high."""
STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
MOST_NUMBERS: Final = 9
"""So many moves are numbered."""
LINES: Final = (palette.FIRST, palette.SECOND, *palette.DROPS.values())


def swatch(seat: int) -> str:
    """A piece of a seat's line, for a list of players."""
    line = f'<path d="M5 8H27" stroke="{_colour(seat)}" stroke-width="4"/>'
    ground = f'<rect width="32" height="16" rx="4" fill="{palette.CLOTH}"/>'
    return f'<svg class="swatch" viewBox="0 0 32 16" aria-hidden="true">{ground}{line}</svg>'


def _colour(seat: int) -> str:
    """Again from the first one where there are more seats; numbers at the ends of lines tell them apart."""
    return LINES[seat % len(LINES)]


def graph(names: Sequence[str], expected: Sequence[tuple[int, ...] | None]) -> str:
    """A line for each seat of what it could expect, per mille, in each position that something is known of; between two, one
    line. Empty where less than two positions are known."""
    return _graph(tuple(names), tuple(expected), get_language() or "")


@lru_cache(maxsize=64)
def _graph(names: tuple[str, ...], expected: tuple[tuple[int, ...] | None, ...], language: str) -> str:
    """The language is a key only."""
    known = [(index, shares) for index, shares in enumerate(expected) if shares is not None]
    if len(known) < 2:
        return ""
    height = HEIGHT + (NAME if len(names) == 2 else 0)
    canvas = Canvas(name="graph", width=WIDTH, height=height, title=_("How the game went"), description=_told(names, known))
    canvas.rectangle(0, 0, WIDTH, height, corner=14, fill=palette.CLOTH)
    for level in (0.0, 0.5, 1.0):
        canvas.path(f"M{EDGE} {_y(level):g} H{WIDTH - EDGE}", stroke=palette.CARD_EDGE, stroke_width=1, stroke_dasharray="4 5")
    last = max(1, len(expected) - 1)
    step = next((one for one in STEPS if last / one < MOST_NUMBERS), last)
    for number in range(0, last + 1, step):
        x = _x(number, last)
        canvas.path(f"M{x:.1f} {_y(0):g} v6", stroke=palette.CARD_EDGE, stroke_width=1)
        canvas.words(x, _y(0) + SIZE + 2, str(number), size=SIZE - 4, fill=palette.CARD_EDGE)
    for seat in range(1 if len(names) == 2 else len(names)):
        places = [(_x(index, last), _y(shares[seat] / CERTAIN)) for index, shares in known]
        steps = " ".join(f"{'L' if at else 'M'}{x:.1f} {y:.1f}" for at, (x, y) in enumerate(places))
        canvas.path(steps, fill="none", stroke=_colour(seat), stroke_width=3.5, stroke_linejoin="round")
    if len(names) == 2:
        canvas.words(EDGE, EDGE - 12, names[0], size=SIZE, fill=palette.LABEL, text_anchor="start")
        canvas.words(EDGE, height - 16, names[1], size=SIZE, fill=palette.LABEL, text_anchor="start")
    else:
        for seat, y in _apart([_y(share / CERTAIN) for share in known[-1][1]]):
            canvas.words(_x(known[-1][0], last) + EDGE / 2, y + SIZE / 3, str(seat + 1), size=SIZE - 2, fill=_colour(seat))
    return canvas.svg()


def _x(index: int, last: int) -> float:
    return EDGE + (WIDTH - 2 * EDGE) * index / last


def _y(share: float) -> float:
    return HEIGHT - BELOW - (HEIGHT - EDGE - BELOW) * share


def _apart(heights: Sequence[float]) -> list[tuple[int, float]]:
    """The numbers at the ends of lines, each as near to its line as the others let it: none covers another one."""
    ordered = sorted(range(len(heights)), key=lambda seat: heights[seat])
    gap = min(SIZE - 2, (_y(0) - _y(1)) / max(1, len(heights) - 1))
    placed: list[float] = []
    for number, seat in enumerate(ordered):
        lowest = _y(0) - gap * (len(ordered) - 1 - number)
        placed.append(max(min(heights[seat], lowest), placed[-1] + gap if placed else 0))
    return list(zip(ordered, placed, strict=True))


def _told(names: Sequence[str], known: Sequence[tuple[int, tuple[int, ...]]]) -> str:
    """The graph for the ear: what was expected in some of its positions."""
    some = known[:: max(1, len(known) // 6)]
    told = "; ".join(_told_at(index, names, shares) for index, shares in some)
    return _("What each could expect of the points, %(told)s.") % {"told": told}


def _told_at(index: int, names: Sequence[str], expected: Sequence[int]) -> str:
    shares = ", ".join(f"{name} {round(share / 10)} %" for name, share in zip(names, expected, strict=True))
    if not index:
        return _("at the beginning: %(shares)s") % {"shares": shares}
    return _("after move %(number)s: %(shares)s") % {"number": index, "shares": shares}
