"""The kinds of games there are, as pages offer them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from django.utils.translation import get_language

from games.drawing.canvas import apart
from games.rules import registry
from games.speech import say

FLAGSHIP: Final = "mangala"
"""The game that is offered first."""


class Offered(NamedTuple):
    """A kind of game; `board` is a very small picture of how it begins, empty where there is none."""

    name: str
    title: str
    board: str


def offered() -> tuple[Offered, ...]:
    """All of them in the active language, the flagship first."""
    names = sorted(registry.names(), key=lambda name: name != FLAGSHIP)
    return tuple([_offered(name, get_language() or "") for name in names])


@lru_cache(maxsize=128)
def _offered(name: str, language: str) -> Offered:
    """The language is a key only: `say` speaks the active one."""
    ruleset = registry.get(name)
    view = ruleset.view(ruleset.start({}, ruleset.facts.seats[0]), None)
    return Offered(name, say(ruleset.facts.title), apart(ruleset.miniature(view, say), name))
