"""The table: one game as its page shows it to one viewer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Player
from games import timing
from games.models import Game
from games.rules import entry as kinds
from games.rules import registry
from games.rules.position import BadOptions, Moment, MoveRefused, in_halves
from games.rules.replay import BrokenLog
from games.rules.ruleset import AnyRuleset
from games.rules.standing import (
    OpenProposal,
    Standing,
    is_open_to,
    may_abort,
    may_propose,
    must_answer,
    plays_on,
    proposed_before,
)
from games.selectors.boards import board
from games.selectors.choices import Choice, Divided, Group, Preview, choices
from games.selectors.log import ANSWERS, PROPOSALS, Reading, Turn, proposal_title, read, since_last_turn, undone_by
from games.selectors.seats import sitting_at
from games.selectors.steps import Step, Stepping, Way, around, ways
from games.selectors.wanted import nothing_yet, wanted
from games.selectors.words import (
    duration,
    ending,
    name_at,
    names_at,
    options_in_words,
    person_at,
    remaining,
    seat_names,
    seat_title,
    your_seat,
)
from games.speech import say
from notifications.prepared import prepared

LIVE: Final = 3600
"""A game with less time than this for each turn, in seconds, is watched as it happens."""

_ASKED: Final = (
    *("id", "ruleset", "options", "seats", "reflection", "public", "head"),
    *("deadline", "termination", "result", "ended_at"),
)
"""What the page needs of a game's row, in the model's order, which `from_db` expects; the rest is in its log."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """An open proposal: the number of its entry, what it is, whose, and whether the viewer must answer or may take it back."""

    number: int
    title: str
    who: str
    mine: bool
    to_answer: bool


class Seated(NamedTuple):
    """A player at the table: the title of his seat, his name, his count, the number of his page if he has one; and whether he
    has left while the others play on."""

    title: str
    name: str
    score: str
    profile: int | None
    gone: bool = False


@dataclass(frozen=True, slots=True)
class GamePage:
    """A game for one viewer: `seat` is his, None for a spectator. `players` are in the order of their seats.

    It is a value: as long as nothing happens another reading of it is equal, whatever the clock says and was noted as `seen`,
    the number of the last position that the viewer was shown.

    `asked` is the question that the `groups` of choices answer, where there is one, and `begun` whether they are what may follow
    something chosen before; `divided` is what may change sides of the move that is looked at. `refused` says why what the viewer
    chose cannot be played. `paused` are those who may not play: while there are any, nobody moves. `step` is the past position
    that is shown instead of the present one; `ways` lead to the shown position from those before it. `head` is the number of the
    last entry of the log. `bouncing` are the others whose letters bounce, told to who plays; `i_bounce` is whether the viewer's
    do. `unwritten` are the others who want no letters about their turns, told to who plays; `i_am_unwritten` is whether the
    viewer, who plays, wants none. `fingerprints` are those of the seeds that chance falls by. `thinking`: a
    computer is to move; `computer` is the level of all opponents of the viewer, if they are computers. A `guest` has no account.
    """

    pk: int
    ruleset: str
    title: str
    options: tuple[tuple[str, str], ...]
    players: tuple[Seated, ...]
    seat: int | None
    your_seat: str
    position_number: int
    turn_number: int
    svg: str
    diagram: str
    description: str
    wide: bool
    my_turn: bool
    decider: str
    groups: tuple[Group, ...]
    asked: str
    begun: bool
    preview: Preview | None
    divided: Divided | None
    refused: str
    examples: tuple[str, ...]
    joiner: str | None
    log: tuple[Turn, ...]
    last: Turn | None
    deadline: datetime | None
    deadline_utc: str
    reflection: str
    live: bool
    may_abort: bool
    may_resign: bool
    may_propose: tuple[tuple[str, str], ...]
    proposed: tuple[Proposed, ...]
    paused: tuple[str, ...]
    bouncing: tuple[str, ...]
    i_bounce: bool
    unwritten: tuple[str, ...]
    i_am_unwritten: bool
    over: bool
    ending: str
    public: bool
    has_record: bool
    may_report: bool
    may_rematch: bool
    head: int
    step: Step | None
    steps: tuple[Step, ...]
    stepping: Stepping
    ways: tuple[Way, ...]
    fingerprints: tuple[str, ...]
    thinking: bool
    computer: int | None
    guest: bool
    seen: int = field(compare=False)

    @property
    def may_play_again(self) -> bool:
        """Whether the viewer may begin such a game against the same computers."""
        return self.over and self.seat is not None and self.computer is not None

    @property
    def left(self) -> str:
        """How much time is left by now, in words; empty where none runs."""
        return remaining(timing.left(self.deadline, timezone.now())) if self.deadline is not None else ""

    @property
    def seconds_left(self) -> int | None:
        """The same in whole seconds."""
        return int(timing.left(self.deadline, timezone.now()).total_seconds()) if self.deadline is not None else None

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The moves that the viewer may choose, in the order of their groups."""
        return tuple([one for group in self.groups for one in group.choices])

    @property
    def may_choose(self) -> bool:
        """Whether the viewer is asked for a move; where there are very many, none of them is among the `choices`."""
        return self.my_turn and self.step is None

    @property
    def happened(self) -> Turn | None:
        """The answer to a proposal, or the ruling, that came after the last move; None while a proposal is open."""
        told_otherwise = self.over or self.paused or self.proposed or self.step or not self.log
        return self.log[-1] if not told_otherwise and self.log[-1].kind in ANSWERS else None

    @property
    def aloud(self) -> bool:
        """Whether the log tells in words what notation does not."""
        return any(turn.aloud for turn in self.log)

    @property
    def since(self) -> tuple[Turn, ...]:
        """What happened since the viewer's last turn, see `log.since_last_turn`; nothing for a spectator."""
        return tuple(since_last_turn(self.log, self.seat)) if self.seat is not None else ()

    @property
    def unplayed(self) -> bool:
        """Whether the viewer has a first turn still before him."""
        acted = (kinds.MOVE, kinds.TIMEOUT)
        return self.seat is not None and not any(turn.seat == self.seat and turn.kind in acted for turn in self.log)

    @property
    def shown(self) -> Step:
        """The step whose position is shown, the present one included."""
        return self.step or self.steps[-1]


