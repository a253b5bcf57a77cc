"""Sprouts: how long it takes to read, to test and to find a move, and to lay a line at the end of a game, in milliseconds.

`python -m tests.bench.lines [1000]`: so many lines are laid. All is time of the processor, whatever else it does meanwhile.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import count
from random import Random
from time import process_time
from typing import TypeVar

from games.rules.catalogue.sprouts import drawing, enclosure, notation, play
from games.rules.catalogue.sprouts.laying import laid
from games.rules.catalogue.sprouts.play import Line, Plan

GAMES = 6
LINES = 100
LATE = 14
"""Of a game of eight spots the lines after so many are laid in a nearly full drawing."""

T = TypeVar("T")


def main(lines: int) -> None:
    """A line for each measure."""
    for n in (10, 33):
        plans = [(plan, line) for seed in range(GAMES) for plan, line in a_game(n, Random(seed))]
        moves = [(plan, notation.written(plan, line)) for plan, line in plans]
        told(f"n={n}: read a move", timed(notation.read, moves))
        told(f"n={n}: test whether there is a move", timed(lambda plan, _: play.has_line(plan), plans))
        told(f"n={n}: find a move", timed(lambda plan, _: next(play.lines(plan)), plans))
    told("n=8: lay a line at the end", late_lines(lines))


def late_lines(many: int) -> list[float]:
    """The seconds that lines at the end of games of eight spots take."""
    taken: list[float] = []
    seeds = count()
    while True:
        drawn, seed = drawing.start(8), next(seeds)
        for plan, line in a_game(8, Random(seed)):
            began = process_time()
            drawn = laid(drawn, plan, line)
            if plan.moves >= LATE:
                taken.append(process_time() - began)
            if len(taken) == many:
                return taken


def a_game(n: int, random: Random) -> Iterable[tuple[Plan, Line]]:
    """The positions of a random game, each with the line that was drawn in it."""
    plan = play.start(n, misere=False)
    while play.has_line(plan):
        course = random.choice(list(play.courses(plan)))
        near = tuple(walk for walk in course.others if random.random() < 0.5) if course.parts else ()
        line = course._replace(near=near)
        yield plan, line
        plan = play.draw(plan, line)


def timed(act: Callable[[Plan, T], object], cases: list[tuple[Plan, T]]) -> list[float]:
    """The seconds that each case takes, nothing remembered from the one before."""
    found = []
    for plan, case in cases:
        play.lives.cache_clear()
        enclosure.meanings.cache_clear()
        began = process_time()
        act(plan, case)
        found.append(process_time() - began)
    return found


def told(what: str, seconds: list[float]) -> None:
    """The median and the worst."""
    seconds.sort()
    print(
        f"{what}: median {1e3 * seconds[len(seconds) // 2]:.2f} ms, worst {1e3 * seconds[-1]:.2f} ms of {len(seconds)}",
        flush=True,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else LINES)
