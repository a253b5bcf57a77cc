"""The table: one game as its page shows it to one viewer, and as a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Player
from games import timing
from games.models import Game, LogEntry
from games.rules import entry as kinds
from games.rules import record as records
from games.rules import registry
from games.rules.entry import Entry, Record
from games.rules.phrase import Phrase, phrase
from games.rules.replay import Standing, begin, may_abort, must_answer, plays_on, step
from games.rules.ruleset import AnyRuleset, Marks
from games.selectors.words import duration, ending, seat_title
from games.speech import say

PROPOSALS: Mapping[str, Phrase] = {"draw": phrase("a draw"), "stop": phrase("to stop the game")}
HAPPENED: Mapping[str, Phrase] = {
    kinds.TIMEOUT: phrase("time ran out"),
    kinds.RESIGN: phrase("resigned"),
    kinds.ABORT: phrase("called the game off"),
    kinds.AGREE: phrase("agreed"),
    kinds.REFUSE: phrase("refused"),
    kinds.WITHDRAW: phrase("took the proposal back"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move: its notation and what it would do, in words."""

    move: str
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposed:
    """An open proposal: the number of its entry, what it is, whose, and whether the viewer must answer or may take it back."""

    number: int
    title: str
    who: str
    mine: bool
    to_answer: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """A line of the log: the plies of one turn joined, or something else that happened."""

    number: int | None
    who: str
    text: str
    at: datetime | None
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GamePage:
    """A game for one viewer: `seat` is his, None for a spectator."""

    pk: int
    ruleset: str
    title: str
    options: tuple[tuple[str, str], ...]
    players: tuple[tuple[str, str, str], ...]
    seat: int | None
    seat_title: str
    position_number: int
    svg: str
    diagram: str
    description: str
    my_turn: bool
    decider: str
    choices: tuple[Choice, ...]
    joins_plies: bool
    log: tuple[Turn, ...]
    last: Turn | None
    deadline: datetime | None
    deadline_utc: str
    left: str
    reflection: str
    may_abort: bool
    may_resign: bool
    may_propose: tuple[tuple[str, str], ...]
    proposed: tuple[Proposed, ...]
    over: bool
    ending: str
    public: bool
    has_record: bool


@dataclass(slots=True)
class _Reading:
    """A log being read: the standing so far and the lines that it made."""

    standing: Standing[Any]
    turns: list[Turn] = field(default_factory=list)
    marks: Marks = field(default_factory=Marks)
    open_turn: int = -1


def game_page(game_id: int, viewer: Player | None, *, chosen: str = "") -> GamePage | None:
    """The game as the viewer may see it, with a legal move `chosen` marked; None if there is none for him."""
    game = Game.objects.filter(pk=game_id).first()
    if game is None:
        return None
    seats = list(game.seat_set.select_related("player"))
    names = [seat.player.display_name for seat in seats]
    seat = next((one.number for one in seats if viewer is not None and one.player_id == viewer.pk), None)
    if seat is None and not game.public:
        return None
    ruleset = registry.get(game.ruleset)
    reading = _read(ruleset, game, names)
    standing = reading.standing
    view = ruleset.view(standing.position, seat)
    over = standing.outcome is not None
    to_move = None if over else ruleset.to_move(standing.position)
    my_turn = seat is not None and to_move == seat
    choices = _choices(ruleset, standing) if my_turn else ()
    marks = replace(
        reading.marks,
        choices=tuple(filter(None, (ruleset.place_of(view, one.move) for one in choices))),
        chosen=ruleset.place_of(view, chosen) if chosen else None,
    )
    playing = seat is not None and plays_on(standing, seat)
    return GamePage(
        pk=game.pk,
        ruleset=game.ruleset,
        title=say(ruleset.facts.title),
        options=tuple(
            (say(option.title), say(dict(option.offered).get(game.options.get(option.name, option.default), phrase("other"))))
            for option in ruleset.facts.options
        ),
        players=tuple(
            (seat_title(ruleset, number), name, _score(ruleset, standing, number)) for number, name in enumerate(names)
        ),
        seat=seat,
        seat_title=seat_title(ruleset, seat) if seat is not None else "",
        position_number=standing.position_number,
        svg=ruleset.picture(view, marks, say),
        diagram=ruleset.diagram(view),
        description=ruleset.describe(view, say),
        my_turn=my_turn,
        decider=names[to_move] if to_move is not None and to_move >= 0 else "",
        choices=choices,
        joins_plies=ruleset.facts.joiner is not None,
        log=tuple(reading.turns),
        last=next((turn for turn in reversed(reading.turns) if turn.number), None),
        deadline=game.deadline,
        deadline_utc=f"{game.deadline:%Y-%m-%d %H:%M} UTC" if game.deadline else "",
        left=duration(timing.left(game.deadline, timezone.now())) if game.deadline else "",
        reflection=duration(timedelta(seconds=game.reflection)),
        may_abort=playing and may_abort(standing),
        may_resign=playing,
        may_propose=_may_propose(ruleset, standing, seat) if playing else (),
        proposed=tuple(
            Proposed(
                number=one.number,
                title=say(PROPOSALS[one.kind]),
                who=names[one.seat],
                mine=one.seat == seat,
                to_answer=seat in must_answer(standing, one),
            )
            for one in standing.proposals
        ),
        over=over,
        ending=ending(game, names),
        public=game.public,
        has_record=over or not ruleset.facts.hidden,
    )


