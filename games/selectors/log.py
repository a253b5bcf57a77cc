"""The log of a game in words: a line for each turn, and for whatever else happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils.translation import gettext as _

from games.models import Game, LogEntry
from games.rules import entry as kinds
from games.rules.phrase import Phrase, phrase
from games.rules.position import Event
from games.rules.replay import Standing, begin, step
from games.rules.ruleset import AnyRuleset, Marks
from games.selectors.steps import Step, touched
from games.selectors.words import duration
from games.speech import say

PROPOSALS: Final[Mapping[str, Phrase]] = {
    "draw": phrase("a draw"),
    "divide": phrase("to divide the stones that are left"),
    "stop": phrase("to stop the game"),
}
HAPPENED: Final[Mapping[str, Phrase]] = {
    kinds.TIMEOUT: phrase("time ran out"),
    kinds.RESIGN: phrase("resigned"),
    kinds.ABORT: phrase("called the game off"),
    kinds.AGREE: phrase("agreed"),
    kinds.REFUSE: phrase("refused"),
    kinds.WITHDRAW: phrase("took the proposal back"),
}
RULINGS: Final = (kinds.CLOCK, kinds.ADJUDICATE, kinds.CORRECT)


@dataclass(frozen=True, slots=True)
class Turn:
    """A line of the log: the plies of one turn joined, or something else that happened; `kind` as in `rules.entry`.

    `entry` is the number of its last entry; `reason` is that of a ruling, as long as it is kept. `plies` are the plies of a turn
    with the numbers of their entries.
    """

    number: int | None
    who: str
    text: str
    at: datetime | None
    told: tuple[str, ...] = ()
    seat: int | None = None
    kind: str = kinds.MOVE
    entry: int = 0
    reason: str = ""
    plies: tuple[tuple[int, str], ...] = ()


@dataclass(slots=True)
class Reading:
    """A log being read: the standing so far, the lines that it made, and what the last move did and touched.

    `steps` are the positions one by one; `shown` is the position of the step that was asked for, once the reading came there.
    """

    standing: Standing[Any]
    turns: list[Turn] = field(default_factory=list)
    marks: Marks = field(default_factory=Marks)
    open_turn: int = -1
    events: tuple[Event, ...] = ()
    steps: list[Step] = field(default_factory=list)
    shown: Any = None
    marks_shown: Marks = field(default_factory=Marks)


def read(ruleset: AnyRuleset, game: Game, names: list[str], *, at: int | None = None) -> Reading:
    """Reads the log. What a hidden game's moves say stays hidden until its end. `at` is the number of the step to show."""
    reading = Reading(begin(ruleset, game.options, game.seats))
    secret = ruleset.facts.hidden and game.ended_at is None
    for row in game.entries.select_related("reason"):
        before = reading.standing.position
        if row.kind == kinds.MOVE:
            _move(ruleset, reading, row, names, secret=secret)
        elif row.kind in (*HAPPENED, kinds.PROPOSE):
            _line(reading, row, _who(row, names), _happened(row))
            reading.open_turn = -1
        elif row.kind in RULINGS:
            _line(reading, row, _("A moderator"), _ruled(row, names))
            reading.open_turn = -1
        elif row.kind == kinds.CHANCE_FELL and not secret:
            _line(reading, row, _("Chance"), row.text)
        reading.standing = step(ruleset, reading.standing, row.as_entry())
        _stepped(reading, row, before, names)
        if reading.steps and reading.steps[-1].number == at:
            reading.shown, reading.marks_shown = reading.standing.position, reading.marks
    return reading


def _stepped(reading: Reading, row: LogEntry, before: Any, names: list[str]) -> None:
    """A step begins when all have sat down and whenever somebody changed the position; what chance brought then belongs to it."""
    if row.kind == kinds.JOIN and row.number == reading.standing.seats:
        reading.steps.append(Step(row.number, 0))
    elif row.kind not in (kinds.JOIN, kinds.CHANCE_FELL) and reading.standing.position != before:
        events = reading.events if row.kind == kinds.MOVE else ()
        text = reading.turns[-1].plies[-1][1] if row.kind == kinds.MOVE else _happened(row)
        reading.steps.append(Step(row.number, len(reading.steps), _who(row, names), text, in_words(events), touched(events)))


def _line(reading: Reading, row: LogEntry, who: str, text: str) -> None:
    reason = row.reason.text if row.reason else ""
    line = Turn(None, who, text, row.at, seat=row.seat, kind=row.kind, entry=row.number, reason=reason)
    reading.turns.append(line)


def _move(ruleset: AnyRuleset, reading: Reading, row: LogEntry, names: list[str], *, secret: bool) -> None:
    standing = reading.standing
    reading.events = () if secret else ruleset.events(standing.position, row.text)
    text, told = _("a move") if secret else row.text, in_words(reading.events)
    if not secret:
        reading.marks = marks_of(reading.events)
    ply = (row.number, text)
    if reading.open_turn == standing.turn_number and not secret:
        before = reading.turns[-1]
        plies = (*before.plies, ply)
        joined, told = ruleset.join([ply for _number, ply in plies]), (*before.told, *told)
        reading.turns[-1] = replace(before, text=joined, told=told, at=row.at, entry=row.number, plies=plies)
    else:
        number = ruleset.turn(standing.position)
        reading.turns.append(Turn(number, _who(row, names), text, row.at, told, row.seat, entry=row.number, plies=(ply,)))
    reading.open_turn = standing.turn_number


def _who(row: LogEntry, names: list[str]) -> str:
    return names[row.seat] if row.seat is not None else ""


def _happened(row: LogEntry) -> str:
    if row.kind == kinds.PROPOSE:
        return _("proposed %(what)s") % {"what": say(PROPOSALS.get(row.text, phrase("something")))}
    return say(HAPPENED[row.kind])


def _ruled(row: LogEntry, names: list[str]) -> str:
    """What a moderator did."""
    word, _blank, rest = row.text.partition(" ")
    match row.kind, word:
        case kinds.CLOCK, kinds.GIFT:
            return _("gave %(span)s more for this turn") % {"span": duration(timedelta(seconds=int(rest)))}
        case kinds.CLOCK, kinds.PAUSE:
            return _("paused the game until %(who)s may play again") % {"who": _who(row, names)}
        case kinds.CLOCK, _resume:
            return _("let %(who)s play again") % {"who": _who(row, names)}
        case kinds.CORRECT, _number:
            return _("took back the end of the game")
        case _ruling, "win":
            return _("decided that %(who)s wins") % {"who": names[int(rest)]}
        case _ruling, "draw":
            return _("decided that the game is a draw")
        case _:
            return _("annulled the game")


def in_words(events: tuple[Event, ...]) -> tuple[str, ...]:
    """What a move does, step by step."""
    return tuple(say(event.said) for event in events)


def marks_of(events: tuple[Event, ...]) -> Marks:
    """What a picture points out after these events."""
    return Marks(
        last=next((event.places for event in reversed(events) if event.kind == "sown"), ()),
        captured=tuple(place for event in events if event.kind.startswith("captured") for place in event.places),
    )
