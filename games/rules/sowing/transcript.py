"""Games as mancala players write them: of each ply the pit it starts from and the pit where its last stone falls.

    1. 64 64 2. 21 32 ... 53 (20) ... 1-0

`0` is an end in the own store, and in brackets stands all that the seat has taken so far, after a ply that captures. The plies
of one turn are joined by `-`. A line may begin with options that are not the usual ones (`grand_slam=takes_all`) and end with
the result; the numbers of rounds are for the eye. (The notation of Togyzqumalaq, which wikimanqala.org uses for Oware too.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from games.rules import entry as kinds
from games.rules.entry import Entry, Misread, Options, OptionValue, Record, Unreadable
from games.rules.phrase import in_english
from games.rules.position import BadOptions, Event, MoveRefused
from games.rules.reference import moves_of
from games.rules.ruleset import AnyRuleset
from games.rules.sowing import store_place

_PLY: Final = re.compile(r"([1-6])([0-6])(\([0-9]{1,2}\))?")
_TOTAL: Final = re.compile(r"\([0-9]{1,2}\)")
_OPTION: Final = re.compile(r"([a-z][a-z0-9_]*)=(\S*)")
_ROUND: Final = re.compile(r"[0-9]+\.+")
_RESULT: Final = re.compile(r"\*|1-0|0-1|1/2-1/2")


def is_transcribed(record: Record) -> bool:
    """Whether the moves of a record are written so: the first one names two pits."""
    first = next((one.text for one in record.entries if one.kind == kinds.MOVE), "")
    return _PLY.fullmatch(first) is not None


def read_plies(ruleset: AnyRuleset, record: Record) -> Record:
    """The same record with the moves as `canonical` spells them. Raises Misread for a ply that the rules refuse or that ends
    elsewhere, and for a total that is another."""
    try:
        position = ruleset.start(record.options, record.seats)
    except BadOptions as bad:
        raise Misread(in_english(bad.said), 1) from bad
    entries: list[Entry] = []
    comments: dict[int, str] = {}
    plies, totals = 0, frozenset[int]()
    for one in record.entries:
        total = one.text if one.kind == kinds.MOVE and _TOTAL.fullmatch(one.text) else None
        if total is None:
            entries.append(replace(one, number=len(entries) + 1))
            if one.kind == kinds.MOVE:
                plies += 1
                move, total, position, totals = _played(ruleset, position, one, plies)
                entries[-1] = replace(entries[-1], text=move)
        if total and int(total[1:-1]) not in totals:
            told = " or ".join(map(str, sorted(totals))) or "nothing"
            raise Misread(f"the total after ply {plies} is {told}, not {total[1:-1]}", one.number)
        if one.number in record.comments:
            comments[len(entries)] = " ".join(filter(None, (comments.get(len(entries)), record.comments[one.number])))
    if 0 in record.comments:
        comments[0] = record.comments[0]
    return replace(record, entries=tuple(entries), comments=comments)


def _played(ruleset: AnyRuleset, position: Any, written: Entry, ply: int) -> tuple[str, str | None, Any, frozenset[int]]:
    """The move of a ply, the total that is written with it, the position after it, and what its total may be."""
    ends = _PLY.fullmatch(written.text)
    if ends is None:
        raise Misread(f"ply {ply} ({written.text[:20]}) does not name two pits", written.number)
    move, last, total = ends.groups()
    try:
        events, after = ruleset.events(position, move), ruleset.play(position, move)
    except MoveRefused as refused:
        raise Misread(f"ply {ply} ({written.text}): {refused}", written.number) from refused
    if _end(events) != last:
        raise Misread(f"ply {ply} ({written.text}) ends in {_end(events)}, not in {last}", written.number)
    seat = ruleset.to_move(position) or 0
    return move, total, after, frozenset({_total(ruleset, position, events), int(ruleset.scores(after)[seat])})


def _end(events: tuple[Event, ...]) -> str:
    """The number of the pit where the last stone falls, 0 for a store."""
    place = events[0].places[-1]
    return "0" if place.startswith("store") else place[1:]


def _total(ruleset: AnyRuleset, position: Any, events: tuple[Event, ...]) -> int:
    """What the seat has after sowing and capturing, before anybody takes what is left at the end."""
    seat = ruleset.to_move(position) or 0
    captured = sum(event.count for event in events if event.kind.startswith("captured"))
    return int(ruleset.scores(position)[seat]) + events[0].places.count(store_place(seat)) + captured


@dataclass(frozen=True, slots=True)
class Transcripts:
    """The dialect for one ruleset: a game on a line, or over several lines that begin with the numbers of rounds."""

    ruleset: AnyRuleset

    def reads(self, text: str) -> bool:
        """Whether the first ply begins a game of this ruleset. How far four stones go tells sowing games apart."""
        start = self.ruleset.start({}, 2)
        first = next((word for word, _ in _words(text[:400]) if not _OPTION.fullmatch(word)), "")
        move, last = first[:1], first[1:2]
        return move in self.ruleset.legal_moves(start) and _end(self.ruleset.events(start, move)) == last

    def read(self, text: str) -> Record:
        """The record of a transcript. Raises Unreadable, which names the ply."""
        options: dict[str, OptionValue] = {}
        entries: list[Entry] = []
        places: list[int] = []
        result: str | None = None
        for word, place in _words(text):
            option = _OPTION.fullmatch(word)
            if result is not None:
                raise _unreadable(f"{word!r} comes after the result", text, place)
            if option and not entries:
                options[option[1]] = option[2]
            elif _RESULT.fullmatch(word):
                result = word
            else:
                for ply in self.ruleset.split(word):
                    entries.append(Entry(len(entries) + 1, kinds.MOVE, text=ply))
                    places.append(place)
        facts = self.ruleset.facts
        raw = Record(facts.name, facts.version, options, 2, tuple(entries), result=result)
        try:
            return read_plies(self.ruleset, raw)
        except Misread as misread:
            raise _unreadable(misread.why, text, (places or [0])[misread.number - 1]) from misread

    def write(self, record: Record) -> str:
        """The line of a record that holds moves only. Raises ValueError for one that holds anything else."""
        plies = self._plies(self.ruleset.start(record.options, record.seats), moves_of(record))
        return " ".join([*_unusual(self.ruleset, record.options), *plies, *filter(None, [record.result])])

    def _plies(self, position: Any, moves: Sequence[str]) -> Iterator[str]:
        turn = 0
        joined: list[str] = []
        for move in moves:
            if self.ruleset.turn(position) > turn:
                turn = self.ruleset.turn(position)
                if turn % 2:
                    yield f"{turn // 2 + 1}."
            events, before = self.ruleset.events(position, move), position
            position = self.ruleset.play(position, move)
            joined.append(move + _end(events))
            if self.ruleset.turn(position) == turn and self.ruleset.to_move(position) is not None:
                continue
            yield "-".join(joined)
            joined = []
            if any(event.kind.startswith("captured") for event in events):
                yield f"({_total(self.ruleset, before, events)})"
        if joined:
            yield "-".join(joined)


def _unusual(ruleset: AnyRuleset, options: Options) -> Iterator[str]:
    usual = {option.name: option.default for option in ruleset.facts.options}
    for name, value in options.items():
        if value != usual[name]:
            yield f"{name}={value}"


def _words(text: str) -> Iterator[tuple[str, int]]:
    """The words of a transcript but for the numbers of rounds, each with its place in the text."""
    for found in re.finditer(r"\S+", text):
        number = _ROUND.match(found[0])
        word = found[0][number.end() :] if number else found[0]
        if word:
            yield word, found.end() - len(word)


def _unreadable(why: str, text: str, place: int) -> Unreadable:
    line = text.count("\n", 0, place)
    return Unreadable(why, line + 1, place - (text.rfind("\n", 0, place) + 1) + 1)
