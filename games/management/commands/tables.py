"""`manage.py tables RULESET STONES`: makes endgame tables for play and analysis."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engines.sowing.ranks import MOST
from games.management.session import engine
from games.management.written import options_of
from games.rules import registry
from games.rules.position import BadOptions
from games.selectors import tables as made
from games.services import tables


class Command(BaseCommand):
    """Shows how far it is, and may be broken off and called again."""

    help = "Makes the endgame tables of a sowing game: the exact value of every board with at most so many stones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """RULESET STONES [--option key=value]..."""
        parser.add_argument("ruleset")
        parser.add_argument("stones", type=int)
        parser.add_argument("--option", action="append", default=[], metavar="key=value")

    def handle(self, *args: Any, **given: Any) -> None:
        """Raises CommandError for what does not exist."""
        try:
            found = engine(given["ruleset"])
            if found is None:
                raise CommandError(f"{given['ruleset']} is not a sowing game")
            ruleset, evaluation = found
            variant = evaluation.variant(ruleset.start(options_of(ruleset, given["option"]), 2))
        except (registry.UnknownRuleset, BadOptions) as problem:
            raise CommandError(str(problem)) from problem
        if not 1 <= given["stones"] <= MOST:
            raise CommandError(f"the number of stones is from 1 to {MOST}")
        try:
            for progress in tables.make(variant=variant, stones=given["stones"]):
                self._show(progress)
        except BlockingIOError as problem:
            raise CommandError("somebody else is making these tables") from problem
        except OSError as problem:
            raise CommandError(f"the tables cannot be written: {problem}") from problem
        path = made.values(made.NAMES[variant])
        self.stdout.write(f"Every board with at most {given['stones']} stones is in {path}.")

    def _show(self, progress: tables.Progress) -> None:
        """A bar where somebody watches, else a line for each number of stones."""
        complete = progress.done == progress.boards
        text = f"{progress.stones:2} stones, {progress.boards} boards, time {progress.times}, {progress.changed} changed"
        if self.stdout.isatty():
            filled = 20 * progress.done // progress.boards
            end = "\n" if complete and not progress.changed else ""
            self.stdout.write(f"\r[{'#' * filled}{'.' * (20 - filled)}] {text}\x1b[K", ending=end)
            self.stdout.flush()
        elif complete and not progress.changed:
            self.stdout.write(text)
