"""Where a game stands after an entry of its log, and what that allows: to play on, call off, propose, answer, take back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from games.rules import entry as kinds
from games.rules.position import Moment, Outcome
from games.rules.ruleset import Ruleset
from games.rules.turns import Begun, up_to_last_of

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """A proposal that waits for answers: the number and time of its entry, who made it, who has agreed."""

    number: int
    kind: str
    seat: int
    agreed: frozenset[int] = frozenset()
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Standing(Generic[P]):
    """Where a game stands after the last entry of its log.

    `position_number` is the number of the last entry that changed the position, `turn_number` of the one that began
    the present turn and `since` its time: the reflection time of the seat to move counts from there.
    `completed` are the seats that have a whole turn behind them, `left` the seats that resigned while the others play on.
    While anybody is in `paused` nobody's time runs; `paused_at` is when it stopped. `reversible`: the last entry ended the game
    in a way that can be taken back. `restored` is when a takeback brought this turn, moved as `since` is by pauses and gifts:
    some time is left from there (`timing.deadline`). `committed` counts the seeds that are not revealed yet, `draws` what fell by
    the last one. `engines` are the seats of computers, for which no time runs.

    `turns` are those that may be taken back and the present one, oldest first; None in a standing that was kept without them.
    """

    position: P
    seats: int
    number: int = 0
    plies: int = 0
    position_number: int = 0
    turn_number: int = 0
    since: datetime | None = None
    completed: frozenset[int] = frozenset()
    left: frozenset[int] = frozenset()
    proposals: tuple[OpenProposal, ...] = ()
    paused: frozenset[int] = frozenset()
    paused_at: datetime | None = None
    outcome: Outcome | None = None
    reversible: bool = False
    restored: datetime | None = None
    committed: int = 0
    draws: int = 0
    engines: frozenset[int] = frozenset()
    turns: tuple[Begun[P], ...] | None = None

    @property
    def moment(self) -> Moment:
        """Whether somebody is to move, or why not."""
        if self.outcome is not None:
            return Moment.OVER
        return Moment.PAUSED if self.paused else Moment.NOW


def plays_on(standing: Standing[P], seat: int) -> bool:
    """Whether the seat is still in the game."""
    return standing.outcome is None and seat not in standing.left


def is_opening(standing: Standing[P]) -> bool:
    """Whether not every seat that plays has completed a turn: until then nobody loses on time (scenarios D1, F39)."""
    present = frozenset(range(standing.seats)) - standing.left
    return standing.outcome is None and not present <= standing.completed


def may_abort(standing: Standing[P]) -> bool:
    """Whether one player may call the game off: in the opening of a game of two. Larger tables go on without whoever leaves."""
    return standing.seats == 2 and is_opening(standing)


def removed_by(kind: str) -> int | None:
    """The seat without which a proposal of this kind would go on; None for any other."""
    word, _, seat = kind.partition(" ")
    return int(seat) if word == kinds.REMOVE and seat.isascii() and seat.isdigit() and len(seat) <= 2 else None


def is_way_out(standing: Standing[P], kind: str) -> bool:
    """Whether such a proposal would end a pause: at a table the others may go on without whoever may not play for now."""
    return standing.seats > 2 and removed_by(kind) in standing.paused


def is_open_to(standing: Standing[P], kind: str, seat: int | None) -> bool:
    """Whether the seat may speak of such a proposal now: in a pause only where it is a way out, and only who may play."""
    return not standing.paused or (is_way_out(standing, kind) and seat not in standing.paused)


def must_answer(standing: Standing[P], proposal: OpenProposal) -> frozenset[int]:
    """The seats whose agreement the proposal still needs: of a removal all but its target and others who may not play."""
    others = frozenset(range(standing.seats)) - standing.left - {proposal.seat} - proposal.agreed
    removed = removed_by(proposal.kind)
    return others if removed is None else others - {removed} - standing.paused


def engines_asked(ruleset: Ruleset[P, Any], standing: Standing[P]) -> frozenset[int]:
    """The seats of computers that have to move or to answer a proposal now; in a pause nobody moves."""
    if not standing.engines or standing.outcome is not None:
        return frozenset()
    asked = {seat for one in standing.proposals for seat in must_answer(standing, one) if is_open_to(standing, one.kind, seat)}
    mover = None if standing.paused else ruleset.to_move(standing.position)
    return frozenset(seat for seat in standing.engines - standing.left if seat in asked or seat == mover)


def is_abandoned(ruleset: Ruleset[P, Any], standing: Standing[P]) -> bool:
    """Whether nobody at the table plays any more: all who are there, computers apart, have been silent for so long that the
    others might go on without them."""
    here = set(range(standing.seats)) - standing.left - standing.engines
    return bool(here) and here <= set(ruleset.removable(standing.position))


def undoes(ruleset: Ruleset[P, Any], standing: Standing[P], seat: int) -> Begun[P] | None:
    """The seat's last turn, which a takeback would undo with all that followed (F36); None where nothing can be taken back:
    the seat has not moved, chance fell since, time ran out, somebody left; or the game hides things, so that every move shows
    some (F34). Raises LookupError for a standing that was kept without its turns.
    """
    if standing.turns is None:
        raise LookupError("this standing was kept without the turns before it")
    kept = up_to_last_of(standing.turns, seat, standing.plies)
    return kept[-1] if kept and not ruleset.facts.hidden and plays_on(standing, seat) else None


def may_propose(ruleset: Ruleset[P, Any], standing: Standing[P], seat: int, kind: str) -> bool:
    """Whether the seat may propose this here. Raises LookupError as `undoes`, for a takeback."""
    if not is_open_to(standing, kind, seat):
        return False
    if kind == kinds.TAKEBACK:
        return undoes(ruleset, standing, seat) is not None
    return kind in ruleset.proposals(standing.position) or (seat != removed_by(kind) and _is_removable(ruleset, standing, kind))


def _is_removable(ruleset: Ruleset[P, Any], standing: Standing[P], kind: str) -> bool:
    seat = removed_by(kind)
    removable = is_way_out(standing, kind) or seat in ruleset.removable(standing.position)
    return removable and seat not in standing.left and kind == f"{kinds.REMOVE} {seat}"


def proposed_before(standing: Standing[P], seat: int, kind: str) -> OpenProposal | None:
    """The open proposal that the seat would only repeat: its own, or one that waits for its answer, since whoever asks for the
    same agrees (C6). But each takes back their own turn."""
    same = [one for one in standing.proposals if one.kind == kind]
    asked = (one for one in same if kind != kinds.TAKEBACK and seat in must_answer(standing, one))
    return next((one for one in same if one.seat == seat), None) or next(asked, None)
