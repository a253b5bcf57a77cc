"""`manage.py replay FILE...`: plays written games through the rules; `--check`: every game of the database through its log."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from games.rules import record as records
from games.rules import registry, replay
from games.rules.entry import Record, Unreadable
from games.rules.ruleset import Dialect
from games.services import check

Checked = tuple[str, list[str]]

_LATER_ROUND: Final = re.compile(r"\s*(?!1\.)[0-9]+\.")


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
            ((f"game {game}", found) for game, found in check.differences())
            if given["check"]
            else (one for path in given["files"] for one in _file(path))
        )
        games = mismatches = 0
        for name, differences in checked:
            games += 1
            mismatches += bool(differences)
            for difference in differences:
                self.stdout.write(self._printable(f"{name}: {difference}"))
        self.stdout.write(f"{games} games, {mismatches} mismatches")
        if mismatches:
            raise SystemExit(1)

    def _printable(self, line: str) -> str:
        """The line with what the output cannot encode spelled out: a record may hold any letter, half a surrogate pair too."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        return line.encode(encoding, "backslashreplace").decode(encoding)


def _file(path: Path) -> Iterator[Checked]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise CommandError(f"{path}: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        yield str(path), [f"not UTF-8: {problem}"]
        return
    lines = text.replace("\r\n", "\n").split("\n")
    written = [number for number, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    if written and lines[written[0]].lstrip().startswith("["):
        before = written[0]
        yield from _records(path, "\n" * before + "\n".join(lines[before:]))
        return
    for first, game in _games(lines, written):
        yield _played(path, first, game)


def _games(lines: list[str], written: list[int]) -> Iterator[tuple[int, str]]:
    """The games of a file and the numbers of their first lines: each line is one, and goes on in lines that begin with the
    number of a later round."""
    game: list[int] = []
    for number in written:
        if game and not _LATER_ROUND.match(lines[number]):
            yield game[0] + 1, _between(lines, game)
            game = []
        game.append(number)
    if game:
        yield game[0] + 1, _between(lines, game)


def _between(lines: list[str], wanted: list[int]) -> str:
    """The wanted lines, in their places from the first of them on."""
    return "\n".join(lines[number] if number in wanted else "" for number in range(wanted[0], wanted[-1] + 1))


def _records(path: Path, text: str) -> Iterator[Checked]:
    try:
        for number, record in enumerate(records.one_by_one(text, registry.get), start=1):
            yield f"{path}, game {number}", _differences(record)
    except Unreadable as problem:
        yield str(path), [str(problem)]


def _played(path: Path, first: int, game: str) -> Checked:
    try:
        return f"{path}:{first}", _differences(_dialect(game).read(game))
    except registry.UnknownRuleset as problem:
        return f"{path}:{first}", [str(problem)]
    except Unreadable as problem:
        return f"{path}:{first + problem.line - 1}", [f"column {problem.column}: {problem.why}"]


def _dialect(line: str) -> Dialect:
    """The one that reads the line: of the ruleset that it names if it is JSON, else of any that knows such lines."""
    named = _named(line)
    if named is not None:
        reference = registry.get(named).dialects.get("reference")
        if reference is not None:
            return reference
    for name in registry.names():
        for dialect in registry.get(name).dialects.values():
            if dialect.reads(line):
                return dialect
    raise Unreadable("no ruleset reads this line", 1, 1)


def _named(line: str) -> str | None:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    game = data.get("game") if isinstance(data, dict) else None
    return game if isinstance(game, str) else None


def _differences(record: Record) -> list[str]:
    ruleset = registry.get(record.ruleset)
    if record.version != ruleset.facts.version:
        return [f"version {record.version} of {record.ruleset}; the rules are version {ruleset.facts.version}"]
    return replay.differences(ruleset, record)
