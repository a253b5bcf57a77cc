"""How Mangala is written: its positions as JSON, its moves as words, and the lines of the reference games."""

from __future__ import annotations

import json
from typing import Any, Final

from games.rules import entry as kinds
from games.rules.catalogue.mangala.play import FIRST25, MAJORITY, OVER24, PLAYOUT, SIDE_EMPTY, MangalaPosition, Sown, sow
from games.rules.entry import Entry, Json, Record, Unreadable
from games.rules.phrase import phrase, phrases
from games.rules.position import BadPosition, Event
from games.rules.sowing import PITS, PLACES, SEAT_TITLES, SIDES, STONES, STORES, read_pit, store_place

NAME: Final = "mangala"
VERSION: Final = 1


def dump(position: MangalaPosition) -> Json:
    """The position with the keys of the reference data and those that a cache needs besides."""
    holes = position.holes
    return {
        "south_pits": list(holes[:6]),
        "north_pits": list(holes[7:13]),
        "south_store": holes[6],
        "north_store": holes[13],
        "turn": SIDES[position.mover],
        "turn_number": position.turn,
        "end": PLAYOUT if position.playout else FIRST25,
        "termination": position.termination,
    }


def load(data: Json) -> MangalaPosition:
    """Inverse of `dump`; the last three keys may be absent, other keys are ignored. Raises BadPosition."""
    if not isinstance(data, dict):
        raise BadPosition("a position is a JSON object")
    south, north = _pits(data, "south_pits"), _pits(data, "north_pits")
    holes = (*south, _count(data, "south_store"), *north, _count(data, "north_store"))
    if sum(holes) > STONES:
        raise BadPosition(f"there are {sum(holes)} stones; the game has {STONES}")
    if data.get("turn") not in SIDES:
        raise BadPosition("turn is S or N")
    end = data.get("end", FIRST25)
    if end not in (FIRST25, PLAYOUT):
        raise BadPosition(f"end is {FIRST25} or {PLAYOUT}")
    turn = _count(data, "turn_number") if "turn_number" in data else 1
    if not turn:
        raise BadPosition("turn_number counts from 1")
    termination = _termination(south, north, holes, end)
    if data.get("termination", termination) != termination:
        raise BadPosition(f"the termination of this position is {termination!r}")
    return MangalaPosition(holes, SIDES.index(data["turn"]), turn, end == PLAYOUT, termination)


def _termination(south: list[int], north: list[int], holes: tuple[int, ...], end: str) -> str:
    if any(south) != any(north):
        raise BadPosition("a side is empty and the stones of the other are not taken")
    if not any(south):
        return SIDE_EMPTY
    return OVER24 if end == FIRST25 and max(holes[store] for store in STORES) >= MAJORITY else ""


def _pits(data: dict[str, Any], name: str) -> list[int]:
    pits = data.get(name)
    if not isinstance(pits, list) or len(pits) != PITS:
        raise BadPosition(f"{name} is a list of {PITS} numbers")
    return [_whole(name, stones) for stones in pits]


def _count(data: dict[str, Any], name: str) -> int:
    return _whole(name, data.get(name))


