"""Random games of any ruleset: their moves, and everything else that may happen at a table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from games.rules import entry as kinds
from games.rules.entry import Entry
from games.rules.position import CHANCE
from games.rules.replay import begin, step
from games.rules.ruleset import AnyRuleset, Ruleset
from games.rules.standing import Standing, may_abort, may_propose, must_answer

LONGEST = 2000
SOAKED = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
MORE_SEATS = 20 if SOAKED else 2
"""So many more than the fewest sit at the table of a random game at most: large tables play long games."""
VALUES = None if SOAKED else 3
"""Of an option that offers more values (sizes of a board) a random game takes one of the first: those of the largest are long."""

DRAWN = None if SOAKED else 16
"""So many different games are there where a move is kept with its drawing, which takes long to make and is remembered."""


@dataclass(frozen=True)
class Course:
    """A random game: its options, its entries, and the standing before each and at the end."""

    options: dict[str, Any]
    entries: list[Entry] = field(default_factory=list)
    standings: list[Standing[Any]] = field(default_factory=list)

    @property
    def last(self) -> Standing[Any]:
        """The standing at the end."""
        return self.standings[-1]


def random_game(ruleset: AnyRuleset, seed: int, *, upsets: bool = False) -> Course:
    """A game of random moves to its end. With `upsets` seats also run out of time, leave, propose and answer."""
    random = random_for(ruleset, seed)
    options = {option.name: random.choice(option.offered[:VALUES])[0] for option in ruleset.facts.options}
    few, many = ruleset.facts.seats
    standing = begin(ruleset, options, random.randint(few, min(many, few + MORE_SEATS)))
    course = Course(options, [], [standing])
    while standing.outcome is None:
        entry = (random_upset(ruleset, standing, random) if upsets else None) or random_step(ruleset, standing, random)
        standing = step(ruleset, standing, entry)
        course.entries.append(entry)
        course.standings.append(standing)
        assert len(course.entries) < LONGEST, "a random game ends"
    return course


def random_for(ruleset: AnyRuleset, seed: int) -> Random:
    """What chooses the moves of a random game."""
    is_drawn = type(ruleset).stored is not Ruleset.stored
    return Random(seed % DRAWN if is_drawn and DRAWN else seed)


def random_step(ruleset: AnyRuleset, standing: Standing[Any], random: Random) -> Entry:
    decider = ruleset.to_move(standing.position)
    number = standing.number + 1
    if decider == CHANCE:
        outcomes, weights = zip(*ruleset.chance(standing.position), strict=True)
        return Entry(number, kinds.CHANCE_FELL, None, random.choices(outcomes, weights)[0])
    return Entry(number, kinds.MOVE, decider, random.choice(list(ruleset.legal_moves(standing.position))))


def random_upset(ruleset: AnyRuleset, standing: Standing[Any], random: Random) -> Entry | None:
    """Something else that may happen here, seldom."""
    number = standing.number + 1
    here = [seat for seat in range(standing.seats) if seat not in standing.left]
    decider = ruleset.to_move(standing.position)
    kind = random.choices(["", kinds.TIMEOUT, kinds.RESIGN, kinds.PROPOSE, "answer", kinds.ABORT], [80, 4, 1, 8, 12, 1])[0]
    if kind == kinds.TIMEOUT and decider != CHANCE:
        return Entry(number, kinds.TIMEOUT, decider)
    if kind == kinds.RESIGN:
        return Entry(number, kinds.RESIGN, random.choice(here))
    if kind == kinds.ABORT and may_abort(standing):
        return Entry(number, kinds.ABORT, random.choice(here))
    if kind == kinds.PROPOSE:
        seat = random.choice(here)
        waiting = {one.kind for one in standing.proposals if one.seat == seat}
        removals = [f"{kinds.REMOVE} {silent}" for silent in ruleset.removable(standing.position)]
        possible = [one for one in (*ruleset.proposals(standing.position), *removals, kinds.TAKEBACK) if one not in waiting]
        new = [one for one in possible if may_propose(ruleset, standing, seat, one)]
        return Entry(number, kinds.PROPOSE, seat, random.choice(new)) if new else None
    if kind == "answer" and standing.proposals:
        asked = random.choice(standing.proposals)
        if random.random() < 0.2:
            return Entry(number, kinds.WITHDRAW, asked.seat, str(asked.number))
        answer = random.choice([kinds.AGREE, kinds.AGREE, kinds.REFUSE])
        return Entry(number, answer, min(must_answer(standing, asked)), str(asked.number))
    return None


def watchers(standing: Standing[Any]) -> list[int | None]:
    """All who look at a game: a spectator and every seat."""
    return [None, *range(standing.seats)]


def moves_at(course: Course, ruleset: AnyRuleset) -> Iterator[tuple[Standing[Any], list[str]]]:
    """Every standing of a game with the moves that are listed there."""
    for standing in course.standings:
        yield standing, [] if standing.outcome else list(ruleset.legal_moves(standing.position))