def game_page(
    game_id: int,
    viewer: Player | None,
    *,
    chosen: str = "",
    pieces: Collection[str] | None = None,
    meant_for: int | None = None,
    at: int | None = None,
    guest: int | None = None,
) -> GamePage | None:
    """The game as the viewer may see it; None if there is none for him, or no step `at` that number. `guest` is the seat that the
    viewer holds a key of.

    `chosen` are plies of his turn to look ahead at, in notation, and `pieces` what lies on one side, see `wanted.wanted`; at the
    position of number `meant_for` only, if it is given.
    """
    found = _game(game_id)
    if not found:
        return None
    game = Game.from_db(DEFAULT_DB_ALIAS, _ASKED, found[0])
    seats = sitting_at(game_id)
    names = names_at(seats)
    seat = next((one.number for one in seats if one.is_of(viewer)), guest)
    if seat is None and not game.public:
        return None
    ruleset = registry.get(game.ruleset)
    reading = read(ruleset, game, names, seat)
    step = next((one for one in reading.steps if one.number == at), None)
    if at is not None and step is None:
        return None
    standing = reading.standing
    over = standing.outcome is not None
    view = ruleset.view(standing.position, seat, moment=standing.moment)
    to_move = None if over else ruleset.to_move(standing.position)
    paused = standing.paused if not over else frozenset()
    my_turn = seat is not None and to_move == seat and not paused
    open_to_me = choices(ruleset, standing, view) if my_turn and step is None else ()
    seen = nothing_yet(ruleset, view, reading.marks, open_to_me)
    if step is not None:
        # Who looks back at a game that is over may see the hands of all; nobody's game ends by looking at its middle.
        moment = Moment.OVER if over and ruleset.facts.hidden else Moment.PAST
        position, marks = reading.boards[step.index]
        seen = seen._replace(view=ruleset.view(position, seat, moment=moment), marks=marks)
    elif chosen and my_turn and meant_for in (None, standing.position_number):
        seen = wanted(ruleset, standing.position, seen, chosen, pieces)
    drawn = board(ruleset, seen.view, seen.marks, names)
    playing = seat is not None and plays_on(standing, seat)
    return GamePage(
        pk=game.pk,
        ruleset=game.ruleset,
        title=say(ruleset.facts.title),
        options=options_in_words(ruleset.facts, game.options),
        players=tuple(
            Seated(
                seat_title(ruleset, one.number),
                name,
                _score(ruleset, standing, one.number),
                person_at(one).profile,
                one.number in standing.left,
            )
            for one, name in zip(seats, names, strict=True)
        ),
        seat=seat,
        your_seat=your_seat(ruleset, seat, len(seats)) if seat is not None else "",
        position_number=standing.position_number,
        turn_number=standing.turn_number,
        svg=drawn.svg,
        diagram=drawn.diagram,
        description=drawn.description,
        wide=ruleset.is_wide(seen.view),
        my_turn=my_turn,
        decider=names[to_move] if to_move is not None and to_move >= 0 else "",
        groups=seen.groups,
        asked=seen.asked if seen.groups else "",
        begun=seen.begun,
        preview=seen.preview,
        divided=seen.divided,
        refused=seen.refused,
        examples=ruleset.examples(view) if open_to_me else (),
        joiner=ruleset.facts.joiner,
        log=reading.turns,
        last=next((turn for turn in reversed(reading.turns) if turn.number and not turn.undone), None),
        deadline=game.deadline,
        deadline_utc=_in_utc(game.deadline),
        reflection=duration(timedelta(seconds=game.reflection)),
        live=game.reflection < LIVE,
        may_abort=playing and may_abort(standing),
        may_resign=playing,
        may_propose=_may_propose(ruleset, standing, seat, names) if seat is not None and playing else (),
        proposed=tuple(
            Proposed(
                number=one.number,
                title=_title(ruleset, reading, one, names),
                who=names[one.seat],
                mine=one.seat == seat and is_open_to(standing, one.kind, seat),
                to_answer=seat in must_answer(standing, one) and is_open_to(standing, one.kind, seat),
            )
            for one in standing.proposals
        ),
        paused=tuple(names[one] for one in sorted(paused)),
        bouncing=tuple(name_at(one) for one in seats if one.bounces and playing and one.number != seat),
        i_bounce=any(one.bounces for one in seats if one.number == seat),
        unwritten=tuple(name_at(one) for one in seats if one.unwritten and not one.bounces and playing and one.number != seat),
        i_am_unwritten=playing and any(one.unwritten for one in seats if one.number == seat),
        over=over,
        ending=ending(game, names),
        public=game.public,
        has_record=over or not ruleset.facts.hidden,
        may_rematch=over and seat is not None and all(person_at(one).profile for one in seats),
        may_report=any(person_at(one).profile for one in seats if not one.is_of(viewer)),
        head=game.head,
        step=step,
        steps=reading.steps,
        stepping=around(reading.steps, (step or reading.steps[-1]).index),
        ways=_ways(reading, step, seen.preview),
        fingerprints=reading.fingerprints,
        thinking=to_move in standing.engines and not paused,
        computer=_level_of({one.engine for one in seats if one.number != seat}),
        guest=guest is not None and seat == guest,
        seen=next((one.seen for one in seats if one.number == seat), 0),
    )


