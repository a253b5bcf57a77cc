"""Records: games as text in the manner of PGN, one or many in a file.

    [Ruleset "mangala"]
    [Version "1"]
    [Options "end=first25"]
    [South "Alice"]
    [North "Bob"]
    [Result "1-0"]
    [Termination "over24"]

    1. 4-6 3 2. 1 <propose 1 draw> <refuse 2 4> 5-2 {a comment} 1-0

A number with a dot opens a round of as many turns as there are seats; it is for the eye and not checked. The plies of one
turn are joined as the ruleset joins them, a blank inside a ply is `_`. What is no move stands in angle brackets: the kind
of the entry, the seat (from 1) of those who spoke or left, then its text; of rulings the text and then the seat it is about:
`<adjudicate win 1>`, `<clock pause 2>`, `<clock gift 86400>`, `<correct 17>`. Who moves follows from the rules; times are not
written. `<propose 1 takeback> <agree 2 5>` takes back the last turn of seat 1 and what followed; rounds count on from there.
`<commit DIGITS>` shows the fingerprint of a seed, `<reveal DIGITS>` the seed, of several one after the other. After the first
commitment chance is written with all that could have fallen, each with its weight: `<chance R|R*9|O*8>`.
In comments and tags `\\` goes before `}`, `"`, a line's end and itself. A tag `Final` may hold values of the final
position as JSON, to be compared. The record ends with its result, `*` when the game goes on or counts for nobody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, NoReturn

from games.rules import entry as kinds
from games.rules.entry import Entry, Json, Misread, OptionValue, Record, Unreadable
from games.rules.replay import begin, seated, step
from games.rules.ruleset import AnyRuleset
from games.rules.standing import removed_by

Lookup = Callable[[str], AnyRuleset]
_Fell = dict[int, tuple[tuple[str, int], ...]]

OWN_TAGS: Final = ("Ruleset", "Version", "Options", "Seats", "Result", "Termination", "Final")
SEATED: Final = frozenset({kinds.RESIGN, kinds.ABORT, kinds.PROPOSE, kinds.AGREE, kinds.REFUSE, kinds.WITHDRAW})
UNSEATED: Final = frozenset({kinds.CHANCE_FELL, kinds.TIMEOUT, kinds.CORRECT, kinds.COMMIT, kinds.REVEAL})
WIDTH: Final = 100

_TOKEN: Final = re.compile(
    r"(?P<blank>\s+)"
    r"|(?P<tag>\[\s*(?P<name>[A-Za-z][A-Za-z0-9_]*)\s+\"(?P<value>(?:[^\"\\\n]++|\\.)*+)\"\s*\])"
    r"|\{(?P<comment>(?:[^}\\]++|\\.)*+)\}"
    r"|<(?P<other>[^<>\n]*)>"
    r"|(?P<round>[0-9]+\.+)"
    r"|(?P<word>[^\s\[\]{}<>\"][^\s{}<>\"]*)",
    re.DOTALL,
)
_RESULT: Final = re.compile(r"\*|(?=.*[0/])(?:1/2|[01])(?:-(?:1/2|[01]))+")
"""Somebody loses or shares in every result: `1-1` is two plies of a turn."""

_IN_TAG: Final = re.compile(r'[\\"\n]')
_IN_COMMENT: Final = re.compile(r"[\\}]")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    name: str
    line: int
    column: int

    def refuse(self, why: str) -> NoReturn:
        raise Unreadable(why, self.line, self.column)


def read(text: str, lookup: Lookup) -> list[Record]:
    """The records in a text; `lookup` finds a ruleset by name or raises KeyError. Raises Unreadable."""
    return list(one_by_one(text, lookup))


def one_by_one(text: str, lookup: Lookup) -> Iterator[Record]:
    """As `read`, but gives the records before an unreadable place first."""
    tokens: list[_Token] = []
    for token in _tokens(text):
        tokens.append(token)
        if token.kind == "word" and _RESULT.fullmatch(token.text):
            yield _record(tokens, lookup)
            tokens = []
    if tokens:
        tokens[-1].refuse("the record has no result at its end (1-0, 0-1, 1/2-1/2, * …)")


def write(record: Record, ruleset: AnyRuleset) -> str:
    """The record as text that `read` reads back. Raises what the rules raise when its moves are not legal."""
    tags = {"Ruleset": record.ruleset, "Version": str(record.version)}
    if record.options:
        tags["Options"] = ", ".join(f"{name}={_option_text(value)}" for name, value in record.options.items())
    if record.seats != ruleset.facts.seats[0]:
        tags["Seats"] = str(record.seats)
    tags |= record.tags
    tags |= {"Result": record.result or "*"}
    if record.termination:
        tags["Termination"] = record.termination
    if record.final is not None:
        tags["Final"] = json.dumps(record.final, ensure_ascii=False)
    header = "\n".join(f'[{name} "{_escaped(value, _IN_TAG)}"]' for name, value in tags.items())
    words = [*_movetext(record, ruleset), record.result or "*"]
    return f"{header}\n\n{_wrapped(words)}\n"


def _tokens(text: str) -> Iterator[_Token]:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    place, line, start = 0, 1, 0
    while place < len(text):
        column = place - start + 1
        match = _TOKEN.match(text, place)
        if match is None:
            what = {
                "[": 'a tag is not written as [Name "value"]',
                "{": "a comment is not closed",
                "<": "an entry in <…> is not closed",
            }
            raise Unreadable(what.get(text[place], f"{text[place]!r} has no meaning here"), line, column)
        kind = "tag" if match["tag"] else match.lastgroup or ""
        if kind != "blank":
            value = match["value"] if kind == "tag" else match[kind]
            yield _Token(kind, value, match["name"] or "", line, column)
        line += match[0].count("\n")
        if "\n" in match[0]:
            start = place + match[0].rindex("\n") + 1
        place = match.end()


def _record(tokens: list[_Token], lookup: Lookup) -> Record:
    tags: dict[str, _Token] = {}
    body = 0
    while tokens[body].kind == "tag":
        token = tokens[body]
        if token.name in tags:
            token.refuse(f"the tag {token.name} stands twice")
        tags[token.name] = token
        body += 1
    named = tags.get("Ruleset")
    if named is None:
        tokens[0].refuse("the record does not begin with tags that name its Ruleset")
    try:
        ruleset = lookup(_plain(named.text))
    except KeyError:
        named.refuse(f"there is no ruleset called {_plain(named.text)!r}")
    result = tokens[-1].text
    if "Result" in tags and _plain(tags["Result"].text) != result:
        tags["Result"].refuse(f"the tag says {_plain(tags['Result'].text)}, the end of the moves {result}")
    seats = _number(tags["Seats"]) if "Seats" in tags else ruleset.facts.seats[0]
    entries, comments, places, outcomes = _body(tokens[body:-1], ruleset, seats)
    record = Record(
        ruleset=ruleset.facts.name,
        version=_number(tags["Version"]) if "Version" in tags else ruleset.facts.version,
        options=_options(tags["Options"], ruleset) if "Options" in tags else {},
        seats=seats,
        entries=entries,
        tags={name: _plain(token.text) for name, token in tags.items() if name not in OWN_TAGS},
        result=result,
        termination=_plain(tags["Termination"].text) if "Termination" in tags else None,
        final=_final(tags["Final"]) if "Final" in tags else None,
        comments=comments,
        outcomes=outcomes,
    )
    try:
        return ruleset.respelled(record)
    except Misread as misread:
        places[misread.number - 1].refuse(misread.why)


def _body(tokens: list[_Token], ruleset: AnyRuleset, seats: int) -> tuple[tuple[Entry, ...], dict[int, str], list[_Token], _Fell]:
    """The entries, the comments, the token that each entry stands in, and what else could have fallen."""
    entries: list[Entry] = []
    places: list[_Token] = []
    comments: dict[int, str] = {}
    outcomes: _Fell = {}
    for token in tokens:
        number = len(entries) + 1
        if token.kind == "comment":
            said = _plain(token.text)
            comments[number - 1] = f"{comments[number - 1]} {said}" if number - 1 in comments else said
        elif token.kind == "other":
            entries.append(_other(token, number, seats, outcomes))
        elif token.kind == "word":
            for ply in ruleset.split(token.text):
                if not ply:
                    token.refuse(f"{token.text!r} has an empty ply")
                entries.append(Entry(len(entries) + 1, kinds.MOVE, text=ply.replace("_", " ")))
        elif token.kind == "tag":
            token.refuse("a tag stands among the moves: the record before it has no result at its end")
        places += [token] * (len(entries) - len(places))
    return tuple(entries), comments, places, outcomes


def _other(token: _Token, number: int, seats: int, outcomes: _Fell) -> Entry:
    kind, _, rest = token.text.strip().partition(" ")
    if kind == kinds.CHANCE_FELL and "|" in rest:
        rest, *could = rest.split("|")
        outcomes[number] = tuple(_weighted(token, one) for one in could)
    if kind in UNSEATED:
        return Entry(number, kind, text=rest.strip())
    if kind in (kinds.CLOCK, kinds.ADJUDICATE):
        return _ruling(token, number, seats)
    if kind not in SEATED:
        token.refuse(f"there is no entry called {kind!r}")
    seat, _, rest = rest.strip().partition(" ")
    word, _, removed = rest.strip().partition(" ")
    if (kind, word) == (kinds.PROPOSE, kinds.REMOVE):
        rest = f"{word} {_seat(token, removed.strip(), seats)}"
    return Entry(number, kind, seat=_seat(token, seat, seats), text=rest.strip())


def _weighted(token: _Token, text: str) -> tuple[str, int]:
    outcome, _, weight = text.rpartition("*")
    if not re.fullmatch(r"[0-9]{1,9}", weight):
        token.refuse(f"{text!r} is no outcome with its weight")
    return outcome, int(weight)


def _ruling(token: _Token, number: int, seats: int) -> Entry:
    kind, *words = token.text.split()
    match words:
        case [kinds.PAUSE | kinds.RESUME as word, *seat] if kind == kinds.CLOCK:
            return Entry(number, kind, seat=_seat(token, " ".join(seat), seats), text=word)
        case ["win", *seat] if kind == kinds.ADJUDICATE:
            return Entry(number, kind, text=f"win {_seat(token, ' '.join(seat), seats)}")
        case _:
            return Entry(number, kind, text=" ".join(words))


def _seat(token: _Token, text: str, seats: int) -> int:
    """The seat from 0 that a text names from 1."""
    if not re.fullmatch(r"[0-9]{1,4}", text) or not 1 <= int(text) <= seats:
        token.refuse(f"<{token.text.split()[0]}> names no seat from 1 to {seats}")
    return int(text) - 1


def _options(token: _Token, ruleset: AnyRuleset) -> dict[str, OptionValue]:
    types = {option.name: type(option.default) for option in ruleset.facts.options}
    options: dict[str, OptionValue] = {}
    for part in filter(None, (part.strip() for part in _plain(token.text).split(","))):
        name, equals, value = part.partition("=")
        if not equals or name not in types:
            token.refuse(f"{ruleset.facts.name} has no option {name!r}")
        try:
            options[name] = option_value(types[name], value)
        except ValueError:
            token.refuse(f"the option {name} cannot be {value!r}")
    return options


def option_value(kind: type, text: str) -> OptionValue:
    """An option's value from its text, of the type of its default. Raises ValueError."""
    if kind is bool:
        if text not in ("yes", "no"):
            raise ValueError(text)
        return text == "yes"
    if kind is int:
        if not re.fullmatch(r"-?[0-9]{1,9}", text):
            raise ValueError(text)
        return int(text)
    return text


