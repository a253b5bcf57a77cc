"""`manage.py engine RULESET`: an opponent for other programs, on standard input and output."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from io import TextIOWrapper
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TextIO

from django.core.management.base import BaseCommand, CommandError

from games.management.session import Session, engine
from games.rules import registry
from games.selectors import tables

_ENDS_THINKING: Final = ("stop", "quit")


class Command(BaseCommand):
    """Speaks UCI as Oware programs do: see README."""

    help = "Speaks UCI, the language of engines, on standard input and output."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """RULESET."""
        parser.add_argument("ruleset")

    def handle(self, *args: Any, **given: Any) -> None:
        """Raises CommandError for a game that has no such engine."""
        try:
            found = engine(given["ruleset"])
        except registry.UnknownRuleset as problem:
            raise CommandError(str(problem)) from problem
        if found is None:
            raise CommandError(f"{given['ruleset']} is not a sowing game")
        if isinstance(sys.stdin, TextIOWrapper):
            # Bytes that are no text must not make it deaf.
            sys.stdin.reconfigure(errors="replace")
        ears = Ears(sys.stdin)
        session = Session(*found, tables=tables.opened, say=_say, is_stopped=ears.is_stopped)
        ears.start()
        while True:
            line = ears.lines.get()
            ears.thinks = line.startswith("go")
            if not session.answer(line):
                return
            ears.thinks = False
            ears.forget(line)


class Ears(Thread):
    """Hears lines while the engine thinks: some end the thinking, `isready` is answered at once."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(daemon=True)
        self.lines: SimpleQueue[str] = SimpleQueue()
        self.thinks = False
        self._stream = stream
        self._ending: SimpleQueue[str] = SimpleQueue()
        self._is_at_end = False

    def run(self) -> None:
        """Until the stream ends, which is as good as `quit` after what was asked before."""
        for written in self._stream:
            line = written.strip()
            if line == "isready" and self.thinks:
                _say("readyok")
                continue
            if line in _ENDS_THINKING:
                self._ending.put(line)
            self.lines.put(line)
        self._is_at_end = True
        self.lines.put("quit")

    def is_stopped(self, nothing_else_ends_it: bool) -> bool:
        """Whether to stop thinking."""
        return not self._ending.empty() or (nothing_else_ends_it and self._is_at_end)

    def forget(self, line: str) -> None:
        """A line that ended a thinking ends no later one."""
        if line in _ENDS_THINKING:
            self._ending.get()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
