"""How Bridg-It is written: points and moves, positions as JSON, moves as words, and the lines of the reference games."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, Final

from games.rules.catalogue.bridgit import play
from games.rules.catalogue.bridgit.play import BridgitPosition, Point
from games.rules.entry import Json, Record
from games.rules.phrase import phrase
from games.rules.position import BadPosition, Event, IllegalMove, InvalidNotation
from games.rules.reference import entries_of, is_of, line_of, moves_of, text_in, texts_in

NAME: Final = "bridgit"
VERSION: Final = 1
CONNECTED: Final = "connected"
SWAP: Final = "swap"
SEAT_TITLES: Final = (phrase("First player"), phrase("Second player"))
SEATS: Final = ("1", "2")

_POINT: Final = r"([a-z]{1,12})([1-9][0-9]{0,15})"
_MOVE: Final = re.compile(rf"{_POINT}(?:\s*[-‐‑–—−,;]?\s*{_POINT})?", re.IGNORECASE | re.ASCII)


@lru_cache(maxsize=4096)
def written(point: Point) -> str:
    """A point in letters and numbers: a1 is the lower left corner; after z come aa, ab, …"""
    return f"{column(point[0])}{point[1] + 1}"


def column(x: int) -> str:
    """The letters of a column, counted from 0."""
    letters = ""
    number = x + 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def long(seat: int, middle: Point) -> str:
    """A move as its two dots: `b1-b3`."""
    return "-".join(map(written, play.ends(seat, middle)))


def read(position: BridgitPosition, text: str) -> Point | None:
    """The middle that a text names for the seat to move, None for the swap. Raises InvalidNotation or IllegalMove."""
    asked = text.strip()
    swaps = asked.isascii() and asked.lower() == SWAP
    found = _MOVE.fullmatch(asked)
    if found is None and not swaps:
        said = phrase("“%(move)s” is no move: write the middle of a line as in b2, or its two dots as in b1-b3.", move=asked[:20])
        raise InvalidNotation(said)
    if position.over:
        raise IllegalMove(phrase("The game is over."))
    if found is None:
        _expect_swap(position)
        return None
    letters, number, *other = found.groups()
    middle = _point(position, letters, number)
    if other[0]:
        middle = _between(position, middle, _point(position, *other))
    return _free(position, middle)


def _expect_swap(position: BridgitPosition) -> None:
    if not position.swap:
        raise IllegalMove(phrase("This game is played without swapping."))
    if not play.may_swap(position):
        raise IllegalMove(phrase("Swapping is only possible instead of the second move."))


def _point(position: BridgitPosition, letters: str, number: str) -> Point:
    x = 0
    for letter in letters.lower():
        x = x * 26 + ord(letter) - ord("a") + 1
    point = (x - 1, int(number) - 1)
    if max(point) > 2 * position.size:
        last = written((2 * position.size, 2 * position.size))
        raise IllegalMove(
            phrase("%(point)s is not on this board, which goes from a1 to %(last)s.", point=written(point), last=last)
        )
    return point


def _between(position: BridgitPosition, one: Point, other: Point) -> Point:
    middle = ((one[0] + other[0]) // 2, (one[1] + other[1]) // 2)
    if set(play.ends(position.mover, middle)) != {one, other} or (one[0] + one[1]) % 2 == 0:
        said = phrase("%(one)s and %(other)s are not two dots of yours side by side.", one=written(one), other=written(other))
        raise IllegalMove(said)
    return middle


def _free(position: BridgitPosition, middle: Point) -> Point:
    point = written(middle)
    if (middle[0] + middle[1]) % 2:
        raise IllegalMove(phrase("%(point)s is a dot; write the middle between two dots, or both dots.", point=point))
    if not play.joins(position.size, position.mover, middle):
        raise IllegalMove(phrase("There are no two dots of yours around %(point)s.", point=point))
    if any(middle in lines for lines in position.lines):
        raise IllegalMove(phrase("A line runs through %(point)s already.", point=point))
    return middle


def events(position: BridgitPosition, middle: Point | None) -> tuple[Event, ...]:
    """What a move (see `read`) does: a line, perhaps the end."""
    seat = SEAT_TITLES[position.mover]
    if middle is None:
        [(x, y)] = position.lines[0]
        place = written((y, x))
        said = phrase("%(seat)s takes the line over; it lies at %(place)s now.", seat=seat, place=place)
        return (Event("swapped", said, (place,), 1, phrase("you take the line over, it lies at %(place)s then", place=place)),)
    one, other = map(written, play.ends(position.mover, middle))
    said = phrase("%(seat)s joins %(one)s and %(other)s.", seat=seat, one=one, other=other)
    to_mover = phrase("you join %(one)s and %(other)s", one=one, other=other)
    joined = Event("joined", said, (written(middle),), 1, to_mover)
    if not play.draw(position, middle).over:
        return (joined,)
    said, to_mover = phrase("That joins both sides: %(seat)s wins.", seat=seat), phrase("that joins both sides, you win")
    return joined, Event("over", said, (written(middle),), to_mover=to_mover)


def dump(position: BridgitPosition) -> Json:
    """The options, the middles of both players' lines, and whose turn it is."""
    first, second = ([written(one) for one in sorted(lines)] for lines in position.lines)
    return {
        "n": position.size,
        "swap": position.swap,
        "first": first,
        "second": second,
        "turn": SEATS[position.mover],
        "turn_number": position.turn,
        "swapped": position.swapped,
    }


