"""Sprouts: how long it takes to read, to test and to find a move, and to lay a line at the end of a game, in milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from time import perf_counter
from typing import TypeVar

from games.rules.catalogue.sprouts import drawing, enclosure, notation, play
from games.rules.catalogue.sprouts.laying import laid
from games.rules.catalogue.sprouts.play import Line, Plan

GAMES = 6
DRAWN_GAMES = 20
LATE = 14
"""Of a game of eight spots the lines after so many are laid in a nearly full drawing."""

T = TypeVar("T")


def main() -> None:
    """A line for each measure."""
    for n in (10, 33):
        plans = [(plan, line) for seed in range(GAMES) for plan, line in a_game(n, Random(seed))]
        moves = [(plan, notation.written(plan, line)) for plan, line in plans]
        told(f"n={n}: read a move", timed(notation.read, moves))
        told(f"n={n}: test whether there is a move", timed(lambda plan, _: play.has_line(plan), plans))
        told(f"n={n}: find a move", timed(lambda plan, _: next(play.lines(plan)), plans))
    laying = []
    for seed in range(DRAWN_GAMES):
        drawn = drawing.start(8)
        for plan, line in a_game(8, Random(seed)):
            began = perf_counter()
            drawn = laid(drawn, plan, line)
            if plan.moves >= LATE:
                laying.append(perf_counter() - began)
    told("n=8: lay a line at the end", laying)


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
        began = perf_counter()
        act(plan, case)
        found.append(perf_counter() - began)
    return found


def told(what: str, seconds: list[float]) -> None:
    """The median and the worst."""
    seconds.sort()
    print(
        f"{what}: median {1e3 * seconds[len(seconds) // 2]:.2f} ms, worst {1e3 * seconds[-1]:.2f} ms of {len(seconds)}",
        flush=True,
    )


if __name__ == "__main__":
    main()
