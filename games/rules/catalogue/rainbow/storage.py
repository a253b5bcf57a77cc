"""Positions of Rainbow as JSON."""

from __future__ import annotations

from typing import Any

from games.rules.catalogue.rainbow import play
from games.rules.catalogue.rainbow.play import COLOURS, RainbowPosition
from games.rules.entry import Json
from games.rules.position import BadPosition


def dump(position: RainbowPosition) -> Json:
    """Hands and rain as letters in the order of a rainbow, seats counted from 0."""
    return {
        "hands": [*position.hands],
        "rain": position.rain,
        "rainbows": [*position.rainbows],
        "silent": [*position.silent],
        "mover": position.mover,
        "offer": position.offer,
        "drawing": position.drawing,
        "turn": position.turn,
        "out": [*position.out],
    }


def load(data: Json) -> RainbowPosition:
    """Inverse of `dump`; `silent`, `offer`, `drawing`, `turn` and `out` may be absent. Raises BadPosition."""
    if not isinstance(data, dict):
        raise BadPosition("a position is a JSON object")
    hands, rain, rainbows = data.get("hands"), data.get("rain"), data.get("rainbows")
    if not isinstance(hands, list) or not play.FEWEST <= len(hands) <= play.MOST:
        raise BadPosition("hands are drops of 2 to 20 seats")
    seats = len(hands)
    silent, out = data.get("silent", [0] * seats), data.get("out", [])
    drops = [*hands, rain, data.get("offer", "")]
    if not all(isinstance(some, str) and not {*some} - {*COLOURS} for some in drops):
        raise BadPosition(f"drops are letters of {COLOURS}")
    lengths = _numbers(rainbows, "rainbows", len(COLOURS))
    position = RainbowPosition(
        hands=tuple(map(play.in_order, hands)),
        rain=play.in_order(drops[-2]),
        rainbows=lengths,
        silent=_numbers(silent, "silent", 10**6),
        mover=_mover(data.get("mover"), seats),
        offer=drops[-1],
        drawing=data.get("drawing", False) is True,
        turn=_numbers([data.get("turn", 1)], "turn", 10**9)[0],
        out=tuple(sorted(_numbers(out, "out", seats - 1))),
    )
    _expect_whole(position)
    return position


def _numbers(given: Any, name: str, most: int) -> tuple[int, ...]:
    if not isinstance(given, list) or not all(type(one) is int and 0 <= one <= most for one in given):
        raise BadPosition(f"{name} are whole numbers from 0 to {most}")
    return tuple(given)


def _mover(given: Any, seats: int) -> int | None:
    if given is not None and (type(given) is not int or not 0 <= given < seats):
        raise BadPosition("mover is a seat from 0, or null")
    return given


def _expect_whole(position: RainbowPosition) -> None:
    """Refuses what no game comes to: drops that are missing, hands too full, an offer of nothing."""
    seats = len(position.hands)
    lying = [COLOURS[:length] for length in position.rainbows]
    if play.in_order("".join((*position.hands, position.rain, *lying))) != play.whole(seats):
        raise BadPosition(f"there are {seats + 3} drops of each colour")
    out = {*position.out}
    if len(position.rainbows) != seats or len(position.silent) != seats or len(out) != len(position.out) or len(out) == seats:
        raise BadPosition("the seats do not agree with each other")
    if max(map(len, position.hands)) > play.FULL or any(position.hands[seat] for seat in out) or _is_gone(position):
        raise BadPosition("a hand holds at most ten drops, and whoever left holds none")
    if position.turn < 1 or len(position.offer) > 1 or ((position.offer or position.drawing) and position.mover is None):
        raise BadPosition("the turn does not agree with the drops")
    if position.offer and (position.offer not in position.hands[position.mover or 0] or position.drawing or not position.rain):
        raise BadPosition("the mover does not hold what is offered")
    if position.drawing and (not position.rain or len(position.hands[position.mover or 0]) >= play.FULL):
        raise BadPosition("nothing can be drawn")


def _is_gone(position: RainbowPosition) -> bool:
    """Whether somebody who left would have the turn, where the game goes on."""
    return position.mover in position.out and position.winner is None
