"""`play` calls a second of each ruleset, over the positions of random games."""

from __future__ import annotations

from random import Random
from time import perf_counter

from games.rules import registry
from games.rules.position import CHANCE


def main() -> None:
    """One line for each ruleset: the best of five runs."""
    for name in registry.names():
        ruleset, random, played = registry.get(name), Random(1), []
        for _ in range(200):
            position = ruleset.start({}, ruleset.facts.seats[0])
            while (decider := ruleset.to_move(position)) is not None:
                chance = [outcome for outcome, _ in ruleset.chance(position)]
                move = random.choice(chance if decider == CHANCE else list(ruleset.legal_moves(position)))
                played.append((position, move))
                position = ruleset.play(position, move)
        best = float("inf")
        play = ruleset.play
        for _ in range(5):
            began = perf_counter()
            for position, move in played:
                play(position, move)
            best = min(best, perf_counter() - began)
        print(f"{name}: {len(played) / best:,.0f} play calls a second (goal 300,000 for mangala)", flush=True)


if __name__ == "__main__":
    main()
