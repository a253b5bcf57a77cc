"""The lines of the reference games of Rainbow."""

from __future__ import annotations

import json
from typing import Any

from games.rules import entry as kinds
from games.rules.catalogue.rainbow import notation, play
from games.rules.catalogue.rainbow.play import RainbowPosition
from games.rules.entry import Entry, Record, Unreadable
from games.rules.reference import is_of, line_of, object_in, texts_in


class ReferenceLines:
    """The dialect of the reference games: one JSON object a line, with the deal, who begins, what happened and the end.

    Lines tell what chance brought among the moves; what was forced or spilled follows from the rules and is not kept.
    """

    def reads(self, text: str) -> bool:
        """Whether this is a JSON object that names the game."""
        return is_of(notation.NAME, text)

    def read(self, text: str) -> Record:
        """The record of a line. Raises Unreadable."""
        line = line_of(notation.NAME, text)
        deal, final = texts_in(line, "deal"), object_in(line, "final")
        dealt = [(kinds.CHANCE_FELL, colour) for hand in deal for colour in hand]
        lot = (kinds.CHANCE_FELL, f"seat {_whole(line, 'first') + 1}")
        happened = [one for event in _events(line) if (one := _entry(event)) is not None]
        winner = final.get("winner")
        return Record(
            ruleset=notation.NAME,
            version=notation.VERSION,
            options={},
            seats=len(deal),
            entries=tuple(Entry(number, kind, None, text) for number, (kind, text) in enumerate((*dealt, lot, *happened), 1)),
            result="*" if winner is None else "-".join("1" if seat == winner else "0" for seat in range(len(deal))),
            termination=None if winner is None else notation.COMPLETE,
            final={name: final[name] for name in ("hands", "rain", "rainbows") if name in final},
        )

    def write(self, record: Record) -> str:
        """The line of a record of moves, chance and time-outs. Raises ValueError for one that holds anything else."""
        written = _Written(play.start(record.seats))
        for entry in record.entries:
            written.take(entry)
        last = written.position
        winner = last.winner if record.termination == notation.COMPLETE else None
        final = {"hands": [*last.hands], "rain": last.rain, "rainbows": [*last.rainbows], "winner": winner}
        return json.dumps(
            {
                "game": notation.NAME,
                "players": record.seats,
                "deal": written.deal,
                "rain": written.rain,
                "first": written.first,
                "events": written.events,
                "final": final,
            }
        )


class _Written:
    """A game while its line is written."""

    def __init__(self, position: RainbowPosition) -> None:
        self.position = position
        self.deal = [""] * len(position.hands)
        self.rain, self.first = "", 0
        self.events: list[list[str | int]] = []

    def take(self, entry: Entry) -> None:
        """One more entry."""
        before, seat = self.position, self.position.mover or 0
        match entry.kind:
            case kinds.CHANCE_FELL:
                self._fell(before, entry.text)
                self.position = notation.after_outcome(before, entry.text)
            case kinds.TIMEOUT:
                self.events.append([kinds.TIMEOUT, before.receiver if before.offer else seat])
                self.position = play.late(before)
            case kinds.MOVE:
                verb, _, colour = entry.text.partition(" ")
                mover = before.receiver if before.offer else seat
                sent = play.wanted(before, seat) if verb == notation.SEND else ""
                self.events.append([verb, mover, *filter(None, [colour or sent])])
                if verb == notation.OFFER and (what := play.fate(before)) != play.ASKED:
                    self.events.append([what, before.receiver if what == play.FORCED else seat, colour])
                self.position = notation.after(before, entry.text)
            case _:
                raise ValueError("a reference line holds moves, chance and time-outs")

    def _fell(self, before: RainbowPosition, outcome: str) -> None:
        if before.dealing is not None:
            self.deal[before.dealing] += outcome
        elif before.mover is None:
            self.rain, self.first = before.rain, notation.after_outcome(before, outcome).mover or 0
        else:
            self.events.append(["drawn", before.mover, outcome])


def _events(line: dict[str, Any]) -> list[list[Any]]:
    events = line.get("events")
    if not isinstance(events, list) or not all(isinstance(event, list) and len(event) in (2, 3) for event in events):
        raise Unreadable("events is not a list of events", 1, 1)
    return events


def _entry(event: list[Any]) -> tuple[str, str] | None:
    """Kind and text of the entry that an event stands for; None for what follows from the one before."""
    match event:
        case ["drawn", _seat, str(colour)]:
            return kinds.CHANCE_FELL, colour
        case ["timeout", _seat]:
            return kinds.TIMEOUT, ""
        case ["forced" | "spilled", *_rest]:
            return None
        case [("pour" | "offer") as verb, _seat, str(colour)]:
            return kinds.MOVE, f"{verb} {colour}"
        case [str(verb), *_rest]:
            return kinds.MOVE, verb
        case _:
            raise Unreadable(f"{event} is no event", 1, 1)


def _whole(line: dict[str, Any], name: str) -> int:
    number = line.get(name)
    if type(number) is not int or not 0 <= number < play.MOST:
        raise Unreadable(f"{name} is not a seat", 1, 1)
    return number
