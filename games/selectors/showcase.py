"""The front page's boards: of each game a bundled record, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Final, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.drawing.canvas import apart
from games.rules import record as records
from games.rules import registry
from games.rules.entry import CHANCE_FELL, MOVE
from games.rules.position import CHANCE
from games.rules.replay import begin, seated, step
from games.rules.ruleset import AnyRuleset, Marks
from games.selectors.boards import drawn
from games.selectors.log import in_words
from games.selectors.rulesets import offered
from games.selectors.words import seat_title

FIRST_SHOWN: Final = 6
"""The step at which a board stands still: no longer that of the beginning, and where stones are captured, some were."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A moment of a record: `svg`, `who` moved (empty at the start), what was `moved` and what it did in words."""

    number: int
    svg: str
    who: str
    moved: str
    told: tuple[str, ...]


class Showcase(NamedTuple):
    """A game's board as it is `shown` at first, and the number of the `last` step."""

    name: str
    title: str
    shown: Shown
    last: int


def showcases(*, game: str, step: int | None) -> tuple[Showcase, ...]:
    """The boards of all games that have one; that of `game` at a step, the last one if it has not so many."""
    found = []
    for one in offered():
        steps = record_shown(one.name)
        if steps:
            number = step if step is not None and one.name == game else FIRST_SHOWN
            found.append(Showcase(one.name, one.title, steps[min(number, len(steps) - 1)], len(steps) - 1))
    return tuple(found)


def record_shown(name: str) -> tuple[Shown, ...]:
    """A game's bundled record in the active language, from its start to its end, a step for each ply; none if there is no such
    game or it shows none."""
    shows = name in registry.names() and registry.get(name).facts.showcase
    return _steps(name, get_language() or "") if shows else ()


@lru_cache(maxsize=64)
def _steps(name: str, language: str) -> tuple[Shown, ...]:
    """The language is a key only: `say` speaks the active one."""
    ruleset = registry.get(name)
    file = resources.files(type(ruleset).__module__) / "records" / f"{ruleset.facts.showcase}.game"
    [record] = records.read(file.read_text(encoding="utf-8"), registry.get)
    standing = begin(ruleset, record.options, record.seats)
    found = [Shown(0, apart(drawn(ruleset, standing.position, Marks()), name), "", "", ())]
    for entry in record.entries:
        before, standing = standing, step(ruleset, standing, seated(ruleset, standing, entry))
        if entry.kind not in (MOVE, CHANCE_FELL):
            continue
        events = ruleset.events(before.position, entry.text)
        svg = apart(drawn(ruleset, standing.position, ruleset.marks(events)), name)
        who = _decider(ruleset, before.position)
        found.append(Shown(len(found), svg, who, entry.text, in_words(events)))
    return tuple(found)


def _decider(ruleset: AnyRuleset, position: Any) -> str:
    decides = ruleset.to_move(position)
    return _("Chance") if decides in (None, CHANCE) else seat_title(ruleset, decides)
