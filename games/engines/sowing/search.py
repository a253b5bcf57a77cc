"""The search of sowing games from a position: deeper and deeper, each move of the root on its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from games.engines.sowing import alphabeta as ab
from games.engines.sowing import core
from games.engines.sowing.compiled import Bytes, Ints, no_bytes, zeros
from games.engines.sowing.ranks import rank
from games.engines.sowing.weights import net
from games.rules.evaluation import WON

CHUNK: Final = 2_000
"""So many nodes are looked at between two questions whether the time is over."""

ASPIRATION: Final = 60
_NARROW: Final = 10
EARLIER: Final = 200
"""Boards of the game before the search that may come again; older ones are forgotten."""


class Board(NamedTuple):
    """A position as the seat that is to move sees it: see `core`."""

    own: int
    other: int
    kept: int
    lost: int


@dataclass(slots=True)
class Move:
    """A move of the root: the pit from 0, what it makes, and what is known of it."""

    pit: int
    after: Board
    comes: int
    value: int = 0
    line: tuple[int, ...] = ()


@dataclass(slots=True)
class Ranks:
    """The moves of a position, the best first; see `ranking.Ranking`."""

    moves: list[Move]
    depth: int
    nodes: int
    exact: bool


class Memory:
    """What searches of one game share: the table of transpositions (2 ** `bits` pairs of entries) and the killers."""

    def __init__(self, bits: int) -> None:
        self.known: Ints = zeros(2 * ab.ENTRY << bits)
        self.killers: Ints = zeros(2_048 + 6 * 64)
        self.generation = 0


@dataclass(frozen=True, slots=True)
class Manner:
    """How a search goes about it; found by matches of one against another."""

    calm: int = 6
    reduce: int = 2
    extend: int = 1
    weights: Ints | None = None
    """The net; None is that of the game."""


class Search:
    """One search from one position, after `earlier` boards since the last capture, the oldest first, alternately of the
    other and of the same seat to move."""

    def __init__(
        self,
        variant: int,
        board: Board,
        *,
        earlier: Sequence[tuple[int, int]] = (),
        nodes: int,
        expired: Callable[[], bool],
        memory: Memory,
        manner: Manner | None = None,
        tables: tuple[Bytes, int] | None = None,
    ) -> None:
        manner = manner or Manner()
        self.variant, self.board = variant, board
        self.earlier = list(earlier)[-EARLIER:] if variant >= core.FORBIDDEN else []
        self.limit, self.expired, self.manner = nodes, expired, manner
        self._pause = CHUNK
        self.memory = memory
        memory.generation += 1
        values, most = tables or (no_bytes(), -1)
        self.stones = core.total(board.own) + core.total(board.other)
        if most >= self.stones and _may_come_the_third_time(self.earlier):
            # That ends the game, perhaps before the tables have what they promise. After a capture it cannot happen.
            most = self.stones - 1
        self.tables, self.tabled_up_to = values, most
        self.weights = net(variant < core.FORBIDDEN) if manner.weights is None else manner.weights
        self.frames = zeros(ab.FRAME * (ab.DEEPEST + 2))
        self.line = zeros(2 * (EARLIER + ab.DEEPEST + 4))
        for at, (own, other) in enumerate(self.earlier):
            self.line[2 * at], self.line[2 * at + 1] = own, other
        at = len(self.earlier)
        self.line[2 * at], self.line[2 * at + 1] = board.own, board.other
        control = self.control = zeros(ab.CONTROLS)
        control[ab.ROOT] = at + 1
        control[ab.TABLED_UP_TO], control[ab.STONES] = most, self.stones + board.kept + board.lost
        control[ab.CALM], control[ab.REDUCE], control[ab.EXTEND] = manner.calm, manner.reduce, manner.extend
        control[ab.GENERATION] = memory.generation

    @property
    def nodes(self) -> int:
        """The positions looked at so far."""
        return int(self.control[ab.NODES])

    def rank(self, *, depth: int = 0, margin: int = 0) -> Ranks:
        """The moves, looked at so many plies deep (0: as far as one gets). The values within `margin` of the best are right."""
        if self.stones <= self.tabled_up_to:
            return self._looked_up(depth)
        return self._deepened(self._moves(), depth, margin)

    def _deepened(self, order: list[Move], depth: int, margin: int, enough: int = WON) -> Ranks:
        """These moves, deeper and deeper until one is worth `enough`."""
        reached, whole, lost = 0, False, False
        for ahead in range(1, (depth or ab.DEEPEST - 30) + 1):
            self.control[ab.ESTIMATES] = 0
            seen = self._deeper(order, ahead, margin)
            if seen < len(order):
                if seen and max(move.value for move in order[:seen]) <= -ab.SETTLED:
                    # Lost is worse than whatever the others seemed to be.
                    order.sort(key=_by_value)
                elif seen:
                    order[:seen] = sorted(order[:seen], key=_by_value)
                    # What the others seemed to be worth less deep is no reason to prefer them.
                    for move in order[seen:]:
                        move.value = min(move.value, order[0].value - margin - 1)
                break
            order.sort(key=_by_value)
            best = order[0].value
            reached, whole, lost = ahead, self.control[ab.ESTIMATES] == 0, best <= -ab.SETTLED
            if whole or best >= min(enough, WON - ahead) or best <= ahead - WON:
                break
        # One move is enough to win; that the game is lost is known when all moves were seen to lose.
        value = order[0].value
        exact = bool(whole or value >= ab.SETTLED or (lost and value <= -ab.SETTLED))
        for move in order[1:]:
            move.line = (move.pit, *self._line(move))
        return Ranks(order, reached, self.nodes, exact)

    def _looked_up(self, depth: int) -> Ranks:
        """The moves by what the tables say of them. Of equal ones that which comes nearer to a gain stands first: who goes round
        in a circle instead has it divided."""
        order = self._moves()
        for move in order:
            move.value, move.line = self._value_in_tables(move), (move.pit,)
        order.sort(key=_by_value)
        equal = [move for move in order if move.value == order[0].value]
        reached, nodes, gain = 1, 0, self._margin(order[0]) - (self.board.kept - self.board.lost)
        if gain > 0 and len(equal) > 1 and self.variant >= core.FORBIDDEN:
            found = self._way(equal, gain, depth)
            reached, nodes = max(reached, found.depth), found.nodes
            way = found.moves[0]
            if way.value >= ab.SETTLED:
                for move in equal:
                    move.value -= move.pit != way.pit
                    move.line = way.line if move.pit == way.pit else move.line
                order.sort(key=_by_value)
        return Ranks(order, reached, nodes, exact=True)

    def _way(self, moves: Sequence[Move], gain: int, depth: int) -> Ranks:
        """These moves by how soon they bring `gain` more of the stones on the board than the other seat gets: looked for where
        just that wins, and with tables that only tell what comes after a capture."""
        stored = self.board.kept + self.board.lost
        kept = (stored - gain) // 2 + 1
        search = Search(
            self.variant,
            Board(self.board.own, self.board.other, kept, stored - kept),
            earlier=self.earlier,
            nodes=self.limit,
            expired=self.expired,
            memory=self.memory,
            manner=self.manner,
            tables=(self.tables, self.stones - 1),
        )
        pits = [move.pit for move in moves]
        return search._deepened([move for move in search._moves() if move.pit in pits], depth, 0, ab.SETTLED)

    def _margin(self, move: Move) -> int:
        """By how many stones who plays a move ends ahead, by the tables."""
        own, other, kept, lost = move.after
        if move.comes == core.OVER:
            return kept - lost
        margin = kept - lost + int(self.tables[rank(own, other, int(self.control[ab.STONES]) - kept - lost)])
        return margin if move.comes == core.AGAIN else -margin

    def _value_in_tables(self, move: Move) -> int:
        kept, lost = move.after[2:]
        if move.comes == core.OVER:
            return int(ab.ended(kept - lost, 1))
        if move.comes == core.NEXT:
            kept, lost = lost, kept
        return int(ab.tabled(self._margin(move), kept, lost, 1))

    def _moves(self) -> list[Move]:
        found = []
        mask = core.legal(self.variant, self.board.own, self.board.other)
        for pit in range(core.PITS):
            if mask >> pit & 1:
                *after, comes = core.ply(self.variant, *self.board, pit)
                found.append(Move(pit, Board(*map(int, after)), int(comes), line=(pit,)))
        return found

    def _deeper(self, order: list[Move], ahead: int, margin: int) -> int:
        """Looks at the moves so many plies deep, as far as the budget goes; tells how many are known now."""
        best = -ab.BEYOND
        for index, move in enumerate(order):
            # A move is worth a closer look where a narrow one does not show that it is worse by more than the margin.
            low = best - margin - 1 if margin else best
            value: int | None
            if index == 0:
                value = self._around(move, ahead)
            elif margin > _NARROW:
                value = self._value(move, ahead, max(low, -ab.BEYOND), ab.BEYOND)
            else:
                value = self._value(move, ahead, low, low + 1)
                if value is not None and value > low:
                    value = self._value(move, ahead, low, ab.BEYOND)
            if value is None:
                return index
            move.value = value
            if value > best:
                # What is looked at next may push it out of the table.
                move.line = (move.pit, *self._line(move))
                best = value
        return len(order)

    def _around(self, move: Move, ahead: int) -> int | None:
        """The value of the move that was the best one, looked for near what it was."""
        if ahead < 4:
            return self._value(move, ahead, -ab.BEYOND, ab.BEYOND)
        low, high = move.value - ASPIRATION, move.value + ASPIRATION
        value = self._value(move, ahead, low, high)
        if value is not None and not low < value < high:
            value = self._value(move, ahead, -ab.BEYOND, ab.BEYOND)
        return value

    def _value(self, move: Move, ahead: int, alpha: int, beta: int) -> int | None:
        """What a move is worth to who plays it; None where the budget is spent before that is known."""
        if move.comes == core.OVER:
            return int(ab.ended(move.after.kept - move.after.lost, 1))
        same = move.comes == core.AGAIN
        if not same:
            alpha, beta = -beta, -alpha
        captured = (move.after.kept if same else move.after.lost) != self.board.kept
        root = int(self.control[ab.ROOT])
        depth = ahead - 1 + (int(self.control[ab.EXTEND]) if same else 0)
        ab.begin(self.control, self.frames, self.line, *move.after, depth, alpha, beta, root if captured else 0)
        while True:
            self.control[ab.UNTIL] = min(self._pause, self.limit)
            if self._search() == ab.DONE:
                value = int(self.control[ab.VALUE])
                return value if same else -value
            if self.nodes >= self.limit or self.expired():
                return None
            self._pause = self.nodes + CHUNK

    def _search(self) -> int:
        known, killers = self.memory.known, self.memory.killers
        return int(ab.search(self.variant, self.control, self.frames, self.line, known, killers, self.weights, self.tables, 1))

    def _line(self, move: Move) -> list[int]:
        """How the table of transpositions goes on after a move; no further than where boards that come again are divided."""
        board, comes = move.after, move.comes
        pits: list[int] = []
        before = [*self.earlier, self.board[:2]]
        stood = Counter((at % 2, *each) for at, each in enumerate(before))
        while comes != core.OVER and len(pits) < ab.DEEPEST:
            here = ((len(before) + len(pits)) % 2, *board[:2])
            if self.variant >= core.FORBIDDEN and stood[here] > 1:
                break
            stood[here] += 2
            pit = int(ab.choice_of(self.memory.known, *board))
            if pit >= core.PITS or not core.legal(self.variant, board.own, board.other) >> pit & 1:
                break
            pits.append(pit)
            *after, comes = core.ply(self.variant, *board, pit)
            board = Board(*map(int, after))
        return pits


def _may_come_the_third_time(earlier: Sequence[tuple[int, int]]) -> bool:
    """Whether a board has stood twice; of every second one the same seat was to move."""
    return any(times > 1 for parity in (0, 1) for times in Counter(earlier[parity::2]).values())


def _by_value(move: Move) -> int:
    return -move.value
