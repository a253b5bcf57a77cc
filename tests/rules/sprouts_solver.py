"""Who wins Sprouts with best play, found by looking at every line: positions are remembered without numbers and dead things."""

from __future__ import annotations

from collections import Counter
from functools import cache

from games.rules.catalogue.sprouts import play
from games.rules.catalogue.sprouts.play import Plan

NAMELESS = {3: "0", 2: "1", 1: "2"}
"""A spot that is met once, by its lives."""


def first_player_wins(n: int, *, misere: bool = False) -> bool:
    """Whether the player who begins with `n` spots wins."""
    known: dict[str, bool] = {}

    def wins(plan: Plan) -> bool:
        key = nameless(plan)
        if key not in known:
            after = {nameless(child): child for child in (play.draw(plan, line) for line in play.lines(plan))}
            known[key] = any(not wins(after[one]) for one in sorted(after, key=len)) if after else misere
        return known[key]

    return wins(play.start(n, misere=misere))


@cache
def nameless(plan: Plan) -> str:
    """The same text for positions that differ in numbers only, mostly: spots that can be met twice get letters in order."""
    left = play.lives(plan)
    regions = [[[spot for spot in walk if left[spot]] for walk in region] for region in plan.regions]
    regions = [region for region in regions if sum(left[spot] for spot in {spot for walk in region for spot in walk}) > 1]
    met = Counter(spot for region in regions for walk in region for spot in walk)
    names: dict[int, str] = {}

    def sign(spot: int) -> str:
        return names.get(spot, "?") if met[spot] > 1 else NAMELESS[left[spot]]

    def turns(walk: list[int]) -> list[tuple[str, list[int]]]:
        ways = [walk[at:] + walk[:at] for at in range(len(walk))]
        return [("".join(map(sign, way)), way) for way in ways]

    def of_walk(walk: list[int]) -> str:
        return min((text for text, _ in turns(walk)), default="")

    def of_region(region: list[list[int]]) -> str:
        return ".".join(sorted(filter(None, map(of_walk, region))))

    for _ in range(3):
        order: list[int] = []
        for region in sorted(regions, key=of_region):
            for walk in sorted(region, key=of_walk):
                _, way = min(turns(walk), default=("", []))
                order += [spot for spot in way if met[spot] > 1]
        names = {spot: chr(ord("A") + number) for number, spot in enumerate(dict.fromkeys(order))}
    return "|".join(sorted(map(of_region, regions)))