def _may_propose(ruleset: AnyRuleset, standing: Standing[Any], seat: int | None) -> tuple[tuple[str, str], ...]:
    taken = {one.kind for one in standing.proposals}
    return tuple(
        (kind, say(PROPOSALS[kind])) for kind in ruleset.proposals(standing.position) if kind in PROPOSALS and kind not in taken
    )


def _score(ruleset: AnyRuleset, standing: Standing[Any], seat: int) -> str:
    scores = ruleset.scores(standing.position)
    if not scores:
        return ""
    whole, half = divmod(int(scores[seat] * 2), 2)
    return f"{whole}½" if half else str(whole)


def _choices(ruleset: AnyRuleset, standing: Standing[Any]) -> tuple[Choice, ...]:
    return tuple(
        Choice(move, tuple(say(event.said) for event in ruleset.events(standing.position, move)))
        for move in ruleset.legal_moves(standing.position)
    )


def _read(ruleset: AnyRuleset, game: Game, names: list[str]) -> _Reading:
    """Reads the log. What a hidden game's moves say stays hidden until its end."""
    reading = _Reading(begin(ruleset, game.options, game.seats))
    secret = ruleset.facts.hidden and game.ended_at is None
    for row in game.entries.all():
        if row.kind == kinds.MOVE:
            _move(ruleset, reading, row, names, secret=secret)
        elif row.kind in (*HAPPENED, kinds.PROPOSE):
            reading.turns.append(Turn(None, _who(row, names), _happened(row), row.at))
            reading.open_turn = -1
        elif row.kind == kinds.CHANCE_FELL and not secret:
            reading.turns.append(Turn(None, _("Chance"), row.text, row.at))
        reading.standing = step(ruleset, reading.standing, row.as_entry())
    return reading


def _move(ruleset: AnyRuleset, reading: _Reading, row: LogEntry, names: list[str], *, secret: bool) -> None:
    standing = reading.standing
    told: tuple[str, ...] = ()
    if secret:
        text = _("a move")
    else:
        events = ruleset.events(standing.position, row.text)
        text, told = row.text, tuple(say(event.said) for event in events)
        reading.marks = Marks(
            last=next((event.places for event in events if event.kind == "sown"), ()),
            captured=tuple(place for event in events if event.kind.startswith("captured") for place in event.places),
        )
    if reading.open_turn == standing.turn_number and not secret:
        before = reading.turns[-1]
        joined = ruleset.join((*ruleset.split(before.text), text))
        reading.turns[-1] = replace(before, text=joined, told=(*before.told, *told), at=row.at)
    else:
        reading.turns.append(Turn(ruleset.turn(standing.position), _who(row, names), text, row.at, told))
    reading.open_turn = standing.turn_number


def _who(row: LogEntry, names: list[str]) -> str:
    return names[row.seat] if row.seat is not None else ""


def _happened(row: LogEntry) -> str:
    if row.kind == kinds.PROPOSE:
        return _("proposed %(what)s") % {"what": say(PROPOSALS.get(row.text, phrase("something")))}
    return say(HAPPENED[row.kind])


def record_of(game_id: int, viewer: Player | None) -> str | None:
    """The game as a record; None if the viewer may not have it: not his, or hidden and not over."""
    game = Game.objects.filter(pk=game_id).first()
    if game is None:
        return None
    seats = list(game.seat_set.select_related("player"))
    ruleset = registry.get(game.ruleset)
    mine = viewer is not None and any(one.player_id == viewer.pk for one in seats)
    if not (game.public or mine) or (ruleset.facts.hidden and game.ended_at is None):
        return None
    record = Record(
        ruleset=game.ruleset,
        version=game.ruleset_version,
        options=game.options,
        seats=game.seats,
        entries=tuple(_written(row, game.seats) for row in game.entries.exclude(kind=kinds.JOIN)),
        tags={
            **{_tag(ruleset, one.number): one.player.display_name for one in seats},
            "Game": str(game.pk),
            "Date": f"{game.created_at:%Y.%m.%d}",
        },
        result=game.result,
        termination=game.termination or None,
    )
    return records.write(record, ruleset)


def _tag(ruleset: AnyRuleset, seat: int) -> str:
    """The header tag that names a seat's player: South, North; Seat1 .. where seats have numbers."""
    titles = ruleset.facts.seat_titles
    return titles[seat].msgid if seat < len(titles) else f"Seat{seat + 1}"


def _written(row: LogEntry, joins: int) -> Entry:
    """The entry as a record numbers it: without the joins that come first."""
    answers = row.kind in (kinds.AGREE, kinds.REFUSE, kinds.WITHDRAW)
    text = str(int(row.text) - joins) if answers else row.text
    return Entry(row.number - joins, row.kind, row.seat, text)
