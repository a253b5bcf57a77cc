"""One SVG picture as a string: shapes, text and groups, a title and a description; nothing random, everything escaped.

Colours are presentation attributes, so that a picture looks the same inlined in a page with a strict content policy
and rasterised for a letter. `data-place` on a group lets a page find a place of the board again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from xml.sax.saxutils import escape, quoteattr

Value = str | int | float


class Canvas:
    """A drawing in user units from (0, 0) to (`width`, `height`). `name` prefixes the ids of this picture."""

    def __init__(self, *, name: str, width: int, height: int, title: str, description: str) -> None:
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" class="picture"',
            f' aria-labelledby="{name}-title {name}-desc" font-family="IBM Plex Sans, sans-serif">',
            f'<title id="{name}-title">{_text(title)}</title><desc id="{name}-desc">{_text(description)}</desc>',
        ]

    def circle(self, x: float, y: float, radius: float, **attributes: Value) -> None:
        """A circle around (x, y)."""
        self._element("circle", cx=x, cy=y, r=radius, **attributes)

    def rectangle(self, x: float, y: float, width: float, height: float, *, corner: float = 0, **attributes: Value) -> None:
        """A rectangle with its corner at (x, y), corners rounded by `corner`."""
        self._element("rect", x=x, y=y, width=width, height=height, rx=corner, **attributes)

    def path(self, steps: str, **attributes: Value) -> None:
        """A path in SVG's own path notation."""
        self._element("path", d=steps, **attributes)

    def text(self, x: float, y: float, words: str, *, size: float, **attributes: Value) -> None:
        """Words centred on (x, y), y being their base line."""
        written = _attributes({"x": x, "y": y, "font_size": size, "text_anchor": "middle", **attributes})
        self._parts.append(f"<text{written}>{_text(words)}</text>")

    @contextmanager
    def group(self, **attributes: Value) -> Iterator[None]:
        """What is drawn inside belongs together."""
        self._parts.append(f"<g{_attributes(attributes)}>")
        yield
        self._parts.append("</g>")

    def svg(self) -> str:
        """The finished picture."""
        return "".join([*self._parts, "</svg>"])

    def _element(self, name: str, **attributes: Value) -> None:
        self._parts.append(f"<{name}{_attributes(attributes)}/>")


def _attributes(attributes: dict[str, Value]) -> str:
    return "".join(
        f" {name.rstrip('_').replace('_', '-')}={quoteattr(_value(value))}"
        for name, value in attributes.items()
        if value not in ("", 0) or name in ("x", "y", "cx", "cy")
    )


def _value(value: Value) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _text(words: str) -> str:
    return escape("".join(letter for letter in words if letter.isprintable() or letter == "\n"))