def _option_text(value: OptionValue) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _number(token: _Token) -> int:
    text = _plain(token.text)
    if not re.fullmatch(r"[0-9]{1,4}", text):
        token.refuse(f"{text!r} is not a number")
    return int(text)


def _final(token: _Token) -> Mapping[str, Json]:
    try:
        final = json.loads(_plain(token.text))
    except (ValueError, RecursionError):
        final = None
    if not isinstance(final, dict):
        token.refuse("the final position is not a JSON object")
    return final


def _movetext(record: Record, ruleset: AnyRuleset) -> Iterator[str]:
    standing = begin(ruleset, record.options, record.seats)
    yield from _comment(record, 0)
    rounds = 0
    plies: list[str] = []
    for entry, following in zip_longest(record.entries, record.entries[1:]):
        after = step(ruleset, standing, seated(ruleset, standing, entry))
        turn = ruleset.turn(standing.position)
        if entry.kind != kinds.MOVE:
            could = ruleset.chance(standing.position) if entry.kind == kinds.CHANCE_FELL and standing.committed else ()
            yield _entry_text(entry, could)
        else:
            if turn > rounds * record.seats:
                rounds = 1 + (turn - 1) // record.seats
                yield f"{rounds}."
            plies.append("_".join(entry.text.split(" ")))
            goes_on = following is not None and following.kind == kinds.MOVE and turn == ruleset.turn(after.position)
            if not goes_on or ruleset.facts.joiner is None or entry.number in record.comments:
                yield ruleset.join(plies)
                plies = []
        yield from _comment(record, entry.number)
        if after.plies < standing.plies:
            rounds = (ruleset.turn(after.position) - 1) // record.seats
        standing = after


