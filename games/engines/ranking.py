"""The moves of a position as a search ranks them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ranked:
    """A move, its value to the seat that decides, and the line that begins with it as far as it is known."""

    move: str
    value: int
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Moves, the best first. Those worse than the margin that was asked for may stand lower than they deserve.

    `shares` are what each seat may expect, per mille. `exact`: no move was judged by an estimate.
    """

    moves: tuple[Ranked, ...]
    shares: tuple[int, ...]
    depth: int
    nodes: int
    exact: bool

    @property
    def best(self) -> Ranked:
        """The best move."""
        return self.moves[0]
