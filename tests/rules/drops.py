"""A table of Rainbow that a test lays, and moves at it."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from games.rules import registry
from games.rules.catalogue.rainbow.play import COLOURS, RainbowPosition, in_order, whole
from games.rules.catalogue.rainbow.view import RainbowView
from games.rules.ruleset import Ruleset

RAINBOW: Final[Ruleset[RainbowPosition, RainbowView]] = registry.get("rainbow")
ALICE, BOB, CHARLIE = 0, 1, 2


def table(*hands: str, rainbows: tuple[int, ...] = (), rain: str | None = None, **more: Any) -> RainbowPosition:
    """A table at which Alice has the turn; all drops that lie nowhere else are in the rain, or (`rain`) in nobody's way."""
    lengths = rainbows or (0,) * len(hands)
    lying = Counter("".join((*hands, *(COLOURS[:length] for length in lengths))))
    left = in_order((Counter(whole(len(hands))) - lying).elements())
    position = RAINBOW.load({"hands": [*hands], "rain": left, "rainbows": [*lengths], "mover": ALICE, **more})
    return position if rain is None else position._replace(rain=rain)


def after(position: RainbowPosition, *moves: str) -> RainbowPosition:
    for move in moves:
        position = RAINBOW.play(position, move)
    return position