def _entry_text(entry: Entry, could: Sequence[tuple[str, int]]) -> str:
    if could:
        return f"<{'|'.join((f'{entry.kind} {entry.text}', *(f'{one}*{weight}' for one, weight in could)))}>"
    if entry.kind == kinds.CLOCK and entry.seat is not None:
        return f"<{entry.kind} {entry.text} {entry.seat + 1}>"
    if entry.kind == kinds.ADJUDICATE and entry.text.startswith("win "):
        return f"<{entry.kind} win {int(entry.text.removeprefix('win ')) + 1}>"
    removed = removed_by(entry.text) if entry.kind == kinds.PROPOSE else None
    if removed is not None:
        return f"<{entry.kind} {(entry.seat or 0) + 1} {kinds.REMOVE} {removed + 1}>"
    seat = str(entry.seat + 1) if entry.seat is not None and entry.kind in SEATED else ""
    return f"<{' '.join(filter(None, (entry.kind, seat, entry.text)))}>"


def _comment(record: Record, number: int) -> Iterator[str]:
    if number in record.comments:
        yield f"{{{_escaped(record.comments[number], _IN_COMMENT)}}}"


def _escaped(text: str, marks: re.Pattern[str]) -> str:
    return marks.sub(r"\\\g<0>", text)


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def _wrapped(words: list[str]) -> str:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip(" ")
    return "\n".join(lines)
