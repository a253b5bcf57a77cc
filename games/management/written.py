"""Options as commands get them: `--option key=value`."""

from __future__ import annotations

from django.core.management.base import CommandError

from games.rules.entry import OptionValue
from games.rules.record import option_value
from games.rules.ruleset import AnyRuleset


def options_of(ruleset: AnyRuleset, given: list[str]) -> dict[str, OptionValue]:
    """The options that were written, in the types of the ruleset. Raises CommandError."""
    kinds = {option.name: type(option.default) for option in ruleset.facts.options}
    options: dict[str, OptionValue] = {}
    for text in given:
        name, equals, value = text.partition("=")
        try:
            options[name] = option_value(kinds.get(name, str), value)
        except ValueError as problem:
            raise CommandError(f"the option {name} cannot be {value!r}") from problem
        if not equals:
            raise CommandError(f"{text!r} is not written as key=value")
    return options
