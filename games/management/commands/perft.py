"""`manage.py perft RULESET DEPTH`: counts sequences of plies, depth by depth."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.written import options_of
from games.rules import registry
from games.rules.perft import perft
from games.rules.position import BadOptions, BadPosition


class Command(BaseCommand):
    """Prints `depth d: leaves (ended k)` for each depth."""

    help = "Counts the sequences of plies of a ruleset, depth by depth."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """RULESET DEPTH [--option key=value]... [--position JSON]."""
        parser.add_argument("ruleset")
        parser.add_argument("depth", type=int)
        parser.add_argument("--option", action="append", default=[], metavar="key=value")
        parser.add_argument("--position", metavar="JSON", help="start here instead of at the beginning")

    def handle(self, *args: Any, **given: Any) -> None:
        """Raises CommandError for what does not exist."""
        try:
            ruleset = registry.get(given["ruleset"])
            options = options_of(ruleset, given["option"])
            position = ruleset.start(options, ruleset.facts.seats[0])
            if given["position"] is not None:
                position = ruleset.load({**_object(given["position"]), **options})
        except (registry.UnknownRuleset, BadOptions, BadPosition) as problem:
            raise CommandError(str(problem)) from problem
        if given["depth"] < 1:
            raise CommandError("the depth is a number from 1")
        for depth in range(1, given["depth"] + 1):
            leaves, ended = perft(ruleset, position, depth)
            self.stdout.write(f"depth {depth}: {leaves} (ended {ended})")


def _object(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise CommandError(f"the position is not JSON: {problem}") from problem
    if not isinstance(data, dict):
        raise CommandError("the position is not a JSON object")
    return data
