"""The picture of a board as letters carry it: pixels in few colours."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources
from io import BytesIO
from typing import Final

from PIL import Image

from games.drawing import raster
from games.selectors import GamePage
from notifications.message import domain
from notifications.sources import Picture

FONTS: Final = "fontpkg_ibm_plex_sans"
"""A package that brings the first of the fonts that pictures ask for, upright and slanted."""
COLOURS: Final = 256
"""A palette makes a picture three times smaller; a board has hardly more colours that the eye tells apart."""
DRAWN: Final = 64
"""So many pictures are remembered, 20 KB each: drawing takes 100 ms, and all games of a kind begin alike."""


def board(page: GamePage) -> Picture:
    """The board that the page shows, with its description for whoever does not see it."""
    name = f"board-{page.pk}-{page.position_number}-{page.seat}"
    return Picture(f"{name}@{domain()}", drawn(page.svg), page.description)


@cache
def fonts() -> tuple[str, ...]:
    """The paths of the font files that pictures are written with."""
    return tuple(sorted(str(file) for file in (resources.files(FONTS) / "files").iterdir() if file.name.endswith(".ttf")))


@lru_cache(maxsize=DRAWN)
def drawn(svg: str) -> bytes:
    """The pixels, remembered."""
    return pixels(svg)


def pixels(svg: str) -> bytes:
    """The picture as a PNG of few colours."""
    small = BytesIO()
    with Image.open(BytesIO(raster.png(svg, fonts=fonts()))) as picture:
        few = picture.convert("RGB").quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(small, "PNG")
    return small.getvalue()
