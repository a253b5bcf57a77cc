"""A picture as pixels, for whoever shows no SVG: mail programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from resvg_py import svg_to_bytes

from games.drawing import palette

MARGIN: Final = 8
"""Paper around a picture on each side, in its own units: whatever colour the letter has, it lies on a ground of its own."""
WIDTH: Final = 640 + 2 * MARGIN
"""Pixels. Boards are drawn 640 units wide; at one pixel a unit their straight edges stay sharp."""

LARGE: Final = 900
"""A picture of so many units gets twice as many pixels, to be looked at larger than the letter shows it."""

_FRAME: Final = re.compile(r'viewBox="0 0 (\d+) (\d+)"')


def png(svg: str, *, fonts: Sequence[str]) -> bytes:
    """The picture of a `Canvas` on paper, WIDTH pixels wide (twice that if it is LARGE), as PNG. `fonts` are paths of font files,
    the only ones that are used: what none of them can write is left out.

    Raises ValueError for what is no picture.
    """
    frame = _FRAME.search(svg)
    return bytes(
        svg_to_bytes(
            svg_string=_FRAME.sub(_with_margin, svg, count=1),
            width=2 * WIDTH if frame is not None and int(frame[1]) >= LARGE else WIDTH,
            background=palette.PAPER,
            font_files=[*fonts],
            skip_system_fonts=True,
        )
    )


def _with_margin(frame: re.Match[str]) -> str:
    width, height = (int(side) + 2 * MARGIN for side in frame.groups())
    return f'viewBox="{-MARGIN} {-MARGIN} {width} {height}"'
