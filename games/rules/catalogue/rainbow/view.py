"""What one seat may know of a position of Rainbow, and whole positions that agree with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from games.rules.catalogue.rainbow import play
from games.rules.catalogue.rainbow.play import COLOURS, RainbowPosition
from games.rules.position import CHANCE, Moment

if TYPE_CHECKING:
    from random import Random

UNSEEN: Final = "?"
"""What stands for the colour of a drop on offer between others."""

TRIES: Final = 200


class RainbowView(NamedTuple):
    """The position as `seat` (None: a spectator) may know it: `sizes` are the numbers of drops in the hands, `rain` the number
    in the rain, `hand` the seat's own drops.

    `hands` and `rain_drops` are empty until the end, when everything is open.
    """

    seat: int | None
    hand: str
    sizes: tuple[int, ...]
    rain: int
    rainbows: tuple[int, ...]
    silent: tuple[int, ...]
    mover: int | None
    offer: str
    drawing: bool
    turn: int
    out: tuple[int, ...]
    winner: int | None = None
    hands: tuple[str, ...] = ()
    rain_drops: str = ""
    moment: Moment = Moment.NOW

    @property
    def seats(self) -> int:
        """How many sit at the table, those who left included."""
        return len(self.sizes)

    @property
    def decider(self) -> int | None:
        """As `Ruleset.to_move`."""
        if self.winner is not None:
            return None
        if self.mover is None or self.drawing:
            return CHANCE
        return play.receiver(self.seats, self.out, self.mover) if self.offer else self.mover

    @property
    def knows_offer(self) -> bool:
        """Whether a drop is on offer and its colour is known."""
        return self.offer not in ("", UNSEEN)

    @property
    def others(self) -> list[int]:
        """The other seats in the order of play, from the one after the reader; all of them for a spectator."""
        first = 0 if self.seat is None else self.seat + 1
        order = [(first + step) % self.seats for step in range(self.seats)]
        return [seat for seat in order if seat != self.seat]


def seen(position: RainbowPosition, seat: int | None, moment: Moment) -> RainbowView:
    """What the seat may know; everything when the game is over."""
    over = moment is Moment.OVER or position.winner is not None
    concerned = position.mover is not None and seat in (position.mover, position.receiver)
    return RainbowView(
        seat=seat,
        hand=position.hands[seat] if seat is not None else "",
        sizes=tuple(map(len, position.hands)),
        rain=len(position.rain),
        rainbows=position.rainbows,
        silent=position.silent,
        mover=position.mover,
        offer=position.offer if over or concerned or not position.offer else UNSEEN,
        drawing=position.drawing,
        turn=position.turn,
        out=position.out,
        winner=position.winner,
        hands=position.hands if over else (),
        rain_drops=position.rain if over else "",
        moment=Moment.OVER if over else moment,
    )


def imagined(view: RainbowView, random: Random) -> RainbowPosition:
    """A position that agrees with the view: all drops that the seat does not see are mixed and dealt to where drops lie."""
    if view.moment is Moment.OVER:
        return _position(view, view.hands, view.rain_drops, view.offer)
    for _try in range(TRIES):
        hands, rain = _mixed(view, random)
        offer = view.offer
        if offer == UNSEEN:
            offer = random.choice(hands[view.mover or 0])
        position = _position(view, hands, rain, offer)
        # Nobody who could send may have offered.
        if not (view.offer or view.drawing) or not play.may_send(position):
            break
    return position


def _mixed(view: RainbowView, random: Random) -> tuple[tuple[str, ...], str]:
    unseen = play.whole(view.seats)
    lying = [COLOURS[:length] for length in view.rainbows]
    shown = view.offer if view.knows_offer and view.mover != view.seat else ""
    for colour in "".join((*lying, view.hand, shown)):
        unseen = play.without(unseen, colour)
    mixed = random.sample(unseen, len(unseen))
    hands = []
    for seat, size in enumerate(view.sizes):
        known = view.hand if seat == view.seat else shown if seat == view.mover else ""
        taken = size - len(known)
        hands.append(play.in_order([*known, *mixed[:taken]]))
        mixed = mixed[taken:]
    return tuple(hands), play.in_order(mixed)


def _position(view: RainbowView, hands: tuple[str, ...], rain: str, offer: str) -> RainbowPosition:
    return RainbowPosition(
        hands=hands,
        rain=rain,
        rainbows=view.rainbows,
        silent=view.silent,
        mover=view.mover,
        offer=offer,
        drawing=view.drawing,
        turn=view.turn,
        out=view.out,
    )
