"""The log of a game in words: a line for each turn, and for whatever else happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.models import Game, LogEntry
from games.rules import entry as kinds
from games.rules.entry import Entry, OptionValue
from games.rules.phrase import Phrase, Say, phrase
from games.rules.position import Event, numbered
from games.rules.replay import begin, step
from games.rules.ruleset import AnyRuleset, Marks
from games.rules.standing import Standing, removed_by, undoes
from games.selectors.steps import Step, touched
from games.selectors.words import duration
from games.speech import naming, say
from notifications.prepared import prepared

PROPOSALS: Final[Mapping[str, Phrase]] = {
    "draw": phrase("a draw"),
    "divide": phrase("to divide the stones that are left"),
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
ANSWERS: Final = (kinds.AGREE, kinds.REFUSE, kinds.WITHDRAW, *RULINGS)
"""What players and moderators do beside moves that leaves a game running."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A line of the log: the plies of one turn joined, or something else that happened; `kind` as in `rules.entry`.

    `entry` is the number of its last entry; `reason` is that of a ruling, as long as it is kept. `plies` are the plies of a turn
    with the numbers of their entries, and `to_mover` are the same in words to whoever played them; the turn is `undone` if it
    was taken back. `aloud`: its words, which speak to the reader then, say more than its text, which hides something or is none,
    so that they stand in its place.
    """

    number: int | None
    who: str
    text: str
    at: datetime | None
    told: tuple[str, ...] = ()
    to_mover: tuple[str, ...] = ()
    seat: int | None = None
    kind: str = kinds.MOVE
    entry: int = 0
    reason: str = ""
    plies: tuple[tuple[int, str], ...] = ()
    undone: bool = False
    aloud: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the entries of its plies."""
        return tuple([number for number, _text in self.plies])


class Row(NamedTuple):
    """An entry of a log with the text of its reason, which may have been emptied; None where there never was one."""

    number: int
    kind: str
    seat: int | None
    text: str
    at: datetime
    reason: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """A log that was read: the standing at its end, the lines that it made, and what the last move touched.

    `steps` are the positions one by one; `boards` are those positions themselves, each with its marks. `fingerprints` are those
    of the seeds that chance falls by.
    """

    standing: Standing[Any]
    turns: tuple[Turn, ...]
    marks: Marks
    steps: tuple[Step, ...]
    boards: tuple[tuple[Any, Marks], ...]
    fingerprints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Teller:
    """Who is told what of a game: everything, or in a `secret` game what the rules let `seat` (None: a spectator) know."""

    ruleset: AnyRuleset
    names: tuple[str, ...]
    seat: int | None
    secret: bool

    def events(self, position: Any, text: str) -> tuple[Event, ...]:
        """What a move or an outcome of chance comes to."""
        return self.ruleset.seen(position, text, self.seat) if self.secret else self.ruleset.events(position, text)

    def text(self, position: Any, text: str) -> str:
        """The notation of a move."""
        return (self.ruleset.shown(position, text, self.seat) or _("a move")) if self.secret else self.ruleset.told(text)

    def words(self, events: tuple[Event, ...]) -> tuple[str, ...]:
        """The events in words, with the players' names where seats have no titles."""
        return in_words(events, naming(self.names))


@dataclass(slots=True)
class _Course:
    """A log while it is read."""

    standing: Standing[Any]
    teller: Teller
    turns: list[Turn] = field(default_factory=list)
    marks: Marks = field(default_factory=Marks)
    open_turn: int = -1
    events: tuple[Event, ...] = ()
    told: tuple[str, ...] = ()
    steps: list[Step] = field(default_factory=list)
    boards: list[tuple[Any, Marks]] = field(default_factory=list)


def read(ruleset: AnyRuleset, game: Game, names: Sequence[str], seat: int | None = None) -> Reading:
    """Reads the log for a seat or a spectator. Of a game that hides things they are told what they may know, until its end."""
    rows = tuple(map(Row._make, _rows(game.pk)))
    # Of a game that was over when its row was read, and has gone on when its log was, nothing is open.
    gone_on = game.ended_at is None or game.head != len(rows)
    secret = ruleset.facts.hidden and gone_on
    return _read(
        ruleset,
        tuple(game.options.items()),
        game.seats,
        rows,
        tuple(names),
        seat if secret else None,
        secret,
        get_language() or "",
    )


@prepared
def _rows(game: int) -> QuerySet[LogEntry, Any]:
    rows = LogEntry.objects.filter(game=game).order_by("number")
    return rows.values_list("number", "kind", "seat", "text", "at", "reason__text")


