"""Mangala and Oware for whoever asks `choice`: positions of the rules for the core, and what its search finds as a ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from games.engines.budget import Budget
from games.engines.finding import shares_of
from games.engines.ranking import Ranked, Ranking
from games.engines.sowing.compiled import COMPILES
from games.engines.sowing.core import PITS
from games.engines.sowing.search import Board, Memory, Search
from games.engines.tables import Tables
from games.rules.evaluation import Sowing
from games.rules.sowing import MOVES, STORES

P = TypeVar("P")

QUICKER: Final = 20 if COMPILES else 1
"""So many positions are looked at in the time that a generic search takes for one."""

MOST_REMEMBERED: Final = 18
"""Of the transpositions of a search two to this power are remembered, twice, at most: 16 MB."""

_FEWEST: Final = 10


def rank(
    evaluation: Sowing[P], position: P, seat: int, budget: Budget, tables: Tables | None, *, depth: int = 0, margin: int = 0
) -> Ranking:
    """The moves of the seat that decides; see `alphabeta.Search.rank`."""
    memory = Memory(min(max(budget.nodes.bit_length() - 2, _FEWEST), MOST_REMEMBERED))
    found = prepare(evaluation, position, seat, budget, tables, memory).rank(depth=depth, margin=margin)
    moves = [Ranked(MOVES[one.pit], one.value, tuple(MOVES[pit] for pit in one.line)) for one in found.moves]
    return Ranking(tuple(moves), shares_of(moves[0].value, seat), found.depth, found.nodes, bool(found.exact))


def prepare(evaluation: Sowing[P], position: P, seat: int, budget: Budget, tables: Tables | None, memory: Memory) -> Search:
    """A search from a position that is not over, of which `seat` decides."""
    earlier = evaluation.earlier(position)
    # Of every second board the other seat was to move.
    movers = [(seat + len(earlier) - at) % 2 for at in range(len(earlier))]
    return Search(
        variant := evaluation.variant(position),
        board(evaluation.holes(position), seat),
        earlier=[board(holes, mover)[:2] for holes, mover in zip(earlier, movers, strict=True)],
        nodes=budget.nodes,
        expired=budget.expired,
        memory=memory,
        tables=tables.of(variant) if tables else None,
    )


def board(holes: Sequence[int], seat: int) -> Board:
    """A board as this seat sees it."""
    sides = [sum(stones << 8 * pit for pit, stones in enumerate(holes[begin : begin + PITS])) for begin in (0, PITS + 1)]
    return Board(sides[seat], sides[1 - seat], holes[STORES[seat]], holes[STORES[1 - seat]])
