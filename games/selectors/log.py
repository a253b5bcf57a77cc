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
from games.rules.replay import Standing, begin, step, undoes
from games.rules.ruleset import AnyRuleset, Marks
from games.selectors.steps import Step, touched
from games.selectors.words import duration
from games.speech import say

PROPOSALS: Final[Mapping[str, Phrase]] = {
    "draw": phrase("a draw"),
    "stop": phrase("to stop the game"),
    kinds.TAKEBACK: phrase("to take their last turn back"),
}
OWN_PROPOSALS: Final[Mapping[str, Phrase]] = {kinds.TAKEBACK: phrase("to take your last turn back")}
"""Those that are told otherwise to whoever made them."""
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
    with the numbers of their entries; it is `undone` if it was taken back.
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
    undone: bool = False


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
        stood, before = reading.standing, reading.standing.position
        if row.kind == kinds.MOVE:
            _move(ruleset, reading, row, names, secret=secret)
        elif row.kind in (*HAPPENED, kinds.PROPOSE):
            _line(reading, row, _who(row, names), _happened(row))
            reading.open_turn = -1
        elif row.kind in RULINGS:
            _line(reading, row, _("The service") if _is_outage(row) else _("A moderator"), _ruled(row, names))
            reading.open_turn = -1
        elif row.kind == kinds.CHANCE_FELL and not secret:
            _line(reading, row, _("Chance"), row.text)
        reading.standing = step(ruleset, reading.standing, row.as_entry())
        if stood.proposals and row.kind in (kinds.MOVE, kinds.TIMEOUT, kinds.RESIGN):
            _tell_lapsed(reading, stood, names)
        if reading.standing.plies < stood.plies:
            _take_back(ruleset, reading, row, stood)
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
        text = reading.turns[-1].plies[-1][1] if row.kind == kinds.MOVE else reading.turns[-1].text
        reading.steps.append(Step(row.number, len(reading.steps), _who(row, names), text, in_words(events), touched(events)))


def _tell_lapsed(reading: Reading, before: Standing[Any], names: list[str]) -> None:
    """A proposal that nobody answered is told with what let it lapse, while the game goes on (N23)."""
    kept = {one.number for one in reading.standing.proposals}
    if reading.standing.outcome is None:
        told = tuple(
            _("The proposal by %(who)s lapsed: %(what)s.") % {"who": names[one.seat], "what": proposal_title(one.kind)}
            for one in before.proposals
            if one.number not in kept
        )
        reading.turns[-1] = replace(reading.turns[-1], told=(*reading.turns[-1].told, *told))


def _take_back(ruleset: AnyRuleset, reading: Reading, row: LogEntry, before: Standing[Any]) -> None:
    """What was taken back stays in the log, and is told to be."""
    first = undone_by(ruleset, before, int(row.text))
    reading.turns = [replace(one, undone=one.undone or (one.kind == kinds.MOVE and one.entry > first)) for one in reading.turns]
    reading.turns[-1] = replace(reading.turns[-1], text=_("agreed: the turn is taken back"))
    reading.steps = [replace(one, undone=one.undone or one.number > first) for one in reading.steps]
    reading.marks, reading.events = Marks(), ()


def undone_by(ruleset: AnyRuleset, standing: Standing[Any], number: int) -> int:
    """The number of the entry after which all moves are undone when the takeback that entry `number` proposes is agreed to."""
    seat = next(one.seat for one in standing.proposals if one.number == number)
    begun = undoes(ruleset, standing, seat)
    return begun.number if begun is not None else standing.number


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


def proposal_title(kind: str, *, own: bool = False) -> str:
    """What somebody proposes, as it follows "proposes"; `own` to themselves."""
    return say((OWN_PROPOSALS if own else {}).get(kind) or PROPOSALS.get(kind, phrase("something")))


def _happened(row: LogEntry) -> str:
    if row.kind == kinds.PROPOSE:
        return _("proposed %(what)s") % {"what": proposal_title(row.text)}
    return say(HAPPENED[row.kind])


def _is_outage(row: LogEntry) -> bool:
    return row.kind == kinds.CLOCK and row.text.startswith(kinds.OUTAGE)


def _ruled(row: LogEntry, names: list[str]) -> str:
    """What a moderator did."""
    word, _blank, rest = row.text.partition(" ")
    match row.kind, word:
        case kinds.CLOCK, kinds.GIFT | kinds.OUTAGE:
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