def _whole(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadPosition(f"{name} holds whole numbers from 0")
    return value


def events(position: MangalaPosition, text: str) -> tuple[Event, ...]:
    """What a ply does, in the order it happens. Raises InvalidNotation or IllegalMove."""
    done = sow(position, text)
    seat = position.mover
    told = [_sown(done, seat, read_pit(text))]
    if done.captured:
        told.append(_captured(done, seat))
    if done.sweeper is not None:
        told.append(_swept(done, done.sweeper))
    if done.position.termination:
        south, north = (done.position.holes[store] for store in STORES)
        told.append(Event("over", phrase("The game is over, %(south)s to %(north)s.", south=south, north=north)))
    elif done.path[-1] == STORES[seat]:
        told.append(Event("moves_again", phrase("%(seat)s moves again.", seat=SEAT_TITLES[seat])))
    return tuple(told)


def _sown(done: Sown, seat: int, pit: str) -> Event:
    last = done.path[-1]
    stones = len(done.path)
    words: dict[str, Any] = {"seat": SEAT_TITLES[seat], "pit": pit}
    if last in STORES:
        said = phrases(
            "%(seat)s sows one stone from pit %(pit)s; it falls in the store.",
            "%(seat)s sows %(count)s stones from pit %(pit)s; the last one falls in the store.",
            stones,
            **words,
        )
    elif last // 7 == seat:
        said = phrases(
            "%(seat)s sows one stone from pit %(pit)s; it falls in pit %(last)s on the same side.",
            "%(seat)s sows %(count)s stones from pit %(pit)s; the last one falls in pit %(last)s on the same side.",
            stones,
            last=last % 7 + 1,
            **words,
        )
    else:
        said = phrases(
            "%(seat)s sows one stone from pit %(pit)s; it falls in pit %(last)s on the other side.",
            "%(seat)s sows %(count)s stones from pit %(pit)s; the last one falls in pit %(last)s on the other side.",
            stones,
            last=last % 7 + 1,
            **words,
        )
    return Event("sown", said, tuple(PLACES[hole] for hole in done.path), stones)


def _captured(done: Sown, seat: int) -> Event:
    last = PLACES[done.path[-1]]
    if done.facing is None:
        said = phrases(
            "The pit is even: %(seat)s captures %(count)s stone.",
            "The pit is even: %(seat)s captures %(count)s stones.",
            done.captured,
            seat=SEAT_TITLES[seat],
        )
        return Event("captured_even", said, (last,), done.captured)
    said = phrases(
        "The pit was empty: %(seat)s captures %(count)s stone with the facing pit.",
        "The pit was empty: %(seat)s captures %(count)s stones with the facing pit.",
        done.captured,
        seat=SEAT_TITLES[seat],
    )
    return Event("captured_facing", said, (last, PLACES[done.facing]), done.captured)


def _swept(done: Sown, sweeper: int) -> Event:
    said = phrases(
        "A side is empty: %(seat)s takes the last stone.",
        "A side is empty: %(seat)s takes the last %(count)s stones.",
        done.swept,
        seat=SEAT_TITLES[sweeper],
    )
    if not done.swept:
        said = phrase("No stone is left in the pits.")
    return Event("swept", said, (store_place(sweeper),), done.swept)


class ReferenceLines:
    """The dialect of the reference games: one JSON object a line, a pit choice an entry (see their README)."""

    def reads(self, text: str) -> bool:
        """Whether this is a JSON object that names the game."""
        return text.lstrip().startswith("{") and f'"{NAME}"' in text

    def read(self, text: str) -> Record:
        """The record of a line. Raises Unreadable."""
        try:
            line = json.loads(text)
        except json.JSONDecodeError as problem:
            raise Unreadable(f"not JSON: {problem.msg}", problem.lineno, problem.colno) from problem
        except (ValueError, RecursionError) as problem:
            raise Unreadable(f"not JSON: {problem}", 1, 1) from problem
        if not isinstance(line, dict) or line.get("game") != NAME:
            raise Unreadable(f"not a game of {NAME}", 1, 1)
        moves = _moves(line)
        return Record(
            ruleset=NAME,
            version=VERSION,
            options=_object(line, "options") if "options" in line else {},
            seats=2,
            entries=tuple(
                Entry(number, kinds.MOVE, seat, move)
                for number, (move, seat) in enumerate(zip(moves, _seats(line, len(moves)), strict=True), start=1)
            ),
            tags={"Id": str(line["id"])} if "id" in line else {},
            result=_text(line, "result"),
            termination=_text(line, "end"),
            final=_object(line, "final"),
        )

    def write(self, record: Record) -> str:
        """The line of a record that holds moves only. Raises ValueError for one that holds anything else."""
        if any(one.kind != kinds.MOVE for one in record.entries):
            raise ValueError("a reference line holds nothing but moves")
        line: dict[str, Any] = {"id": record.tags["Id"]} if "Id" in record.tags else {}
        line |= {"game": NAME, "options": dict(record.options), "moves": [one.text for one in record.entries]}
        line |= {"final": dict(record.final or {}), "result": record.result}
        movers = [SIDES[one.seat] for one in record.entries if one.seat is not None]
        if len(movers) == len(record.entries):
            line["movers"] = "".join(movers)
        return json.dumps(line | {"end": record.termination})


def _moves(line: dict[str, Any]) -> list[str]:
    moves = line.get("moves")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise Unreadable("moves is not a list of texts", 1, 1)
    return moves


def _seats(line: dict[str, Any], moves: int) -> list[int] | list[None]:
    movers = line.get("movers")
    if movers is None:
        return [None] * moves
    if not isinstance(movers, str) or len(movers) != moves or not set(movers) <= set(SIDES):
        raise Unreadable("movers is not a letter, S or N, for each move", 1, 1)
    return [SIDES.index(mover) for mover in movers]


def _text(line: dict[str, Any], name: str) -> str:
    text = line.get(name)
    if not isinstance(text, str):
        raise Unreadable(f"{name} is not a text", 1, 1)
    return text


def _object(line: dict[str, Any], name: str) -> dict[str, Any]:
    found = line.get(name)
    if not isinstance(found, dict):
        raise Unreadable(f"{name} is not an object", 1, 1)
    return found
