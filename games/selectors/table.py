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
from games.rules.position import Event, IllegalMove, MoveRefused
from games.rules.replay import Standing, begin, may_abort, must_answer, plays_on, step
from games.rules.ruleset import AnyRuleset, Marks
from games.selectors.words import duration, ending, options_in_words, seat_title
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
    """A legal move: its notation, what it would do in words (nothing where things are hidden), and its place on the picture."""

    move: str
    told: tuple[str, ...]
    place: str | None


@dataclass(frozen=True, slots=True)
class Preview:
    """Plies of a turn that are chosen and not yet played. `shown`: the page's picture, diagram and description are those of
    the position after them."""

    text: str
    told: tuple[str, ...]
    shown: bool


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
    """A line of the log: the plies of one turn joined, or something else that happened; `kind` as in `rules.entry`."""

    number: int | None
    who: str
    text: str
    at: datetime | None
    told: tuple[str, ...] = ()
    seat: int | None = None
    kind: str = kinds.MOVE


@dataclass(frozen=True, slots=True)
class GamePage:
    """A game for one viewer: `seat` is his, None for a spectator. `players` are titles of seats, names and counts by seat.

    `refused` says why what the viewer chose cannot be played.
    """

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
    preview: Preview | None
    refused: str
    joiner: str | None
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
    """The game as the viewer may see it; None if there is none for him.

    `chosen` are plies of his turn to look ahead at, in notation.
    """
    game = Game.objects.filter(pk=game_id).first()
    if game is None:
        return None
    seats = list(game.seat_set.select_related("player"))
    names = [seat.player.name for seat in seats]
    seat = next((one.number for one in seats if viewer is not None and one.player_id == viewer.pk), None)
    if seat is None and not game.public:
        return None
    ruleset = registry.get(game.ruleset)
    reading = _read(ruleset, game, names)
    standing = reading.standing
    over = standing.outcome is not None
    view = ruleset.view(standing.position, seat, over=over)
    to_move = None if over else ruleset.to_move(standing.position)
    my_turn = seat is not None and to_move == seat
    choices = _choices(ruleset, standing, view) if my_turn else ()
    marks = replace(reading.marks, choices=tuple(one.place for one in choices if one.place))
    preview, refused = None, ""
    if chosen and my_turn:
        try:
            preview, after, marks_after = _ahead(ruleset, standing.position, chosen)
        except MoveRefused as no:
            refused = say(no.said)
        else:
            if preview.shown:
                view, marks = ruleset.view(after, seat), marks_after
    playing = seat is not None and plays_on(standing, seat)
    return GamePage(
        pk=game.pk,
        ruleset=game.ruleset,
        title=say(ruleset.facts.title),
        options=options_in_words(ruleset.facts, game.options),
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
        preview=preview,
        refused=refused,
        joiner=ruleset.facts.joiner,
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
    if not scores or (ruleset.facts.hidden and standing.outcome is None):
        return ""
    whole, half = divmod(int(scores[seat] * 2), 2)
    return f"{whole}½" if half else str(whole)


def _choices(ruleset: AnyRuleset, standing: Standing[Any], view: Any) -> tuple[Choice, ...]:
    position = standing.position
    return tuple(
        Choice(move, () if ruleset.facts.hidden else _told(ruleset.events(position, move)), ruleset.place_of(view, move))
        for move in ruleset.legal_moves(position)
    )


def _ahead(ruleset: AnyRuleset, position: Any, text: str) -> tuple[Preview, Any, Marks]:
    """What plies of one turn would come to: in words, the position after them and its marks. Where things are hidden it tells
    nothing, since it would tell them. Raises MoveRefused."""
    decides, hidden = (ruleset.to_move(position), ruleset.turn(position)), ruleset.facts.hidden
    plies: list[str] = []
    events: tuple[Event, ...] = ()
    for ply in ruleset.split(text):
        if (ruleset.to_move(position), ruleset.turn(position)) != decides:
            raise IllegalMove(phrase("After %(moves)s your turn is over.", moves=ruleset.join(plies)))
        plies.append(ruleset.canonical(position, ply))
        events = (*events, *ruleset.events(position, plies[-1]))
        position = ruleset.play(position, plies[-1])
    return Preview(ruleset.join(plies), () if hidden else _told(events), not hidden), position, _marks(events)


def _told(events: tuple[Event, ...]) -> tuple[str, ...]:
    return tuple(say(event.said) for event in events)


def _marks(events: tuple[Event, ...]) -> Marks:
    return Marks(
        last=next((event.places for event in reversed(events) if event.kind == "sown"), ()),
        captured=tuple(place for event in events if event.kind.startswith("captured") for place in event.places),
    )


def _read(ruleset: AnyRuleset, game: Game, names: list[str]) -> _Reading:
    """Reads the log. What a hidden game's moves say stays hidden until its end."""
    reading = _Reading(begin(ruleset, game.options, game.seats))
    secret = ruleset.facts.hidden and game.ended_at is None
    for row in game.entries.all():
        if row.kind == kinds.MOVE:
            _move(ruleset, reading, row, names, secret=secret)
        elif row.kind in (*HAPPENED, kinds.PROPOSE):
            reading.turns.append(Turn(None, _who(row, names), _happened(row), row.at, seat=row.seat, kind=row.kind))
            reading.open_turn = -1
        elif row.kind == kinds.CHANCE_FELL and not secret:
            reading.turns.append(Turn(None, _("Chance"), row.text, row.at, kind=row.kind))
        reading.standing = step(ruleset, reading.standing, row.as_entry())
    return reading


def _move(ruleset: AnyRuleset, reading: _Reading, row: LogEntry, names: list[str], *, secret: bool) -> None:
    standing = reading.standing
    told: tuple[str, ...] = ()
    if secret:
        text = _("a move")
    else:
        events = ruleset.events(standing.position, row.text)
        text, told = row.text, _told(events)
        reading.marks = _marks(events)
    if reading.open_turn == standing.turn_number and not secret:
        before = reading.turns[-1]
        joined = ruleset.join((*ruleset.split(before.text), text))
        reading.turns[-1] = replace(before, text=joined, told=(*before.told, *told), at=row.at)
    else:
        reading.turns.append(Turn(ruleset.turn(standing.position), _who(row, names), text, row.at, told, row.seat))
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
            **{_tag(ruleset, one.number): one.player.name for one in seats},
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
