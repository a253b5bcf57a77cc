"""The ladder of levels: how each fares against the one below. `python -m tests.ladder RULESET [GAMES]` prints the table."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from games.engines.budget import Budget
from games.engines.choice import choose, nodes_of
from games.engines.levels import LEVELS
from games.rules import registry
from games.rules.phrase import in_english
from games.rules.position import CHANCE
from games.rules.ruleset import AnyRuleset

GAMES = 60
GOAL = 0.6
LONGEST = 1_000
MOVE_TIME = 0.03
"""Seconds of processor time."""

Player = Callable[[AnyRuleset, Any, Random], str]
"""Chooses a move of a position; what it may know is up to it."""


@dataclass
class Score:
    """What the first player of a match got of how many games, and how long both thought, in seconds of processor time."""

    points: float = 0.0
    games: int = 0
    thought: list[float] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Points per game."""
        return self.points / self.games


def opponent(level: int, seconds: float = MOVE_TIME) -> Player:
    """A player of a level, who thinks no longer about a move than this."""

    def player(ruleset: AnyRuleset, position: Any, random: Random) -> str:
        view = ruleset.view(position, ruleset.to_move(position))
        until = time.thread_time() + seconds
        budget = Budget(nodes_of(ruleset, level), lambda: time.thread_time() > until)
        return choose(ruleset, view, level=level, budget=budget, seed=random.randrange(1 << 30))

    return player


def anything(ruleset: AnyRuleset, position: Any, random: Random) -> str:
    """A player who plays any move."""
    return random.choice(list(ruleset.legal_moves(position)))


def game(ruleset: AnyRuleset, players: list[Player], seed: int, thought: list[float], options: dict[str, Any]) -> list[float]:
    """The points by seat of one game; equal ones where it does not end."""
    random = Random(seed)
    position = ruleset.start(options, len(players))
    for _ply in range(LONGEST):
        seat = ruleset.to_move(position)
        if seat is None:
            outcome = ruleset.outcome(position)
            assert outcome is not None
            return [float(points) for points in outcome.points]
        if seat == CHANCE:
            outcomes, weights = zip(*ruleset.chance(position), strict=True)
            move = random.choices(outcomes, weights)[0]
        else:
            began = time.thread_time()
            move = players[seat](ruleset, position, random)
            thought.append(time.thread_time() - began)
        position = ruleset.play(position, move)
    return [1 / len(players)] * len(players)


def match(
    ruleset: AnyRuleset, one: Player, others: Player, games: int, *, seats: int = 2, options: dict[str, Any] | None = None
) -> Score:
    """Games of one player against others at a table, from every seat in turn with the same luck."""
    score = Score()
    for number in range(games):
        own = number % seats
        players = [one if seat == own else others for seat in range(seats)]
        score.points += game(ruleset, players, number // seats, score.thought, options or {})[own]
        score.games += 1
    return score


def rungs(ruleset: AnyRuleset, games: int) -> list[tuple[int, Score]]:
    """Every level from the second on, in its match against the one below."""
    return [(level, match(ruleset, opponent(level), opponent(level - 1), games)) for level in range(2, len(LEVELS) + 1)]


def main() -> None:
    """Prints the table of one ruleset."""
    ruleset = registry.get(sys.argv[1])
    games = int(sys.argv[2]) if len(sys.argv) > 2 else GAMES
    print(f"{in_english(ruleset.facts.title)}, {games} games a rung, processor time a move of both")
    for level in range(2, len(LEVELS) + 1):
        score = match(ruleset, opponent(level), opponent(level - 1), games)
        mean, most = 1_000 * sum(score.thought) / len(score.thought), 1_000 * max(score.thought)
        title = in_english(LEVELS[level - 1].title)
        print(f"{level} {title:24} {score.share:6.1%}  {mean:7.1f} ms, at most {most:7.1f} ms", flush=True)


if __name__ == "__main__":
    main()
