"""`play` calls a second of each ruleset, over the positions of random games."""

from __future__ import annotations

from random import Random
from time import perf_counter

from games.rules import registry
from games.rules.position import CHANCE
from games.rules.ruleset import AnyRuleset

GAMES = 200
FEWER = {"sprouts": 10}
"""Where the list of all moves of a position takes long."""
RUNS = 7
GOALS = {"mangala": 300_000}


def main() -> None:
    """One line for each ruleset: the best of some runs."""
    for name in registry.names():
        ruleset = registry.get(name)
        random = Random(1)
        moves = [move for _ in range(FEWER.get(name, GAMES)) for move in a_game(ruleset, random)]
        rate = len(moves) / min(seconds(ruleset, moves) for _ in range(RUNS))
        goal = f" (goal: {GOALS[name]:,})" if name in GOALS else ""
        print(f"{name}: {rate:,.0f} play calls a second{goal}", flush=True)


def a_game(ruleset: AnyRuleset, random: Random) -> list[tuple[object, str]]:
    """The positions of a random game, each with the move that was made in it."""
    played = []
    position = ruleset.start({}, ruleset.facts.seats[0])
    while (decider := ruleset.to_move(position)) is not None:
        chance = decider == CHANCE
        texts = [text for text, _ in ruleset.chance(position)] if chance else list(ruleset.legal_moves(position))
        played.append((position, random.choice(texts)))
        position = ruleset.play(*played[-1])
    return played


def seconds(ruleset: AnyRuleset, moves: list[tuple[object, str]]) -> float:
    play = ruleset.play
    began = perf_counter()
    for position, move in moves:
        play(position, move)
    return perf_counter() - began


if __name__ == "__main__":
    main()
