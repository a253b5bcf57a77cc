"""Browsers, as people call them."""

from __future__ import annotations

from typing import Final

from django import template

register = template.Library()

LONGEST: Final = 40
_PROGRAMS: Final = {
    "Edg": "Edge", "OPR/": "Opera", "YaBrowser": "Yandex", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox",
    "FxiOS": "Firefox", "CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari",
}  # fmt: skip
_SYSTEMS: Final = {
    "Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "Mac OS X": "macOS", "CrOS": "ChromeOS",
    "Linux": "Linux",
}  # fmt: skip
"""Both in this order, for most browsers also name those that they resemble."""


@register.filter
def browser(user_agent: str) -> str:
    """`Firefox, Linux`, by what a browser says of itself; of one that nobody knows the beginning."""
    names = [next((name for sign, name in known.items() if sign in user_agent), "") for known in (_PROGRAMS, _SYSTEMS)]
    return ", ".join(filter(None, names)) or user_agent[:LONGEST]
