"""Mangala as the federations play it: sowing, four ways to win stones, extra moves, the end.

Source: the rules of "Мангала по переписке" (002_205239e4e8431ac3), which agree with the federations' "23 articles";
what they leave open (the track of 13 holes, who takes the rest when a capture empties the captor's side) is decided
in the guide beside this file. Option `end`: `first25` (over as soon as a store holds 25) or `playout`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from games.rules.sowing import MOVES, STONES, empty_pit, game_over, read_pit

FIRST25: Final = "first25"
PLAYOUT: Final = "playout"
MAJORITY: Final = STONES // 2 + 1

SIDE_EMPTY: Final = "side_empty"
OVER24: Final = "over24"

TRACK: Final = 13
STORE: Final = 6


class MangalaPosition(NamedTuple):
    """Pits and stores as both see them: `holes` are South's pits 1..6, South's store, North's pits 1..6, North's store.

    `mover` is 0 (South) or 1 (North), also after the end (who moved last); `turn` counts from 1; `termination` is
    empty while the game goes on.
    """

    holes: tuple[int, ...]
    mover: int
    turn: int
    playout: bool
    termination: str = ""


@dataclass(frozen=True, slots=True)
class MangalaView:
    """What a seat sees: everything, from its own side. `seat` None is a spectator, who sits with South."""

    position: MangalaPosition
    seat: int | None

    @property
    def side(self) -> int:
        """The seat from whose side the board is seen."""
        return self.seat or 0


class Sown(NamedTuple):
    """What a ply did, hole numbers counted from the mover's own pit 1 (0..5 own pits, 6 store, 7..12 opponent's pits).

    `stones` of `pit` were sown, ending in the hole `last`; `captured` stones were taken from `last` and, in a capture
    of facing pits, from `facing`; `swept` stones were taken at the end by `sweeper` (a seat).
    """

    position: MangalaPosition
    last: int
    captured: int
    facing: int | None
    swept: int
    sweeper: int | None
    pit: int
    stones: int


def start(end: str) -> MangalaPosition:
    """Four stones in each pit, South to move."""
    return MangalaPosition((4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0), 0, 1, end == PLAYOUT)


def legal_pits(position: MangalaPosition) -> list[int]:
    """The pits 1..6 that may be sown: those that hold stones, while the game goes on."""
    if position.termination:
        return []
    base = 7 * position.mover
    return [pit for pit in range(1, 7) if position.holes[base + pit - 1]]


def read_move(position: MangalaPosition, text: str) -> int:
    """The pit 1..6 of a legal move. Raises InvalidNotation or IllegalMove."""
    pit = MOVES.get(text) or read_pit(text)
    if position.termination:
        raise game_over()
    if not position.holes[7 * position.mover + pit - 1]:
        raise empty_pit(pit)
    return pit


def play(position: MangalaPosition, text: str) -> MangalaPosition:
    """The position after a ply. Raises InvalidNotation or IllegalMove."""
    holes, mover, _, _, termination = position
    pit = MOVES.get(text, 0)
    if not pit or termination or not holes[7 * mover + pit - 1]:
        pit = read_move(position, text)
    return _sow(position, pit)[0]


def sow(position: MangalaPosition, pit: int) -> Sown:
    """What sowing a pit that holds stones does."""
    stones = position.holes[7 * position.mover + pit - 1]
    return Sown(*_sow(position, pit), pit=pit, stones=stones)


def _sow(position: MangalaPosition, pit: int) -> tuple[MangalaPosition, int, int, int | None, int, int | None]:
    """Sows, captures, sweeps, and decides who moves next or that the game is over: the fields of `Sown` in order.

    Everything stands in one function, unrolled, because programs that search call it some hundred thousand times a second.
    """
    holes, mover, turn, playout, _ = position
    own = [*holes[7:], *holes[:7]] if mover else [*holes]
    stones = own[pit - 1]
    own[pit - 1] = 0
    if stones == 1:
        # A lone stone leaves its pit; more stones begin with the very pit they are taken from.
        last = pit
        own[pit] += 1
    elif (end := pit - 1 + stones) <= TRACK:
        last = end - 1
        for hole in range(pit - 1, end):
            own[hole] += 1
    else:
        last = (end - 1) % TRACK
        for step in range(pit - 1, end):
            own[step % TRACK] += 1

    captured = 0
    facing = None
    if last > STORE:
        if not own[last] & 1:
            captured = own[last]
            own[last] = 0
            own[STORE] += captured
    elif own[last] == 1 and last < STORE and (across := own[12 - last]):
        facing = 12 - last
        captured = 1 + across
        own[last] = own[facing] = 0
        own[STORE] += captured

    termination = ""
    swept = 0
    sweeper = None
    # The side that is empty takes everything left on the other, also when the opponent's capture emptied it.
    if not (own[0] or own[1] or own[2] or own[3] or own[4] or own[5]):
        sweeper, swept = mover, sum(own[7:13])
        own[STORE] += swept
        own[7:13] = [0] * 6
        termination = SIDE_EMPTY
    elif not (own[7] or own[8] or own[9] or own[10] or own[11] or own[12]):
        sweeper, swept = 1 - mover, sum(own[0:6])
        own[13] += swept
        own[0:6] = [0] * 6
        termination = SIDE_EMPTY
    elif not playout and (own[STORE] >= MAJORITY or own[13] >= MAJORITY):
        termination = OVER24

    seen = (*own[7:], *own[:7]) if mover else (*own,)
    if last != STORE and not termination:
        mover, turn = 1 - mover, turn + 1
    after = _make(MangalaPosition, (seen, mover, turn, playout, termination))
    return after, last, captured, facing, swept, sweeper


_make = tuple.__new__
