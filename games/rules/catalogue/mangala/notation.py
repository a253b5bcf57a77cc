"""How Mangala is written: its positions as JSON, its moves as words."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from games.rules.catalogue.mangala.play import FIRST25, OVER24, PLAYOUT, SIDE_EMPTY, MangalaPosition, Sown, sow
from games.rules.entry import Json
from games.rules.phrase import phrase, phrases
from games.rules.position import BadPosition, Event
from games.rules.sowing import MAJORITY, PLACES, SEAT_TITLES, STORES, read_pit, store_place
from games.rules.sowing.storage import dump_board, load_board
from games.rules.sowing.words import over, sown, you_capture

NAME: Final = "mangala"
VERSION: Final = 1


def dump(position: MangalaPosition) -> Json:
    """The position with the keys of the reference data and those that a cache needs besides."""
    return {
        **dump_board(position.holes, position.mover, position.turn),
        "end": PLAYOUT if position.playout else FIRST25,
        "termination": position.termination,
    }


def load(data: Json) -> MangalaPosition:
    """Inverse of `dump`; the last three keys may be absent, other keys are ignored. Raises BadPosition."""
    holes, mover, turn, half = load_board(data)
    if half:
        raise BadPosition("a store holds whole stones")
    end = data.get("end", FIRST25)
    if end not in (FIRST25, PLAYOUT):
        raise BadPosition(f"end is {FIRST25} or {PLAYOUT}")
    termination = _termination(holes, end)
    if data.get("termination", termination) != termination:
        raise BadPosition(f"the termination of this position is {termination!r}")
    return MangalaPosition(holes, mover, turn, end == PLAYOUT, termination)


def _termination(holes: tuple[int, ...], end: str) -> str:
    south, north = any(holes[:6]), any(holes[7:13])
    if south != north:
        raise BadPosition("a side is empty and the stones of the other are not taken")
    if not south:
        return SIDE_EMPTY
    return OVER24 if end == FIRST25 and max(holes[store] for store in STORES) >= MAJORITY else ""


def events(position: MangalaPosition, text: str) -> tuple[Event, ...]:
    """What a ply does, in the order it happens. Raises InvalidNotation or IllegalMove."""
    done = sow(position, text)
    seat = position.mover
    told = [sown(seat, read_pit(text), done.path)]
    if done.captured:
        told.append(_captured(done, seat))
    if done.sweeper is not None:
        told.append(_swept(done, done.sweeper, seat))
    if done.position.termination:
        told.append(over([Fraction(done.position.holes[store]) for store in STORES], seat))
    elif done.path[-1] == STORES[seat]:
        said = phrase("%(seat)s moves again.", seat=SEAT_TITLES[seat])
        told.append(Event("moves_again", said, to_mover=phrase("you move again")))
    return tuple(told)


def _captured(done: Sown, seat: int) -> Event:
    last = PLACES[done.path[-1]]
    if done.facing is None:
        said = phrases(
            "The pit is even: %(seat)s captures %(count)s stone.",
            "The pit is even: %(seat)s captures %(count)s stones.",
            done.captured,
            seat=SEAT_TITLES[seat],
        )
        return Event("captured_even", said, (last,), done.captured, you_capture(done.captured))
    said = phrases(
        "The pit was empty: %(seat)s captures %(count)s stone with the facing pit.",
        "The pit was empty: %(seat)s captures %(count)s stones with the facing pit.",
        done.captured,
        seat=SEAT_TITLES[seat],
    )
    to_mover = phrases(
        "you capture %(count)s stone with the facing pit", "you capture %(count)s stones with the facing pit", done.captured
    )
    return Event("captured_facing", said, (last, PLACES[done.facing]), done.captured, to_mover)


def _swept(done: Sown, sweeper: int, mover: int) -> Event:
    said = phrases(
        "A side is empty: %(seat)s takes the last stone.",
        "A side is empty: %(seat)s takes the last %(count)s stones.",
        done.swept,
        seat=SEAT_TITLES[sweeper],
    )
    to_mover = phrases(
        "a side is empty and your opponent takes the last stone",
        "a side is empty and your opponent takes the last %(count)s stones",
        done.swept,
    )
    if sweeper == mover:
        to_mover = phrases(
            "a side is empty and you take the last stone", "a side is empty and you take the last %(count)s stones", done.swept
        )
    if not done.swept:
        said, to_mover = phrase("No stone is left in the pits."), phrase("no stone is left in the pits")
    return Event("swept", said, (store_place(sweeper),), done.swept, to_mover)
