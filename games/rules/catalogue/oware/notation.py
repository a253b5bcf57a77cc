"""How Oware is written: its positions as JSON, its moves as words, the options of the reference games."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from games.rules.catalogue.oware.play import (
    ALL_SLAMS,
    CANNOT_FEED,
    FORBIDDEN,
    GRAND_SLAM,
    GRAND_SLAMS,
    NO_CAPTURE,
    OVER24,
    REPETITION,
    TAKES_ALL,
    TIMES,
    OwarePosition,
    Sown,
    sow,
    stuck,
)
from games.rules.entry import Json, Options, Unreadable
from games.rules.phrase import Phrase, phrase, phrases
from games.rules.position import BadPosition, Event
from games.rules.sowing import MAJORITY, PLACES, SEAT_TITLES, STORES, read_pit, store_place
from games.rules.sowing.storage import dump_board, load_board
from games.rules.sowing.words import over, sown, you_capture

NAME: Final = "oware"
VERSION: Final = 1

VARIANTS: Final = {"A": FORBIDDEN, "B": NO_CAPTURE, "C": TAKES_ALL}
"""What the reference data call the values of the option."""


def dump(position: OwarePosition) -> Json:
    """The position with the keys of the reference data and those that a cache needs besides; `seen` in hexadecimal."""
    return {
        **dump_board(position.holes, position.mover, position.turn, half=position.half),
        "grand_slam": position.grand_slam,
        "seen": [holes.hex() for holes in position.seen],
        "termination": position.termination,
    }


def load(data: Json) -> OwarePosition:
    """Inverse of `dump`; `turn_number` and the last three keys may be absent, other keys are ignored. Raises BadPosition."""
    holes, mover, turn, half = load_board(data)
    grand_slam = data.get("grand_slam", NO_CAPTURE)
    if grand_slam not in GRAND_SLAMS:
        raise BadPosition(f"grand_slam is one of {', '.join(GRAND_SLAMS)}")
    ends = _terminations(holes, mover, grand_slam)
    termination = data.get("termination", ends[0])
    if termination not in ends:
        raise BadPosition(f"the termination of this position is {' or '.join(map(repr, ends))}")
    if half and termination != REPETITION:
        raise BadPosition("half a stone comes of repetition only")
    seen = () if termination else _seen(data.get("seen", [bytes(holes).hex()]), holes)
    return OwarePosition(holes, mover, turn, grand_slam, seen, half, termination)


def _terminations(holes: tuple[int, ...], mover: int, grand_slam: str) -> tuple[str, ...]:
    """How the game may have ended here, the likeliest first."""
    if not any(holes[:6] + holes[7:13]):
        slams = {FORBIDDEN: (ALL_SLAMS,), NO_CAPTURE: (), TAKES_ALL: (GRAND_SLAM,)}
        return CANNOT_FEED, *slams[grand_slam], REPETITION
    if max(holes[store] for store in STORES) >= MAJORITY:
        return (OVER24,)
    if stuck(holes, mover, grand_slam):
        raise BadPosition("the seat to move has no move and the stones that are left are not taken")
    return ("",)


def _seen(written: Json, holes: tuple[int, ...]) -> tuple[bytes, ...]:
    try:
        seen = tuple(bytes.fromhex(one) for one in written)
    except (TypeError, ValueError) as problem:
        raise BadPosition("seen is a list of boards in hexadecimal") from problem
    if not seen or seen[-1] != bytes(holes):
        raise BadPosition("the last of seen is the board itself")
    if any(len(one) != len(holes) or sum(one) != sum(holes) for one in seen) or seen[::-2].count(seen[-1]) >= TIMES:
        raise BadPosition("seen are the boards since the last capture in a game that goes on")
    return seen


def events(position: OwarePosition, text: str) -> tuple[Event, ...]:
    """What a ply does, in the order it happens. Raises InvalidNotation or IllegalMove."""
    done = sow(position, text)
    seat, after = position.mover, done.position
    told = [sown(seat, read_pit(text), done.path)]
    if done.taken:
        said = phrases(
            "%(seat)s captures %(count)s stone.", "%(seat)s captures %(count)s stones.", done.captured, seat=SEAT_TITLES[seat]
        )
        places = tuple(PLACES[hole] for hole in done.taken)
        told.append(Event("captured", said, places, done.captured, you_capture(done.captured)))
    elif done.slam:
        said, to_mover = phrase("It is a Grand Slam: nothing is captured."), phrase("a Grand Slam, nothing is captured")
        told.append(Event("grand_slam", said, to_mover=to_mover))
    if after.termination and after.termination != OVER24:
        stores = (0, 1) if done.sweeper is None else (done.sweeper,)
        told.append(Event("swept", _taken_away(done), tuple(map(store_place, stores)), done.left, _taken_to_mover(done)))
    if after.termination:
        told.append(over(scores(after), seat))
    return tuple(told)


def _taken_away(done: Sown) -> Phrase:
    """Why the stones that are left go from the board, and to whom."""
    if done.sweeper is None:
        return phrases(
            "The same position comes for the third time: the last stone is divided equally.",
            "The same position comes for the third time: the last %(count)s stones are divided equally.",
            done.left,
        )
    seat, other = SEAT_TITLES[done.sweeper], SEAT_TITLES[1 - done.sweeper]
    if done.position.termination == ALL_SLAMS:
        return phrases(
            "Every move of %(seat)s would be a Grand Slam: %(seat)s takes the last stone.",
            "Every move of %(seat)s would be a Grand Slam: %(seat)s takes the last %(count)s stones.",
            done.left,
            seat=seat,
        )
    if done.position.termination == CANNOT_FEED:
        return phrases(
            "%(other)s has no stones and %(seat)s cannot give any: %(seat)s takes the last stone.",
            "%(other)s has no stones and %(seat)s cannot give any: %(seat)s takes the last %(count)s stones.",
            done.left,
            seat=seat,
            other=other,
        )
    if not done.left:
        return phrase("It is a Grand Slam.")
    return phrases(
        "It is a Grand Slam: %(seat)s takes the last stone, too.",
        "It is a Grand Slam: %(seat)s takes the last %(count)s stones, too.",
        done.left,
        seat=seat,
    )


def _taken_to_mover(done: Sown) -> Phrase:
    """The same to the mover, whose opponent would have to move next and cannot, unless it is a Grand Slam."""
    if done.sweeper is None:
        return phrases(
            "the third time for this position, the last stone is divided equally",
            "the third time for this position, the last %(count)s stones are divided equally",
            done.left,
        )
    if done.position.termination == ALL_SLAMS:
        return phrases(
            "every answer would be a Grand Slam, your opponent takes the last stone",
            "every answer would be a Grand Slam, your opponent takes the last %(count)s stones",
            done.left,
        )
    if done.position.termination == CANNOT_FEED:
        return phrases(
            "you are left without stones, your opponent takes the last stone",
            "you are left without stones, your opponent takes the last %(count)s stones",
            done.left,
        )
    if not done.left:
        return phrase("a Grand Slam")
    return phrases(
        "a Grand Slam, you take the last stone, too", "a Grand Slam, you take the last %(count)s stones, too", done.left
    )


def scores(position: OwarePosition) -> tuple[Fraction, ...]:
    """The stones in South's and North's store, exact to the half."""
    return tuple(position.holes[store] + Fraction(position.half, 2) for store in STORES)


def options_in(line: dict[str, Json]) -> Options:
    """The options of a reference line. Raises Unreadable."""
    variant = line.get("variant", "B")
    if variant not in VARIANTS:
        raise Unreadable(f"variant is one of {', '.join(VARIANTS)}", 1, 1)
    return {"grand_slam": VARIANTS[variant]}


def options_out(options: Options) -> dict[str, Json]:
    """The keys of a reference line for options."""
    [variant] = [name for name, value in VARIANTS.items() if value == options.get("grand_slam", NO_CAPTURE)]
    return {"variant": variant}
