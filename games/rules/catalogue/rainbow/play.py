"""Rainbow, Радуга, for 2 to 20: who first sends one drop of each colour to a rainbow of their own, in order, wins.

Source: the site's rules (000_95023ed778da59c2). That pouring is free, repeatable and asks for four drops or more, that an
answer which is late refuses, and what becomes of the drops of somebody who leaves is decided in the guide beside this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

COLOURS: Final = "ROYGCBV"
"""Red, orange, yellow, green, light blue, blue, violet: the order of a rainbow."""

FEWEST: Final = 2
MOST: Final = 20
DEALT: Final = 8
FULL: Final = 10
"""So many drops a hand holds at most."""

POURED: Final = 3
ENOUGH_TO_POUR: Final = 4
SILENT: Final = 3
"""After so many turns without an act, running, the others may agree to go on without a seat."""

SPILLED: Final = "spilled"
FORCED: Final = "forced"
ASKED: Final = "asked"


class RainbowPosition(NamedTuple):
    """`hands` by seat and the `rain` are drops in the order of COLOURS, `rainbows` the numbers of drops sent by each seat.

    `mover` has the turn; None as long as drops are dealt and the lot has not fallen. `offer` is the colour that waits for the
    answer of the next seat, "" where none does; the drop lies in the mover's hand till then. While `drawing`, the offer was
    refused and the mover draws. `turn` counts from 1. `out` are the seats that left, in order of number. `silent` counts the
    turns that each seat has let pass running.
    """

    hands: tuple[str, ...]
    rain: str
    rainbows: tuple[int, ...]
    silent: tuple[int, ...]
    mover: int | None = None
    offer: str = ""
    drawing: bool = False
    turn: int = 1
    out: tuple[int, ...] = ()

    @property
    def living(self) -> list[int]:
        """The seats that have not left."""
        return living(len(self.hands), self.out)

    @property
    def receiver(self) -> int:
        """The seat that gets what the mover offers, and has the turn after theirs."""
        return receiver(len(self.hands), self.out, self.mover or 0)

    @property
    def winner(self) -> int | None:
        """The seat with a whole rainbow, or the last one left."""
        if len(COLOURS) in self.rainbows:
            return self.rainbows.index(len(COLOURS))
        return self.living[0] if len(self.living) == 1 else None

    @property
    def dealing(self) -> int | None:
        """The seat that gets the next drop of the deal; None when all have eight."""
        if self.mover is not None:
            return None
        return next((seat for seat in self.living if len(self.hands[seat]) < DEALT), None)


def living(seats: int, out: Iterable[int]) -> list[int]:
    """The seats that have not left."""
    return [seat for seat in range(seats) if seat not in {*out}]


def receiver(seats: int, out: Iterable[int], mover: int) -> int:
    """The living seat after the mover."""
    others = living(seats, out)
    return next((seat for seat in others if seat > mover), others[0])


def whole(seats: int) -> str:
    """All drops of a game: three more of each colour than there are seats."""
    return "".join(colour * (seats + 3) for colour in COLOURS)


def in_order(drops: Iterable[str]) -> str:
    """The drops in the order of a rainbow."""
    return "".join(sorted(drops, key=COLOURS.index))


def start(seats: int) -> RainbowPosition:
    """All drops are in the rain, and the deal comes first."""
    return RainbowPosition(hands=("",) * seats, rain=whole(seats), rainbows=(0,) * seats, silent=(0,) * seats)


def wanted(position: RainbowPosition, seat: int) -> str:
    """The colour that the seat's rainbow needs next; "" when it is whole."""
    return COLOURS[position.rainbows[seat] : position.rainbows[seat] + 1]


def may_send(position: RainbowPosition) -> bool:
    """Whether the mover holds exactly one drop of the colour that their rainbow needs next."""
    seat = position.mover or 0
    colour = wanted(position, seat)
    return bool(colour) and position.hands[seat].count(colour) == 1


def pourable(position: RainbowPosition) -> Iterator[str]:
    """The colours of which the mover may pour three drops."""
    hand = position.hands[position.mover or 0]
    return (colour for colour in COLOURS if hand.count(colour) >= ENOUGH_TO_POUR)


def sent(position: RainbowPosition) -> RainbowPosition:
    """The mover's drop lies in the rainbow; the next seat has the turn unless that was the seventh. `may_send` must hold."""
    seat = position.mover or 0
    lighter = _hand(position, seat, without(position.hands[seat], wanted(position, seat)))
    rainbows = tuple(length + (one == seat) for one, length in enumerate(position.rainbows))
    return passed(lighter._replace(rainbows=rainbows))