@prepared
def _game(pk: int) -> QuerySet[Game, Any]:
    return Game.objects.filter(pk=pk).values_list(*_ASKED)


def _ways(reading: Reading, step: Step | None, preview: Preview | None) -> tuple[Way, ...]:
    """To a step from the one before it; to the present from those within its last turn; to what is looked at from the present."""
    if preview is not None:
        return (Way(reading.steps[-1].number, preview.touched),)
    if step is not None:
        return ways(reading.steps[: step.index + 1][-2:])
    plies = next((0 if turn.undone else len(turn.plies) for turn in reversed(reading.turns) if turn.plies), 0)
    return ways(reading.steps[-plies - 1 :])


def board_of(game: Game) -> str:
    """The position in characters, as a spectator may see it; empty when there are no rules for it or its log is broken."""
    try:
        ruleset = registry.get(game.ruleset)
        standing = read(ruleset, game, seat_names(game)).standing
    except (registry.UnknownRuleset, BrokenLog, BadOptions, MoveRefused):
        return ""
    return ruleset.diagram(ruleset.view(standing.position, None, moment=standing.moment))


def _in_utc(deadline: datetime | None) -> str:
    """The deadline once more in UTC; empty for a reader whose zone that is."""
    if deadline is None or timezone.get_current_timezone_name() == "UTC":
        return ""
    return f"{deadline:%Y-%m-%d %H:%M} UTC"


def _level_of(opponents: Collection[int | None]) -> int | None:
    """The level of opponents, who are computers of one; None where they are not."""
    return next(iter(opponents)) if len(opponents) == 1 else None


def _may_propose(ruleset: AnyRuleset, standing: Standing[Any], seat: int, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    removals = [f"{kinds.REMOVE} {one}" for one in sorted({*ruleset.removable(standing.position), *standing.paused})]
    known = [kind for kind in (*ruleset.proposals(standing.position), kinds.TAKEBACK) if kind in PROPOSALS]
    return tuple(
        (kind, proposal_title(kind, names=names))
        for kind in (*known, *removals)
        if proposed_before(standing, seat, kind) is None and may_propose(ruleset, standing, seat, kind)
    )


def _title(ruleset: AnyRuleset, reading: Reading, proposal: OpenProposal, names: Sequence[str]) -> str:
    """What is proposed; of a takeback also the moves that it would undo."""
    title = proposal_title(proposal.kind, names=names)
    if proposal.kind != kinds.TAKEBACK:
        return title
    first = undone_by(ruleset, reading.standing, proposal.number)
    undone = [one.text for one in reading.turns if one.kind == kinds.MOVE and one.entry > first and not one.undone]
    return f"{title} ({', '.join(undone)})"


def _score(ruleset: AnyRuleset, standing: Standing[Any], seat: int) -> str:
    agreed = standing.outcome.scores if standing.outcome is not None else ()
    scores = agreed or ruleset.scores(standing.position)
    if not scores or (ruleset.facts.hidden and standing.outcome is None):
        return ""
    return in_halves(scores[seat])
