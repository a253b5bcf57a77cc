"""Pictures of any ruleset: what a page finds in them, and what makes them fit for it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def title_of(picture: str) -> str:
    """What a picture is called."""
    return (ElementTree.fromstring(picture).findtext(f"{SVG}title") or "").strip()


def places(picture: str) -> set[str]:
    """The places that a page can find in a picture."""
    return {found for element in ElementTree.fromstring(picture).iter() if (found := element.get("data-place"))}


def assert_picture(text: str) -> None:
    """One SVG element with a title and a description, fit for a page without inline styles or scripts."""
    svg = ElementTree.fromstring(text)
    assert svg.tag == f"{SVG}svg"
    assert svg.get("role") == "img"
    title, description = svg.find(f"{SVG}title"), svg.find(f"{SVG}desc")
    assert title is not None
    assert (title.text or "").strip()
    assert description is not None
    assert (description.text or "").strip()
    assert svg.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert re.fullmatch(r"0 0 \d+ \d+", svg.get("viewBox", ""))
    attributes = {name for element in svg.iter() for name in element.attrib}
    assert not {name for name in attributes if name == "style" or name.startswith("on") or name.endswith("href")}
    assert not {element.tag for element in svg.iter()} & {f"{SVG}script", f"{SVG}style", f"{SVG}foreignObject"}
