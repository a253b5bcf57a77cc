"""Boards of sowing games as JSON, with the keys of the reference data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from games.rules.entry import Json
from games.rules.position import BadPosition
from games.rules.sowing import PITS, SIDES, STONES


def dump_board(holes: tuple[int, ...], mover: int, turn: int, *, half: bool = False) -> dict[str, Json]:
    """Pits, stores, the seat (`S`, `N`) and the number of the turn. Stores are whole, or end in .5 where each holds a `half`."""
    more = 0.5 if half else 0
    return {
        "south_pits": list(holes[:6]),
        "north_pits": list(holes[7:13]),
        "south_store": holes[6] + more,
        "north_store": holes[13] + more,
        "turn": SIDES[mover],
        "turn_number": turn,
    }


def load_board(data: Json) -> tuple[tuple[int, ...], int, int, bool]:
    """Holes, mover, number of the turn (1 where none is written), and whether each store holds half a stone besides.

    Raises BadPosition.
    """
    if not isinstance(data, dict):
        raise BadPosition("a position is a JSON object")
    south, north = _pits(data, "south_pits"), _pits(data, "north_pits")
    stores = [_stones(name, data.get(name)) for name in ("south_store", "north_store")]
    if stores[0].denominator != stores[1].denominator:
        raise BadPosition("half a stone is in both stores or in none")
    half = stores[0].denominator == 2
    holes = (*south, int(stores[0]), *north, int(stores[1]))
    if sum(holes) + half > STONES:
        raise BadPosition(f"there are {sum(holes) + half} stones; the game has {STONES}")
    if data.get("turn") not in SIDES:
        raise BadPosition("turn is S or N")
    turn = _whole("turn_number", data.get("turn_number", 1))
    if not turn:
        raise BadPosition("turn_number counts from 1")
    return holes, SIDES.index(data["turn"]), turn, half


def _pits(data: dict[str, Any], name: str) -> list[int]:
    pits = data.get(name)
    if not isinstance(pits, list) or len(pits) != PITS:
        raise BadPosition(f"{name} is a list of {PITS} numbers")
    return [_whole(name, stones) for stones in pits]


def _whole(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadPosition(f"{name} holds whole numbers from 0")
    return value


def _stones(name: str, value: object) -> Fraction:
    """Stones in a store; a half is written .5."""
    if isinstance(value, float) and 0 <= value <= STONES and (value * 2).is_integer():
        return Fraction(value)
    return Fraction(_whole(name, value))