def load(data: Json) -> BridgitPosition:
    """Inverse of `dump`; `swap` and `swapped` may be absent (false), other keys are ignored. Raises BadPosition."""
    if not isinstance(data, dict):
        raise BadPosition("a position is a JSON object")
    size, turn = _whole(data, "n"), _whole(data, "turn_number")
    swap, swapped = (_flag(data, name) for name in ("swap", "swapped"))
    if data.get("turn") not in SEATS:
        raise BadPosition("turn is 1 or 2")
    first, second = (_lines(data, name, size, seat) for seat, name in enumerate(("first", "second")))
    if first & second:
        raise BadPosition("two lines cross")
    mover = SEATS.index(data["turn"])
    won = [seat for seat, lines in enumerate((first, second)) if play.winning_line(size, seat, lines)]
    position = BridgitPosition(size, swap, (first, second), mover, turn, swapped, over=bool(won))
    if (won and won != [mover]) or not _counted(position):
        raise BadPosition("the lines do not agree with the turn")
    return position


def _counted(position: BridgitPosition) -> bool:
    """Whether each has drawn as many lines as the number of the turn says."""
    played = position.turn - 1 + position.over
    if position.swapped and (not position.swap or played < 2):
        return False
    drawn = [(played + 1) // 2 - position.swapped, played // 2]
    return position.mover == (position.turn - 1) % 2 and [len(lines) for lines in position.lines] == drawn


def _whole(data: dict[str, Any], name: str) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadPosition(f"{name} is a whole number from 1")
    return value


def _flag(data: dict[str, Any], name: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise BadPosition(f"{name} is true or false")
    return value


def _lines(data: dict[str, Any], name: str, size: int, seat: int) -> frozenset[Point]:
    texts = data.get(name)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise BadPosition(f"{name} is a list of middles")
    empty = play.start(size, swap=False)._replace(mover=seat)
    try:
        found = [read(empty, text) for text in texts]
    except (InvalidNotation, IllegalMove) as refused:
        raise BadPosition(str(refused)) from refused
    lines = frozenset(middle for middle in found if middle is not None)
    if len(lines) != len(texts):
        raise BadPosition(f"{name} names a line twice")
    return lines


class ReferenceLines:
    """The dialect of the reference games: one JSON object a line, moves by their middles and again by their dots."""

    def reads(self, text: str) -> bool:
        """Whether this is a JSON object that names the game."""
        return is_of(NAME, text)

    def read(self, text: str) -> Record:
        """The record of a line. Raises Unreadable."""
        line = line_of(NAME, text)
        result = text_in(line, "result")
        return Record(
            ruleset=NAME,
            version=VERSION,
            options={"n": line.get("n", 5), "swap": bool(line.get("swap", False))},
            seats=2,
            entries=entries_of(texts_in(line, "moves")),
            result=result,
            termination=None if result == "*" else CONNECTED,
        )

    def write(self, record: Record) -> str:
        """The line of a record that holds moves only. Raises ValueError for one that holds anything else."""
        moves = moves_of(record)
        return json.dumps({"game": NAME, **record.options, "moves": moves, "plies": len(moves), "result": record.result})