@lru_cache(maxsize=128)
def _read(
    ruleset: AnyRuleset,
    options: tuple[tuple[str, OptionValue], ...],
    seats: int,
    rows: tuple[Row, ...],
    names: tuple[str, ...],
    seat: int | None,
    secret: bool,
    language: str,
) -> Reading:
    """The same for the same rows, so that it is kept; the language is a key only: `say` speaks the active one."""
    course = _Course(begin(ruleset, dict(options), seats), Teller(ruleset, names, seat, secret))
    for row in rows:
        stood, before = course.standing, course.standing.position
        if row.kind == kinds.MOVE:
            _move(course, row)
        elif row.kind == kinds.TIMEOUT:
            _ran_out(course, row)
        elif row.kind in (*HAPPENED, kinds.PROPOSE):
            _line(course, row, _who(row, names), _happened(row, names))
            course.open_turn = -1
        elif row.kind in RULINGS:
            _line(course, row, _("The service") if _is_by_the_house(row) else _("A moderator"), _ruled(row, names))
            course.open_turn = -1
        elif row.kind == kinds.CHANCE_FELL:
            _fell(course, row)
        course.standing = step(ruleset, course.standing, Entry(row.number, row.kind, row.seat, row.text, row.at))
        removed = course.standing.left - stood.left if row.kind in (kinds.AGREE, kinds.PROPOSE) else ()
        for seat in removed:
            without = _("%(who)s is removed from the game.") % {"who": names[seat]}
            course.turns[-1] = replace(course.turns[-1], told=(*course.turns[-1].told, without))
        if stood.proposals and (removed or row.kind in (kinds.MOVE, kinds.TIMEOUT, kinds.RESIGN)):
            _tell_lapsed(course, stood, names, agreed=row.text if row.kind == kinds.AGREE else "")
        if course.standing.plies < stood.plies:
            _take_back(ruleset, course, row, stood)
        _stepped(course, row, before, names)
    fingerprints = tuple([row.text for row in rows if row.kind == kinds.COMMIT])
    return Reading(course.standing, tuple(course.turns), course.marks, tuple(course.steps), tuple(course.boards), fingerprints)


def _stepped(course: _Course, row: Row, before: Any, names: tuple[str, ...]) -> None:
    """A step begins when all have sat down and whenever somebody changed the position; what chance brought then belongs to it."""
    if row.kind == kinds.JOIN and row.number == course.standing.seats:
        course.steps.append(Step(row.number, 0))
        course.boards.append((course.standing.position, course.marks))
    elif row.kind not in (kinds.JOIN, kinds.CHANCE_FELL) and course.standing.position != before:
        number, index, who = row.number, len(course.steps), _who(row, names)
        if row.kind == kinds.MOVE:
            text = course.turns[-1].plies[-1][1]
            course.steps.append(Step(number, index, who, text, course.told, touched(course.events)))
        else:
            course.steps.append(Step(number, index, who, course.turns[-1].text))
        course.boards.append((course.standing.position, course.marks))
    elif course.boards:
        course.boards[-1] = (course.standing.position, course.marks)


def _tell_lapsed(course: _Course, before: Standing[Any], names: tuple[str, ...], *, agreed: str = "") -> None:
    """A proposal that nobody answered is told with what let it lapse, while the game goes on (N23); not the one of the number
    that was `agreed` to."""
    kept = {one.number for one in course.standing.proposals}
    if course.standing.outcome is None:
        told = tuple(
            _("The proposal by %(who)s lapsed: %(what)s.")
            % {"who": names[one.seat], "what": proposal_title(one.kind, names=names)}
            for one in before.proposals
            if one.number not in kept and str(one.number) != agreed
        )
        course.turns[-1] = replace(course.turns[-1], told=(*course.turns[-1].told, *told))


def _take_back(ruleset: AnyRuleset, course: _Course, row: Row, before: Standing[Any]) -> None:
    """What was taken back stays in the log, and is told to be."""
    first = undone_by(ruleset, before, int(row.text))
    course.turns = [replace(one, undone=one.undone or (one.kind == kinds.MOVE and one.entry > first)) for one in course.turns]
    course.turns[-1] = replace(course.turns[-1], text=_("agreed: the turn is taken back"))
    course.steps = [replace(one, undone=one.undone or one.number > first) for one in course.steps]
    course.marks, course.events = Marks(), ()


def undone_by(ruleset: AnyRuleset, standing: Standing[Any], number: int) -> int:
    """The number of the entry after which all moves are undone when the takeback that entry `number` proposes is agreed to."""
    seat = next(one.seat for one in standing.proposals if one.number == number)
    begun = undoes(ruleset, standing, seat)
    return begun.number if begun is not None else standing.number


def _line(course: _Course, row: Row, who: str, text: str) -> None:
    line = Turn(None, who, text, row.at, seat=row.seat, kind=row.kind, entry=row.number, reason=row.reason or "")
    course.turns.append(line)


def _ran_out(course: _Course, row: Row) -> None:
    """Time ran out, and what the rules make of it: a pass, a refusal."""
    teller = course.teller
    _line(course, row, _who(row, teller.names), _happened(row))
    events = teller.ruleset.lapsed(course.standing.position, teller.seat)
    if events:
        course.turns[-1] = replace(course.turns[-1], told=teller.words(events))
        course.marks = teller.ruleset.marks(events)
    course.open_turn = -1


