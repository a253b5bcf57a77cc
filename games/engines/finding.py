"""What a search found out about a position, and its form in JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from math import exp
from typing import Any, Final, TypeVar

from games.rules.entry import Json
from games.rules.evaluation import FURTHEST, WON
from games.rules.ruleset import Ruleset

P = TypeVar("P")

EVEN: Final = 500
CERTAIN: Final = 1_000
ADVANTAGE: Final = 400
"""A value of so much makes the odds e to 1."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a position is worth to the seat that decides (`value`; see `evaluation.WON`), and what each seat may expect.

    `shares` are per mille of the points that the game gives, by seat; empty where nothing is known of them. `best` is the best
    line from here, ply by ply, `depth` the plies looked ahead, `nodes` the positions looked at. `exact`: the value is the truth,
    not an estimate.
    """

    value: int
    shares: tuple[int, ...]
    best: tuple[str, ...]
    depth: int
    nodes: int
    exact: bool

    def to_json(self) -> Json:
        """The fields, sequences as lists."""
        return {**asdict(self), "shares": list(self.shares), "best": list(self.best)}

    @classmethod
    def from_json(cls, data: Json) -> Finding:
        """Inverse of `to_json`. Raises KeyError or TypeError for something else."""
        return cls(
            value=int(data["value"]),
            shares=tuple(map(int, data["shares"])),
            best=tuple(map(str, data["best"])),
            depth=int(data["depth"]),
            nodes=int(data["nodes"]),
            exact=bool(data["exact"]),
        )


def is_decided(value: int) -> bool:
    """Whether a value says that the game is won or lost."""
    return abs(value) > WON - FURTHEST


def shares_of(value: int, seat: int) -> tuple[int, int]:
    """What two seats may expect, per mille, where the position is worth this to one of them."""
    own = (CERTAIN if value > 0 else 0) if is_decided(value) else round(CERTAIN / (1 + exp(-value / ADVANTAGE)))
    return (CERTAIN - own, own) if seat else (own, CERTAIN - own)


def points_at_the_end(ruleset: Ruleset[P, Any], position: P) -> tuple[Fraction, ...]:
    """The points by seat of a game that is over. Raises ValueError for one that goes on."""
    outcome = ruleset.outcome(position)
    if outcome is None:
        raise ValueError("the game goes on")
    return outcome.points
