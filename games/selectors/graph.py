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
HEIGHT: Final = 260
EDGE: Final = 34
SIZE: Final = 22
LINES: Final = (palette.FIRST, palette.SECOND, *palette.DROPS.values())
"""The colours of seats, again from the first one where there are more; numbers at their ends tell them apart."""


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
    canvas = Canvas(name="graph", width=WIDTH, height=HEIGHT, title=_("How the game went"), description=_told(names, known))
    canvas.rectangle(0, 0, WIDTH, HEIGHT, corner=14, fill=palette.CLOTH)
    for level in (0.0, 0.5, 1.0):
        canvas.path(f"M{EDGE} {_y(level)} H{WIDTH - EDGE}", stroke=palette.CARD_EDGE, stroke_width=1, stroke_dasharray="4 5")
    last = max(1, len(expected) - 1)
    for seat in range(1 if len(names) == 2 else len(names)):
        places = [(EDGE + (WIDTH - 2 * EDGE) * index / last, _y(shares[seat] / CERTAIN)) for index, shares in known]
        steps = " ".join(f"{'L' if at else 'M'}{x:.1f} {y:.1f}" for at, (x, y) in enumerate(places))
        canvas.path(steps, fill="none", stroke=LINES[seat % len(LINES)], stroke_width=3.5, stroke_linejoin="round")
        if len(names) > 2:
            x, y = places[-1]
            canvas.words(x + EDGE / 2, y + SIZE / 3, str(seat + 1), size=SIZE - 4, fill=LINES[seat % len(LINES)])
    if len(names) == 2:
        canvas.words(EDGE, EDGE - 9, names[0], size=SIZE, fill=palette.LABEL, text_anchor="start")
        canvas.words(EDGE, HEIGHT - 9, names[1], size=SIZE, fill=palette.LABEL, text_anchor="start")
    return canvas.svg()


def _y(share: float) -> float:
    return HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * share


def _told(names: Sequence[str], known: Sequence[tuple[int, tuple[int, ...]]]) -> str:
    """The graph for the ear: what was expected in some of its positions."""
    some = known[:: max(1, len(known) // 6)]
    told = "; ".join(
        _("after move %(number)s: %(shares)s")
        % {
            "number": index,
            "shares": ", ".join(f"{name} {round(share / 10)} %" for name, share in zip(names, shares, strict=True)),
        }
        for index, shares in some
    )
    return _("What each could expect of the points, %(told)s.") % {"told": told}
