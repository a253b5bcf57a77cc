"""The front page's boards: of each game a bundled record, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Final, NamedTuple

from django.utils.translation import get_language

from games.drawing.canvas import apart
from games.rules import record as records
from games.rules import registry
from games.rules.entry import CHANCE_FELL, MOVE
from games.rules.position import Moment
from games.rules.replay import begin, seated, step
from games.rules.ruleset import Marks
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


class _Moment(NamedTuple):
    """A moment before it is drawn."""

    position: Any
    marks: Marks
    who: str = ""
    moved: str = ""
    told: tuple[str, ...] = ()


def showcases(*, game: str, step: int | None) -> tuple[Showcase, ...]:
    """The boards of all games that have one; that of `game` at a step, the last one if it has not so many."""
    found = []
    for one in offered():
        last = _last(one.name)
        if last is not None:
            number = min(step if step is not None and one.name == game else FIRST_SHOWN, last)
            found.append(Showcase(one.name, one.title, _shown(one.name, get_language() or "", number), last))
    return tuple(found)


def record_shown(name: str) -> tuple[Shown, ...]:
    """A game's bundled record in the active language, from its start to its end, a step for each ply with what chance brought
    after it; none if there is no such game or it shows none. All that the game hides is open, as it is after an end."""
    last = _last(name) if name in registry.names() else None
    return () if last is None else tuple(_shown(name, get_language() or "", number) for number in range(last + 1))


def _last(name: str) -> int | None:
    """The number of the last step; None if the game shows no record."""
    return len(_moments(name, get_language() or "")) - 1 if registry.get(name).facts.showcase else None


@lru_cache(maxsize=4096)
def _shown(name: str, language: str, number: int) -> Shown:
    """One step. Each is drawn when it is asked for: all of them take seconds, and most visitors see the first one."""
    ruleset, one = registry.get(name), _moments(name, language)[number]
    moment = Moment.OVER if ruleset.facts.hidden else Moment.NOW
    return Shown(number, apart(drawn(ruleset, one.position, one.marks, moment), name), one.who, one.moved, one.told)


@lru_cache(maxsize=64)
def _moments(name: str, language: str) -> tuple[_Moment, ...]:
    """The language is a key only: `say` speaks the active one."""
    ruleset = registry.get(name)
    file = resources.files(type(ruleset).__module__) / "records" / f"{ruleset.facts.showcase}.game"
    [record] = records.read(file.read_text(encoding="utf-8"), registry.get)
    standing = begin(ruleset, record.options, record.seats)
    moments = [_Moment(standing.position, Marks())]
    for entry in record.entries:
        before, standing = standing, step(ruleset, standing, seated(ruleset, standing, entry))
        if entry.kind == MOVE:
            events = ruleset.events(before.position, entry.text)
            who = seat_title(ruleset, ruleset.to_move(before.position) or 0)
            moments.append(_Moment(standing.position, ruleset.marks(events), who, ruleset.told(entry.text), in_words(events)))
        elif entry.kind == CHANCE_FELL:
            fell, last = in_words(ruleset.events(before.position, entry.text)), moments[-1]
            moments[-1] = last._replace(position=standing.position, told=(*last.told, *fell))
    return tuple(moments)
