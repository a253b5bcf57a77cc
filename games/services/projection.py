"""The projection: what the game row and its seats say of the log, and the standing read back from it."""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from games import timing
from games.models import Game, Seat
from games.rules.position import Outcome
from games.rules.replay import OpenProposal, Standing, begin, fold, result
from games.rules.ruleset import AnyRuleset

AnyStanding = Standing[Any]

FIELDS = (
    "head", "plies", "position_number", "turn_number", "position", "standing", "turn", "to_move", "deadline",
    "termination", "result", "ended_at",
)  # fmt: skip


def projected(ruleset: AnyRuleset, game: Game, standing: AnyStanding, at: datetime | None) -> dict[str, Any]:
    """The fields of the game row that follow from its standing; `at` is the time of the last entry."""
    outcome = standing.outcome
    decider = None if outcome else ruleset.to_move(standing.position)
    runs = decider is not None and standing.since is not None
    return {
        "head": standing.number,
        "plies": standing.plies,
        "position_number": standing.position_number,
        "turn_number": standing.turn_number,
        "position": ruleset.dump(standing.position),
        "standing": _dump(standing),
        "turn": ruleset.turn(standing.position),
        "to_move": decider,
        "deadline": timing.deadline(standing.since, timedelta(seconds=game.reflection)) if runs and standing.since else None,
        "termination": outcome.termination if outcome else "",
        "result": result(outcome, standing.seats),
        "ended_at": at if outcome else None,
    }


def halves(standing: AnyStanding, seat: int) -> dict[str, int | None]:
    """Points and score of a seat in half units, None while there are none."""
    outcome = standing.outcome
    return {
        "points": int(outcome.points[seat] * 2) if outcome and outcome.points else None,
        "score": int(outcome.scores[seat] * 2) if outcome and outcome.scores else None,
    }


def cached(ruleset: AnyRuleset, game: Game) -> AnyStanding:
    """The standing of the game row; replayed from the log when the row does not hold it."""
    if not game.standing or game.standing.get("number") != game.head:
        return replayed(ruleset, game)
    return _load(ruleset, game)


def replayed(ruleset: AnyRuleset, game: Game) -> AnyStanding:
    """The standing that the log makes. Raises `replay.BrokenLog`."""
    return fold(ruleset, game.options, game.seats, (row.as_entry() for row in game.entries.all()))


def before(ruleset: AnyRuleset, game: Game, number: int) -> AnyStanding:
    """The standing right after entry `number`."""
    if not number:
        return begin(ruleset, game.options, game.seats)
    return fold(ruleset, game.options, game.seats, (row.as_entry() for row in game.entries.filter(number__lte=number)))


def disagreements(ruleset: AnyRuleset, game: Game, seats: list[Seat]) -> list[str]:
    """What the game row and its seats say otherwise than the log; English sentences."""
    rows = list(game.entries.all())
    standing = fold(ruleset, game.options, game.seats, (row.as_entry() for row in rows))
    expected = projected(ruleset, game, standing, rows[-1].at if rows else None)
    found = [
        f"{name} is {getattr(game, name)!r}, the log makes it {value!r}"
        for name, value in expected.items()
        if getattr(game, name) != value
    ]
    for seat in seats:
        for name, value in halves(standing, seat.number).items():
            if getattr(seat, name) != value:
                found.append(f"{name} of seat {seat.number} is {getattr(seat, name)}, the log makes it {value}")
    stored = sorted(game.proposals.filter(state="open").values_list("number", flat=True))
    if stored != sorted(one.number for one in standing.proposals):
        found.append(f"the open proposals are {stored}, the log has {[one.number for one in standing.proposals]}")
    return found


def _dump(standing: AnyStanding) -> dict[str, Any]:
    outcome = standing.outcome
    return {
        "number": standing.number,
        "since": standing.since.isoformat() if standing.since else None,
        "completed": sorted(standing.completed),
        "left": sorted(standing.left),
        "proposals": [[one.number, one.kind, one.seat, sorted(one.agreed)] for one in standing.proposals],
        "points": [str(points) for points in outcome.points] if outcome else None,
        "scores": [str(score) for score in outcome.scores] if outcome else None,
    }


def _load(ruleset: AnyRuleset, game: Game) -> AnyStanding:
    kept = game.standing
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
        since=datetime.fromisoformat(kept["since"]) if kept["since"] else None,
        completed=frozenset(kept["completed"]),
        left=frozenset(kept["left"]),
        proposals=tuple(OpenProposal(number, kind, seat, frozenset(agreed)) for number, kind, seat, agreed in kept["proposals"]),
        outcome=outcome,
    )