def poured(position: RainbowPosition, colour: str) -> RainbowPosition:
    """Three drops of the mover's are in the rain; the turn goes on."""
    seat = position.mover or 0
    hand = position.hands[seat].replace(colour, "", POURED)
    return _hand(position, seat, hand)._replace(rain=in_order(position.rain + colour * POURED))


def passed(position: RainbowPosition) -> RainbowPosition:
    """The next seat has the turn."""
    return position._replace(mover=position.receiver, offer="", drawing=False, turn=position.turn + 1)


def fate(position: RainbowPosition) -> str:
    """What becomes of an offer of the mover's, whatever its colour: it is SPILLED, FORCED on the receiver, or the receiver is
    ASKED."""
    if len(position.hands[position.receiver]) >= FULL:
        return SPILLED
    return FORCED if not position.rain or len(position.hands[position.mover or 0]) >= FULL else ASKED


def offered(position: RainbowPosition, colour: str) -> RainbowPosition:
    """A drop of the mover's is offered: it spills, goes to the receiver unasked, or waits for the answer."""
    what = fate(position)
    if what == FORCED:
        return _handed(position, colour)
    if what == SPILLED:
        lighter = _hand(position, position.mover or 0, without(position.hands[position.mover or 0], colour))
        return passed(lighter._replace(rain=in_order(lighter.rain + colour)))
    return position._replace(offer=colour, turn=position.turn + 1)


def accepted(position: RainbowPosition) -> RainbowPosition:
    """The receiver has the drop and the turn."""
    return _handed(position, position.offer)


def refused(position: RainbowPosition) -> RainbowPosition:
    """The drop stays where it is, and the mover must draw before the receiver has the turn."""
    return position._replace(offer="", drawing=True, turn=position.turn + 1)


def fallen(position: RainbowPosition, colour: str) -> RainbowPosition:
    """A drop falls from the rain: to the seat that is dealt to, or to the mover, after which the receiver has the turn."""
    seat = position.dealing
    drawn = position._replace(rain=without(position.rain, colour))
    if seat is not None:
        return _hand(drawn, seat, in_order(position.hands[seat] + colour))
    mover = position.mover or 0
    heavier = _hand(drawn, mover, in_order(position.hands[mover] + colour))
    return passed(heavier)._replace(turn=position.turn)


def begun(position: RainbowPosition, seat: int) -> RainbowPosition:
    """The lot fell on a seat, which has the first turn."""
    return position._replace(mover=seat)


def heard(position: RainbowPosition, seat: int) -> RainbowPosition:
    """The seat has acted."""
    return position._replace(silent=tuple(0 if one == seat else count for one, count in enumerate(position.silent)))


def late(position: RainbowPosition) -> RainbowPosition:
    """Time ran out: an answer refuses, a turn passes, even where passing would not be allowed."""
    seat = position.receiver if position.offer else position.mover
    counted = position._replace(silent=tuple(count + (one == seat) for one, count in enumerate(position.silent)))
    return refused(counted) if position.offer else passed(counted)


def without_seat(position: RainbowPosition, seat: int) -> RainbowPosition:
    """The seat is skipped from now on and its hand is in the rain. Its offer is void, and the receiver has the turn; one that
    waits for it is void, and the next seat has the turn."""
    after = _hand(position, seat, "")._replace(
        rain=in_order(position.rain + position.hands[seat]), out=tuple(sorted({*position.out, seat}))
    )
    concerned = seat == position.mover or (bool(position.offer) and seat == position.receiver)
    if not concerned or after.winner is not None:
        return after._replace(offer="", drawing=False) if concerned else after
    # A draw that is no longer due belongs to the turn of the seat that refused.
    due = position.turn if position.drawing else position.turn + 1
    return passed(after)._replace(turn=due)


def without(drops: str, colour: str) -> str:
    """The drops without one of this colour."""
    return drops.replace(colour, "", 1)


def _handed(position: RainbowPosition, colour: str) -> RainbowPosition:
    giver, taker = position.mover or 0, position.receiver
    lighter = _hand(position, giver, without(position.hands[giver], colour))
    return passed(_hand(lighter, taker, in_order(lighter.hands[taker] + colour)))


def _hand(position: RainbowPosition, seat: int, hand: str) -> RainbowPosition:
    return position._replace(hands=tuple(hand if one == seat else other for one, other in enumerate(position.hands)))
