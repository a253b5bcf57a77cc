"""`manage.py engine RULESET`: an opponent for other programs, on standard input and output."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from io import TextIOWrapper
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, Final, TextIO

from django.core.management.base import BaseCommand, CommandError

from games.management.session import Session, engine
from games.rules import registry
from games.selectors import tables

_ENDS_THINKING: Final = ("stop", "quit")

PATIENCE: Final = 60.0
"""Seconds that a thinking may last when nobody can stop it any more, because the lines have ended."""


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
        try:
            while session.answer(line := ears.lines.get()):
                ears.forget(line)
        except (BrokenPipeError, KeyboardInterrupt):
            # Nobody reads any more: what is left of the output goes nowhere, for Python would complain of it at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Ears(Thread):
    """Hears lines while the engine thinks: some end the thinking, `isready` is answered at once."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(daemon=True)
        self.lines: SimpleQueue[str] = SimpleQueue()
        self._stream = stream
        self._ending: SimpleQueue[str] = SimpleQueue()
        self._ended_at: float | None = None
        # Each is counted by one thread alone.
        self._asked = self._thought = 0

    def run(self) -> None:
        """Until the stream ends, which is as good as `quit` after what was asked before."""
        try:
            for written in self._stream:
                self._hear(written.strip())
        except BrokenPipeError:
            self._hear("quit")
        self._ended_at = monotonic()
        self.lines.put("quit")

    def _hear(self, line: str) -> None:
        # What is still to be thought of counts: whoever waits for this answer may not say `stop` before it.
        if line == "isready" and self._asked > self._thought:
            _say("readyok")
            return
        if line in _ENDS_THINKING:
            self._ending.put(line)
        self._asked += _is_go(line)
        self.lines.put(line)

    def is_stopped(self, nothing_else_ends_it: bool) -> bool:
        """Whether to stop thinking."""
        if self._ended_at is not None and (nothing_else_ends_it or monotonic() > self._ended_at + PATIENCE):
            return True
        return not self._ending.empty()

    def forget(self, line: str) -> None:
        """A line that was answered: one that ended a thinking ends no later one."""
        self._thought += _is_go(line)
        if line in _ENDS_THINKING:
            self._ending.get()


def _is_go(line: str) -> bool:
    return line.split()[:1] == ["go"]


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
