"""The projection: what the rows of a game say of its log, and the standing read back from them.

Everything here follows from the log alone; `log.project` writes it, `check.differences` compares it with a fresh reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final, TypeAlias

from games import timing
from games.models import Game, Proposal
from games.rules import entry as kinds
from games.rules.entry import Entry
from games.rules.position import BadPosition, Outcome
from games.rules.replay import begin, result, step
from games.rules.ruleset import AnyRuleset
from games.rules.standing import OpenProposal, Standing, engines_asked

AnyStanding: TypeAlias = Standing[Any]

ANSWERED: Final = {
    kinds.AGREE: Proposal.State.AGREED,
    kinds.REFUSE: Proposal.State.REFUSED,
    kinds.WITHDRAW: Proposal.State.WITHDRAWN,
}


@dataclass(frozen=True, slots=True)
class Proposed:
    """What the log says of a proposal: a row of `Proposal` without its key."""

    kind: str
    seat: int
    made_at: datetime | None
    state: str = Proposal.State.OPEN
    closed_at: datetime | None = None


@dataclass(slots=True)
class Course:
    """How far a game has come: its standing, the time of the last entry, and the proposals that were read on the way."""

    standing: AnyStanding
    at: datetime | None = None
    proposals: dict[int, Proposed] = field(default_factory=dict)

    def take(self, ruleset: AnyRuleset, entry: Entry) -> None:
        """One more entry. Raises `standing.BrokenLog`, or what the rules raise."""
        before = self.standing
        self.standing = after = step(ruleset, before, entry)
        self.at = entry.at
        if before.proposals != after.proposals:
            kept = {one.number for one in after.proposals}
            for one in {*before.proposals, *after.proposals}:
                self.proposals[one.number] = _proposed(one, None if one.number in kept else entry)


def _proposed(one: OpenProposal, closed_by: Entry | None) -> Proposed:
    if closed_by is None:
        return Proposed(one.kind, one.seat, one.at)
    state = ANSWERED.get(closed_by.kind) if closed_by.text == str(one.number) else None
    return Proposed(one.kind, one.seat, one.at, state or Proposal.State.LAPSED, closed_by.at)


def read(ruleset: AnyRuleset, game: Game, entries: Iterable[Entry]) -> Course:
    """The course of a game from its first entry. Raises `standing.BrokenLog`, or what the rules raise."""
    course = Course(begin(ruleset, game.options, game.seats))
    for entry in entries:
        course.take(ruleset, entry)
    return course


def entries_of(game: Game) -> list[Entry]:
    """The log of a game as the rules read it."""
    return [row.as_entry() for row in game.entries.all()]


def course_of(ruleset: AnyRuleset, game: Game) -> Course:
    """The course from the game's own row; from the log when the row holds another one, or one of other rules."""
    kept = game.standing
    if kept and kept["number"] == game.head and kept["version"] == ruleset.facts.version:
        try:
            return Course(_load(ruleset, game, kept))
        except BadPosition:
            pass
    return read(ruleset, game, entries_of(game))


def deadline_of(ruleset: AnyRuleset, game: Game, standing: AnyStanding) -> datetime | None:
    """When the time of the seat to move is over; None when nobody's time runs."""
    if standing.outcome is not None or standing.paused or standing.since is None:
        return None
    to_move = ruleset.to_move(standing.position)
    if to_move is None or to_move in standing.engines:
        return None
    return timing.deadline(standing.since, timedelta(seconds=game.reflection), standing.restored)


def fields_of(ruleset: AnyRuleset, game: Game, course: Course) -> dict[str, Any]:
    """The projected fields of the game row."""
    standing, outcome = course.standing, course.standing.outcome
    deadline = deadline_of(ruleset, game, standing)
    return {
        "head": standing.number,
        "plies": standing.plies,
        "position_number": standing.position_number,
        "turn_number": standing.turn_number,
        "position": ruleset.dump(standing.position),
        "standing": _dump(ruleset, standing),
        "turn": ruleset.turn(standing.position),
        "to_move": None if outcome else ruleset.to_move(standing.position),
        "deadline": deadline,
        "engine_asked_at": course.at if engines_asked(ruleset, standing) else None,
        "warn_at": timing.warning(deadline, timedelta(seconds=game.reflection)) if deadline is not None else None,
        "termination": outcome.termination if outcome else "",
        "result": result(outcome, standing.seats),
        "ended_at": course.at if outcome else None,
    }


def halves(standing: AnyStanding, seat: int) -> dict[str, int | None]:
    """Points and score of a seat in half units, None while there are none."""
    outcome = standing.outcome
    return {
        "points": int(outcome.points[seat] * 2) if outcome and outcome.points else None,
        "score": int(outcome.scores[seat] * 2) if outcome and outcome.scores else None,
    }


def _dump(ruleset: AnyRuleset, standing: AnyStanding) -> dict[str, Any]:
    outcome = standing.outcome
    pause = {"paused": sorted(standing.paused), "paused_at": _written(standing.paused_at)} if standing.paused else {}
    return {
        **pause,
        "version": ruleset.facts.version,
        "number": standing.number,
        "since": _written(standing.since),
        "completed": sorted(standing.completed),
        "left": sorted(standing.left),
        "proposals": [[one.number, one.kind, one.seat, sorted(one.agreed), _written(one.at)] for one in standing.proposals],
        "points": [str(points) for points in outcome.points] if outcome else None,
        "scores": [str(score) for score in outcome.scores] if outcome else None,
        **({"reversible": True} if standing.reversible else {}),
        **({"committed": standing.committed, "draws": standing.draws} if standing.committed else {}),
        **({"restored": _written(standing.restored)} if standing.restored else {}),
        **({"engines": sorted(standing.engines)} if standing.engines else {}),
    }


def _load(ruleset: AnyRuleset, game: Game, kept: Mapping[str, Any]) -> AnyStanding:
    outcome = None
    if kept["points"] is not None:
        outcome = Outcome(game.termination, tuple(map(Fraction, kept["points"])), tuple(map(Fraction, kept["scores"])))
    return Standing(
        position=ruleset.load(game.position),
        seats=game.seats,
        number=game.head,
        plies=game.plies,
        position_number=game.position_number,
        turn_number=game.turn_number,
        since=_read(kept["since"]),
        completed=frozenset(kept["completed"]),
        left=frozenset(kept["left"]),
        proposals=tuple(
            OpenProposal(number, kind, seat, frozenset(agreed), _read(at)) for number, kind, seat, agreed, at in kept["proposals"]
        ),
        paused=frozenset(kept.get("paused", ())),
        paused_at=_read(kept.get("paused_at")),
        outcome=outcome,
        reversible=kept.get("reversible", False),
        committed=kept.get("committed", 0),
        draws=kept.get("draws", 0),
        restored=_read(kept.get("restored")),
        engines=frozenset(kept.get("engines", ())),
    )


def _written(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _read(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