def standing_lines(log: Sequence[Turn]) -> list[Turn]:
    """The lines of what still stands, without rulings, of which each had a letter."""
    return [turn for place, turn in enumerate(log) if turn.kind not in RULINGS and not _is_undone(log, place)]


def since_last_turn(log: Sequence[Turn], seat: int) -> list[Turn]:
    """What stands of what happened after the seat last moved or let its time run out: that turn as well where its notation does
    not tell what became of it."""
    lines = standing_lines(log)
    own = [place for place, turn in enumerate(lines, 1) if turn.seat == seat and turn.kind in (kinds.MOVE, kinds.TIMEOUT)]
    first = own[-1] if own else 0
    return lines[first - 1 if first and lines[first - 1].aloud else first :]


def _is_undone(log: Sequence[Turn], place: int) -> bool:
    """Whether the line is a turn that was taken back, or a time forfeit: there a ruling on an end follows at once."""
    if log[place].undone:
        return True
    after = log[place + 1] if place + 1 < len(log) else None
    return log[place].kind == kinds.TIMEOUT and after is not None and after.kind == kinds.CORRECT


def _fell(course: _Course, row: Row) -> None:
    """What chance brought: in a game that hides things told to whom it may concern, with what let it fall."""
    teller = course.teller
    if not teller.ruleset.facts.hidden:
        _line(course, row, _("Chance"), row.text)
        return
    told = teller.words(teller.events(course.standing.position, row.text))
    last = course.turns[-1] if course.turns else None
    if told and last is not None and last.kind in (kinds.MOVE, kinds.TIMEOUT):
        course.turns[-1] = replace(last, told=(*last.told, *told))
    elif told:
        _line(course, row, _("Chance"), "")
        course.turns[-1] = replace(course.turns[-1], told=told, aloud=True)


def _move(course: _Course, row: Row) -> None:
    standing, teller = course.standing, course.teller
    ruleset = teller.ruleset
    course.events = teller.events(standing.position, row.text)
    text, told = teller.text(standing.position, row.text), teller.words(course.events)
    course.told = told
    if not teller.secret or course.events:
        course.marks = ruleset.marks(course.events)
    ply, own = (row.number, text), (ply_to_mover(text, course.events),) if course.events else ()
    if course.open_turn == standing.turn_number and ruleset.facts.joiner is not None and not teller.secret:
        before = course.turns[-1]
        plies = (*before.plies, ply)
        joined, told = ruleset.join([ply for _number, ply in plies]), (*before.told, *told)
        own = (*before.to_mover, *own)
        course.turns[-1] = replace(before, text=joined, told=told, to_mover=own, at=row.at, entry=row.number, plies=plies)
    else:
        number, who = ruleset.turn(standing.position), _who(row, teller.names)
        aloud = ruleset.facts.hidden and bool(told)
        course.turns.append(Turn(number, who, text, row.at, told, own, row.seat, entry=row.number, plies=(ply,), aloud=aloud))
    course.open_turn = standing.turn_number


def _who(row: Row, names: tuple[str, ...]) -> str:
    return names[row.seat] if row.seat is not None else ""


def proposal_title(kind: str, *, own: bool = False, names: Sequence[str] = ()) -> str:
    """What somebody proposes, as it follows "proposes"; `own` to themselves. `names` are the players' by seat."""
    removed = removed_by(kind)
    if removed is not None:
        who = names[removed] if removed < len(names) else say(numbered(removed))
        return _("to go on without %(who)s") % {"who": who}
    return say((OWN_PROPOSALS if own else {}).get(kind) or PROPOSALS.get(kind, phrase("something")))


def _happened(row: Row, names: tuple[str, ...] = ()) -> str:
    if row.kind == kinds.PROPOSE:
        return _("proposed %(what)s") % {"what": proposal_title(row.text, names=names)}
    return say(HAPPENED[row.kind])


def _is_by_the_house(row: Row) -> bool:
    return row.text in (kinds.ANNUL_LOST, kinds.ANNUL_ABANDONED) or (
        row.kind == kinds.CLOCK and row.text.startswith(kinds.OUTAGE)
    )


def _ruled(row: Row, names: tuple[str, ...]) -> str:
    """What a moderator or the house did."""
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
        case _ruling, _annul if row.text == kinds.ANNUL_LOST:
            return _("annulled the game: the seed by which chance falls was lost")
        case _ruling, _annul if row.text == kinds.ANNUL_ABANDONED:
            return _("annulled the game: nobody plays any more")
        case _ruling, "draw":
            return _("decided that the game is a draw")
        case _:
            return _("annulled the game")


def in_words(events: Sequence[Event], speak: Say = say) -> tuple[str, ...]:
    """What a move does, step by step."""
    return tuple(speak(event.said) for event in events)


def to_mover(events: Sequence[Event]) -> str:
    """The same in short, to whoever plays it: what follows the move and a colon."""
    return ", ".join(say(event.to_mover or event.said) for event in events)


def ply_to_mover(ply: str, events: Sequence[Event]) -> str:
    """One of several plies of a turn, told to whoever plays them."""
    return f"{ply}: {to_mover(events)}."
