"""An engine for other programs: what it answers, line by line, in the dialect of UCI that Oware programs speak."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any, Final

from games.engines import choice, sowing
from games.engines.budget import Budget
from games.engines.levels import LEVELS
from games.engines.sowing import uci
from games.engines.sowing.search import Memory
from games.engines.tables import Tables
from games.rules import registry
from games.rules.evaluation import WON, Sowing
from games.rules.position import BadPosition, MoveRefused
from games.rules.ruleset import AnyRuleset

UNLIMITED: Final = 1 << 60
DEEPEST: Final = 60
USUAL: Final = 1_000
"""Milliseconds where `go` says nothing."""

SPARE: Final = 0.006
"""Seconds that are kept back of the time for a move: to notice that it is over, and to answer."""

NEAR: Final = 200
"""An end that is so many plies away was not seen on the board but told by tables."""

_LEVEL: Final = "Level"


@dataclass(slots=True)
class Limits:
    """How long to think: a moment of the monotonic clock or None, and plies."""

    until: float | None = None
    depth: int = 0

    @property
    def are_none(self) -> bool:
        """Whether only `stop` ends it."""
        return self.until is None and not self.depth


@dataclass(slots=True)
class Session:
    """A conversation. `say` writes a line; `is_stopped` tells whether what came meanwhile ends the thinking; it is asked with
    whether nothing else would."""

    ruleset: AnyRuleset
    evaluation: Sowing[Any]
    tables: Callable[[], Tables | None]
    say: Callable[[str], None]
    is_stopped: Callable[[bool], bool]
    options: dict[str, str] = field(default_factory=dict)
    level: int = LEVELS[-1].number
    position: Any = None
    memory: Memory | None = None

    def answer(self, line: str) -> bool:
        """Answers one line; False when it ends the conversation. What cannot be understood gets a word of information."""
        word, *rest = line.split() or [""]
        if word == "quit":
            return False
        if word == "uci":
            self._introduce()
            # Not everybody asks with `isready`, and the first `go` has no time for it.
            self._be_ready()
        elif word == "isready":
            self._be_ready()
            self.say("readyok")
        elif word == "ucinewgame":
            self.position, self.memory = None, None
        elif word == "setoption":
            self._set_option(rest)
        elif word == "position":
            self._place(rest)
        elif word == "go":
            self._go(rest)
        elif word not in ("", "stop"):
            self._inform(f"unknown command {word[:40]!a}")
        return True

    def _inform(self, text: str) -> None:
        self.say(f"info string {text}")

    def _introduce(self) -> None:
        facts = self.ruleset.facts
        self.say(f"id name Perepiska {facts.name}")
        self.say("id author the Perepiska authors")
        self.say(f"option name {_LEVEL} type spin default {LEVELS[-1].number} min 1 max {LEVELS[-1].number}")
        for option in facts.options:
            values = " ".join(f"var {value}" for value, _ in option.offered)
            self.say(f"option name {option.name} type combo default {option.default} {values}")
        self.say("uciok")

    def _be_ready(self) -> None:
        """Everything is compiled and in memory afterwards."""
        start = self.ruleset.start(self.options, 2)
        sowing.prepare(self.evaluation, start, 0, Budget(2_000), self.tables(), self._memory()).rank()

    def _memory(self) -> Memory:
        if self.memory is None:
            self.memory = Memory(sowing.MOST_REMEMBERED)
        return self.memory

    def _set_option(self, words: list[str]) -> None:
        name, value = _named(words)
        known = {option.name.lower(): option for option in self.ruleset.facts.options}
        if name.lower() == _LEVEL.lower():
            found = next((one.number for one in LEVELS if value == str(one.number)), None)
            if found is not None:
                self.level = found
                return
        elif name.lower() in known and value in [offered for offered, _ in known[name.lower()].offered]:
            self.options[known[name.lower()].name] = value
            self.position, self.memory = None, None
            return
        self._inform(f"no option {name[:40]!a} with the value {value[:40]!a}")

    def _place(self, words: list[str]) -> None:
        """Takes a position and plays moves from it; where something is wrong, the last right position stays."""
        kind, *rest = words or [""]
        try:
            if kind == "startpos":
                position = self.ruleset.start(self.options, 2)
            elif kind == "fen" and rest:
                position = self.ruleset.load({**uci.board_of(rest.pop(0)), **self.options})
            else:
                raise BadPosition("a position is startpos, or fen and a diagram")
            self.position = self._after(position, rest)
        except (BadPosition, MoveRefused) as problem:
            self._inform(str(problem))

    def _after(self, position: Any, words: list[str]) -> Any:
        if words and words[0] != "moves":
            raise BadPosition("after the position comes moves")
        for letter in "".join(words[1:]):
            ply = uci.ply_of(letter)
            if ply is None:
                raise BadPosition(f"{letter!a} is not a move: a letter from A to F, or a to f")
            position = self.ruleset.play(position, ply)
        return position

    def _go(self, words: list[str]) -> None:
        began = monotonic()
        limits, unknown = _limits(words, began)
        if unknown:
            self._inform(f"go knows movetime MS, depth N and infinite, not {unknown[:40]!a}")
        position = self.ruleset.start(self.options, 2) if self.position is None else self.position
        seat = self.ruleset.to_move(position)
        ply = None if seat is None else self._choose(position, seat, limits)
        self.say(f"bestmove {uci.NO_MOVE if ply is None or seat is None else uci.letter_of(ply, seat)}")

    def _choose(self, position: Any, seat: int, limits: Limits) -> str:
        def expired() -> bool:
            return (limits.until is not None and monotonic() >= limits.until) or self.is_stopped(limits.are_none)

        if self.level < len(LEVELS):
            nodes = choice.nodes_of(self.ruleset, self.level)
            view = self.ruleset.view(position, seat)
            seed = Random(str(view)).getrandbits(32)  # noqa: S311 - a slip is no secret
            return choice.choose(
                self.ruleset, view, level=self.level, budget=Budget(nodes, expired), seed=seed, tables=self.tables()
            )
        budget = Budget(UNLIMITED, expired)
        began = monotonic()
        search = sowing.prepare(self.evaluation, position, seat, budget, self.tables(), self._memory())
        found = search.rank(depth=limits.depth)
        best = found.moves[0]
        spent = max(monotonic() - began, 0.001)
        line = "".join(self._letters(position, best.line))
        score = _score(best.value)
        self.say(
            f"info depth {found.depth} score {score} nodes {found.nodes} time {spent * 1000:.0f} nps {found.nodes / spent:.0f}"
            f" pv {line}"
        )
        return str(best.pit + 1)

    def _letters(self, position: Any, pits: tuple[int, ...]) -> Iterator[str]:
        for pit in pits:
            seat = self.ruleset.to_move(position)
            if seat is None:
                return
            yield uci.letter_of(str(pit + 1), seat)
            position = self.ruleset.play(position, str(pit + 1))


def _score(value: int) -> str:
    """How UCI tells a value: the plies to an end that is seen, or what the search thinks of it."""
    if WON - abs(value) >= NEAR:
        return f"cp {value}"
    return f"mate {WON - value if value > 0 else -value - WON}"


def _named(words: list[str]) -> tuple[str, str]:
    """The name and the value of `setoption name NAME value VALUE`; both may hold blanks."""
    text = " ".join(words)
    before, _, value = text.partition(" value ")
    return before.removeprefix("name ").strip(), value.strip()


def _limits(words: list[str], began: float) -> tuple[Limits, str]:
    """What `go` says, and the first thing there that cannot be understood. It has an end even then, unless it shall have none."""
    limits, unknown, given = Limits(), "", iter(words)
    for word in given:
        if word not in ("movetime", "depth"):
            unknown = unknown or ("" if word == "infinite" else word)
            continue
        number = next(given, "")
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            unknown = unknown or f"{word} {number}"
        elif word == "movetime":
            limits.until = began + int(number) / 1000 - min(SPARE, int(number) / 4000)
        else:
            limits.depth = min(max(int(number), 1), DEEPEST)
    if limits.are_none and "infinite" not in words:
        limits.until = began + USUAL / 1000
    return limits, unknown


def engine(name: str) -> tuple[AnyRuleset, Sowing[Any]] | None:
    """A sowing game and what it tells of itself; None for other games. Raises UnknownRuleset."""
    ruleset, evaluation = registry.get(name), registry.evaluation(name)
    return (ruleset, evaluation) if isinstance(evaluation, Sowing) else None
