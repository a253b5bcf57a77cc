"""The registry of rulesets: every package of the catalogue that holds a RULESET, found by looking."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

from games.rules import catalogue
from games.rules.evaluation import Evaluation
from games.rules.ruleset import AnyRuleset


class UnknownRuleset(KeyError):
    """No ruleset has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"there is no ruleset called {self.name!r}; there are {', '.join(names())}"


@cache
def _rulesets() -> dict[str, AnyRuleset]:
    found: dict[str, AnyRuleset] = {}
    for module in iter_modules(catalogue.__path__, f"{catalogue.__name__}."):
        ruleset: AnyRuleset | None = getattr(import_module(module.name), "RULESET", None)
        if ruleset is not None:
            found[ruleset.facts.name] = ruleset
    return found


def get(name: str) -> AnyRuleset:
    """The ruleset of this name. Raises UnknownRuleset."""
    try:
        return _rulesets()[name]
    except KeyError:
        raise UnknownRuleset(name) from None


def names() -> tuple[str, ...]:
    """The names of all rulesets, in alphabetical order."""
    return tuple(sorted(_rulesets()))


def evaluation(name: str) -> Evaluation[Any]:
    """What the game of this name knows of its positions. Raises UnknownRuleset."""
    return evaluation_of(get(name))


@cache
def evaluation_of(ruleset: AnyRuleset) -> Evaluation[Any]:
    """The EVALUATION of a ruleset's own folder, imported when it is first asked for; where there is none, one that knows
    nothing."""
    folder = type(ruleset).__module__
    place = f"{folder}.evaluation"
    if getattr(import_module(folder), "__path__", None) is None or find_spec(place) is None:
        return Evaluation(ruleset)
    found: Evaluation[Any] = import_module(place).EVALUATION
    return found if found.ruleset is ruleset else Evaluation(ruleset)


def look_again() -> None:
    """Forgets what was found: the catalogue has another place, or one less."""
    _rulesets.cache_clear()


def register(ruleset: AnyRuleset) -> None:
    """Adds a ruleset that lives outside the catalogue."""
    _rulesets()[ruleset.facts.name] = ruleset


def unregister(name: str) -> None:
    """Takes back `register`."""
    del _rulesets()[name]
