"""`manage.py replay FILE...`: plays written games through the rules; `--check`: every game of the database through its log."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules import record as records
from games.rules import registry, replay
from games.rules.entry import Record, Unreadable
from games.services import log

Checked = tuple[str, list[str]]


class Command(BaseCommand):
    """Prints each difference and last `N games, M mismatches`; exits with 1 if M > 0."""

    help = "Replays records and reference games, or checks every game of the database against its log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE... | --check."""
        parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
        parser.add_argument("--check", action="store_true", help="check the games of the database")

    def handle(self, *args: Any, **given: Any) -> None:
        """Raises SystemExit(1) on mismatches, CommandError when there is nothing to do or a file cannot be opened."""
        if bool(given["files"]) == given["check"]:
            raise CommandError("name files to replay, or --check")
        checked = (
            ((f"game {game}", found) for game, found in log.differences())
            if given["check"]
            else (one for path in given["files"] for one in _file(path))
        )
        games = mismatches = 0
        for name, differences in checked:
            games += 1
            mismatches += bool(differences)
            for difference in differences:
                self.stdout.write(f"{name}: {difference}")
        self.stdout.write(f"{games} games, {mismatches} mismatches")
        if mismatches:
            raise SystemExit(1)


def _file(path: Path) -> Iterator[Checked]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise CommandError(f"{path}: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        yield str(path), [f"not UTF-8: {problem}"]
        return
    if text.lstrip().startswith("["):
        yield from _records(path, text)
    else:
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip() and not line.lstrip().startswith("#"):
                yield f"{path}:{number}", _line(line)


def _records(path: Path, text: str) -> Iterator[Checked]:
    try:
        found = records.read(text, registry.get)
    except Unreadable as problem:
        yield str(path), [str(problem)]
        return
    for number, record in enumerate(found, start=1):
        yield f"{path}, game {number}", _differences(record)


def _line(line: str) -> list[str]:
    for name in registry.names():
        for dialect in registry.get(name).dialects.values():
            if dialect.reads(line):
                try:
                    return _differences(dialect.read(line))
                except Unreadable as problem:
                    return [str(problem)]
    return [_unknown(line)]


def _unknown(line: str) -> str:
    try:
        named = json.loads(line).get("game")
        registry.get(named)
    except registry.UnknownRuleset as problem:
        return str(problem)
    except (ValueError, AttributeError, TypeError):
        return "no ruleset reads this line"
    return f"{named} does not read this line"


def _differences(record: Record) -> list[str]:
    ruleset = registry.get(record.ruleset)
    if record.version != ruleset.facts.version:
        return [f"version {record.version} of {record.ruleset}; the rules are version {ruleset.facts.version}"]
    return replay.differences(ruleset, record)
