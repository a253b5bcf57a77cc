"""One SVG picture as a string: shapes, words and groups, a title and a description; nothing random, everything escaped.

Looks are presentation attributes and never `style`, so that a picture is the same inlined in a page with a strict content
policy and rasterised for a letter. An attribute is written as Python can (`stroke_width`, `class_`); None leaves it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Final
from xml.sax.saxutils import escape, quoteattr

Value = str | float | None

FONT: Final = "IBM Plex Sans, Segoe UI, Noto Sans, sans-serif"

_FORBIDDEN: Final = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # no characters of XML
    "|[\u202a-\u202e\u2066-\u2069]"  # turn the direction of whatever stands beside them
)

_IDS: Final = re.compile(r'((?: id| aria-labelledby)="|url\(#)([\w -]+)("|\))')
"""Where a picture names its parts: three groups, the names in the middle one."""


def apart(svg: str, name: str) -> str:
    """The same finished picture with `name` added to its ids, so that several stand in one page. `name` is a plain word."""
    return _IDS.sub(lambda found: "".join((found[1], found[2].replace(" ", f"-{name} "), f"-{name}", found[3])), svg)


class Canvas:
    """A drawing in user units from (0, 0) to (`width`, `height`), y downwards; `name` begins the ids in it, `looks` are classes
    for the page.

    Two pictures in one page need two names, or `apart`.
    """

    def __init__(self, *, name: str, width: int, height: int, title: str, description: str = "", looks: str = "") -> None:
        self._name = name
        root = {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "role": "img",
            "class": f"picture {name} {looks}".strip(),
            "aria-labelledby": f"{name}-title {name}-desc" if description else f"{name}-title",
            "font-family": FONT,
            "text-anchor": "middle",
        }
        self._parts = [
            f"<svg{_written(root)}>",
            f"<title{_written({'id': f'{name}-title'})}>{_clean(escape(title))}</title>",
        ]
        if description:
            self._parts.append(f"<desc{_written({'id': f'{name}-desc'})}>{_clean(escape(description))}</desc>")

    def fade(self, name: str, *colours: str) -> str:
        """A paint that goes from the first colour at the top to the last at the bottom of whatever wears it."""
        return self._paint("linearGradient", name, colours, {"x2": 0, "y2": 1})

    def glow(self, name: str, *colours: str, x: float = 0.5, y: float = 0.5, radius: float = 0.5) -> str:
        """A paint that goes from the first colour at (x, y) to the last at `radius`, in fractions of whatever wears it."""
        return self._paint("radialGradient", name, colours, {"cx": x, "cy": y, "r": radius})

    def circle(self, x: float, y: float, radius: float, **looks: Value) -> None:
        """A circle around (x, y)."""
        self._element("circle", {"cx": x, "cy": y, "r": radius, **looks})

    def rectangle(self, x: float, y: float, width: float, height: float, *, corner: float | None = None, **looks: Value) -> None:
        """A rectangle with its upper left at (x, y), its corners rounded by `corner`."""
        self._element("rect", {"x": x, "y": y, "width": width, "height": height, "rx": corner, **looks})

    def path(self, steps: str, **looks: Value) -> None:
        """A path in SVG's own notation."""
        self._element("path", {"d": steps, **looks})

    def words(self, x: float, y: float, words: str, *, size: float, **looks: Value) -> None:
        """Words around x, their base line at y."""
        written = _written({"x": x, "y": y, "font_size": size, **looks})
        self._parts.append(f"<text{written}>{_clean(escape(words))}</text>")

    @contextmanager
    def group(self, **looks: Value) -> Iterator[None]:
        """What is drawn inside belongs together and takes over these looks. `data_place` names a place for the page."""
        self._parts.append(f"<g{_written(looks)}>")
        yield
        self._parts.append("</g>")

    def svg(self) -> str:
        """The finished picture."""
        return "".join([*self._parts, "</svg>"])

    def _paint(self, kind: str, name: str, colours: tuple[str, ...], where: Mapping[str, Value]) -> str:
        full = f"{self._name}-{name}"
        stops = "".join(
            f"<stop{_written({'offset': index / (len(colours) - 1), 'stop-color': colour})}/>"
            for index, colour in enumerate(colours)
        )
        self._parts.append(f"<{kind}{_written({'id': full, **where})}>{stops}</{kind}>")
        return f"url(#{full})"

    def _element(self, tag: str, attributes: Mapping[str, Value]) -> None:
        self._parts.append(f"<{tag}{_written(attributes)}/>")


def _written(attributes: Mapping[str, Value]) -> str:
    return "".join([_attribute(name, value) for name, value in attributes.items() if value is not None])


@lru_cache(maxsize=4096)
def _attribute(name: str, value: str | float) -> str:
    """Boards repeat their colours and measures a hundred times."""
    return f" {name.rstrip('_').replace('_', '-')}={_clean(quoteattr(_value(value)))}"


def _value(value: str | float) -> str:
    # Minus zero is zero.
    return f"{value or 0.0:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("", text)
