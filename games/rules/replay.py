"""What the rules make of a log: one entry at a time (`step`), or all of them (`fold`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final, TypeVar

from games.rules import entry as kinds
from games.rules.entry import Entry, Options, Record
from games.rules.luck import luck_of
from games.rules.position import CHANCE, LOSS, WIN, BadOptions, Forfeit, MoveRefused, Outcome
from games.rules.ruleset import Ruleset
from games.rules.rulings import ruled
from games.rules.standing import OpenProposal, Standing, is_open_to, is_opening, may_abort, may_propose, must_answer, removed_by
from games.rules.turns import Begun, after_event, after_move, up_to_last_of

P = TypeVar("P")

SPOKEN: Final = frozenset({kinds.PROPOSE, kinds.AGREE, kinds.REFUSE, kinds.WITHDRAW})
STOPPED_BY_A_PAUSE: Final = SPOKEN | {kinds.MOVE, kinds.TIMEOUT}
"""What nobody does in a paused game, but for talk of a way out. Leaving is possible, and chance falls where leaving made it."""

_DIGITS: Final = "[0-9a-f]{64}"


class BrokenLog(ValueError):
    """An entry that cannot follow the ones before it."""


def begin(ruleset: Ruleset[P, Any], options: Options, seats: int) -> Standing[P]:
    """The standing before the first entry. Raises BadOptions."""
    position = ruleset.start(options, seats)
    return Standing(position=position, seats=seats, turns=(Begun(0, ruleset.to_move(position), position, 0),))


def fold(ruleset: Ruleset[P, Any], options: Options, seats: int, entries: Iterable[Entry]) -> Standing[P]:
    """The standing after all entries. Raises BrokenLog, or what `play` raises for a move that the rules refuse."""
    standing = begin(ruleset, options, seats)
    for entry in entries:
        standing = step(ruleset, standing, entry)
    return standing


def course(ruleset: Ruleset[P, Any], options: Options, seats: int, entries: Iterable[Entry]) -> Iterator[tuple[P, Entry]]:
    """The entries, each with the position that it found. Raises as `fold`."""
    standing = begin(ruleset, options, seats)
    for entry in entries:
        yield standing.position, entry
        standing = step(ruleset, standing, entry)


def step(ruleset: Ruleset[P, Any], standing: Standing[P], entry: Entry) -> Standing[P]:
    """The standing after one more entry. Raises BrokenLog, or what `play` raises."""
    if entry.number != standing.number + 1:
        raise BrokenLog(f"entry {entry.number} cannot follow entry {standing.number}")
    if entry.kind == kinds.CORRECT:
        return _corrected(standing, entry)
    if entry.kind == kinds.REVEAL:
        return _revealed(standing, entry)
    if standing.outcome is not None:
        raise BrokenLog(f"entry {entry.number} ({entry.kind}) comes after the end")
    if standing.paused and entry.kind in STOPPED_BY_A_PAUSE and not _speaks_of_a_way_out(standing, entry):
        raise BrokenLog(f"entry {entry.number} ({entry.kind}): the game is paused")
    match entry.kind:
        case kinds.JOIN:
            _expect(entry, seat=standing.number if standing.number < standing.seats else None)
            computer = {standing.number} if entry.text.startswith(f"{kinds.ENGINE} ") else set()
            return _new_turn(replace(standing, engines=standing.engines | computer), entry, entry.at)
        case kinds.COMMIT:
            _expect_digits(entry, 1, _DIGITS)
            return replace(standing, number=entry.number, committed=standing.committed + 1, draws=0)
        case kinds.MOVE | kinds.CHANCE_FELL:
            return _moved(ruleset, standing, entry)
        case kinds.TIMEOUT:
            _expect(entry, seat=ruleset.to_move(standing.position))
            return _without(ruleset, standing, entry, ruleset.time_out(standing.position))
        case kinds.RESIGN:
            if entry.seat is None or entry.seat in standing.left:
                raise BrokenLog(f"entry {entry.number}: nobody is there to resign")
            left = replace(standing, left=standing.left | {entry.seat})
            after = _without(ruleset, left, entry, ruleset.leave(standing.position, entry.seat))
            return _released(after, entry) if entry.seat in after.paused else after
        case kinds.ABORT:
            if entry.seat is not None and (entry.seat in standing.left or not may_abort(standing)):
                raise BrokenLog(f"entry {entry.number}: seat {entry.seat} cannot call the game off any more")
            return replace(standing, number=entry.number, outcome=Outcome("aborted", ()), proposals=())
        case kinds.PROPOSE | kinds.AGREE | kinds.REFUSE | kinds.WITHDRAW:
            return _spoken(ruleset, standing, entry)
        case kinds.CLOCK:
            return _clock_set(standing, entry)
        case kinds.ADJUDICATE:
            ended = ruled(entry.text, standing.seats, standing.left, ruleset.scores(standing.position))
            if ended is None:
                raise BrokenLog(f"entry {entry.number}: nobody can rule so: {entry.text}")
            return replace(standing, number=entry.number, outcome=ended, proposals=(), reversible=True)
        case _:
            raise BrokenLog(f"entry {entry.number} is of the unknown kind {entry.kind}")


def seated(ruleset: Ruleset[P, Any], standing: Standing[P], entry: Entry) -> Entry:
    """The entry of a record with the seat that the rules name: records write no seat where one follows from the position."""
    if entry.seat is not None or entry.kind not in (kinds.MOVE, kinds.TIMEOUT):
        return entry
    return replace(entry, seat=ruleset.to_move(standing.position))


def play_record(ruleset: Ruleset[P, Any], record: Record) -> Standing[P]:
    """The standing at the end of a record. Raises BadOptions, BrokenLog, or what `play` raises."""
    *_, last = _standings(ruleset, record)
    return last


def _standings(ruleset: Ruleset[P, Any], record: Record) -> Iterator[Standing[P]]:
    standing = begin(ruleset, record.options, record.seats)
    yield standing
    for entry in record.entries:
        standing = step(ruleset, standing, seated(ruleset, standing, entry))
        yield standing


def differences(ruleset: Ruleset[P, Any], record: Record) -> list[str]:
    """What a record claims and the rules deny, in English sentences; an empty list when they agree."""
    reached = 0
    found: list[tuple[P, Entry]] = []
    try:
        for standing in _standings(ruleset, record):
            reached = standing.number
            found += [(standing.position, one) for one in record.entries[reached : reached + 1]]
    except (BrokenLog, BadOptions) as refusal:
        return [f"the rules refuse it: {refusal}"]
    except MoveRefused as refusal:
        return [f"the rules refuse entry {reached + 1} ({record.entries[reached].text}): {refusal}"]
    return [*_denied(ruleset, record, standing), *_unlucky(ruleset, record, found, standing)]


def _unlucky(ruleset: Ruleset[P, Any], record: Record, found: Sequence[tuple[P, Entry]], end: Standing[P]) -> Iterator[str]:
    """What chance did not bring, in a record that commits to seeds."""
    for position, entry in found:
        said = record.outcomes.get(entry.number)
        if said is not None and said != tuple(ruleset.chance(position)):
            yield f"entry {entry.number}: what could fall there is not {' '.join(f'{one}*{weight}' for one, weight in said)}"
    if not any(entry.kind == kinds.COMMIT for _position, entry in found):
        return
    game = record.tags.get("Game", "")
    if not _is_number(game):
        yield "the record has no number of its game, which every draw depends on"
        return
    if end.outcome is not None and end.committed:
        yield "the game is over, and its seed is not revealed"
    yield from luck_of(ruleset, int(game), found).differences()


def _denied(ruleset: Ruleset[P, Any], record: Record, standing: Standing[P]) -> list[str]:
    found = []
    reached = result(standing.outcome, record.seats)
    if record.result is not None and record.result != reached:
        found.append(f"the result is {reached}, not {record.result}")
    termination = standing.outcome.termination if standing.outcome else None
    if record.termination is not None and record.termination != termination:
        found.append(f"the termination is {termination}, not {record.termination}")
    if record.final is None:
        return found
    try:
        final = ruleset.dump(standing.position)
    except MoveRefused as refusal:
        return [*found, f"the rules cannot show the end: {refusal}"]
    found += [
        f"{name} at the end is {final.get(name)}, not {value}" for name, value in record.final.items() if final.get(name) != value
    ]
    return found


def _expect(entry: Entry, seat: int | None) -> None:
    if seat is None or entry.seat != seat:
        raise BrokenLog(f"entry {entry.number} ({entry.kind}) belongs to seat {seat}, not to seat {entry.seat}")


def _moved(ruleset: Ruleset[P, Any], standing: Standing[P], entry: Entry) -> Standing[P]:
    decider = ruleset.to_move(standing.position)
    if entry.kind == kinds.MOVE:
        if decider is None or decider < 0:
            raise BrokenLog(f"entry {entry.number}: no seat is to move")
        _expect(entry, seat=decider)
    elif decider is None or decider >= 0:
        raise BrokenLog(f"entry {entry.number}: chance is not to fall here")
    position = ruleset.play(standing.position, entry.text)
    if entry.kind == kinds.CHANCE_FELL:
        return _arrived(ruleset, replace(standing, draws=standing.draws + bool(standing.committed)), entry, position)
    return _arrived(ruleset, replace(standing, proposals=_declined_by_moving(standing, entry)), entry, position)


def _declined_by_moving(standing: Standing[P], entry: Entry) -> tuple[OpenProposal, ...]:
    """Between two, a proposal lives until its recipient moves; at a larger table moves decline nothing."""
    if standing.seats > 2:
        return standing.proposals
    return tuple(one for one in standing.proposals if one.seat == entry.seat)


def _without(ruleset: Ruleset[P, Any], standing: Standing[P], entry: Entry, after: P | Forfeit) -> Standing[P]:
    if not isinstance(after, Forfeit):
        asking = () if entry.kind == kinds.RESIGN else standing.proposals
        return _arrived(ruleset, replace(standing, proposals=asking), entry, after)
    if entry.kind == kinds.TIMEOUT and is_opening(standing):
        ended = Outcome("aborted", ())
    else:
        termination = "time_forfeit" if entry.kind == kinds.TIMEOUT else "resignation"
        points = tuple(LOSS if seat == after.seat else WIN for seat in range(standing.seats))
        ended = Outcome(termination, points, ruleset.scores(standing.position))
    return replace(standing, number=entry.number, outcome=ended, proposals=(), reversible=entry.kind == kinds.TIMEOUT)


def _clock_set(standing: Standing[P], entry: Entry) -> Standing[P]:
    """Time given to the seat to move (`gift SECONDS`; `outage SECONDS` for what the service lost), or a seat for which the game
    is paused or goes on."""
    word, _, seconds = entry.text.partition(" ")
    if word in (kinds.GIFT, kinds.OUTAGE) and entry.seat is None and _is_number(seconds):
        return _given(replace(standing, number=entry.number), timedelta(seconds=int(seconds)))
    if entry.text == kinds.RESUME and entry.seat in standing.paused:
        return _released(replace(standing, number=entry.number), entry)
    playing = frozenset(range(standing.seats)) - standing.left - standing.paused
    if entry.text != kinds.PAUSE or entry.seat is None or entry.seat not in playing:
        raise BrokenLog(f"entry {entry.number}: the clock cannot be set so")
    began = standing.paused_at if standing.paused else entry.at
    return replace(standing, number=entry.number, paused=standing.paused | {entry.seat}, paused_at=began)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19 and text[0] != "0"


def _given(standing: Standing[P], span: timedelta) -> Standing[P]:
    return replace(standing, since=_later(standing.since, span), restored=_later(standing.restored, span))


def _later(since: datetime | None, span: timedelta) -> datetime | None:
    return since + span if since is not None else None


def _released(standing: Standing[P], entry: Entry) -> Standing[P]:
    """The game is no longer paused for the seat of the entry, and nobody asks any more whether to go on without it. With the last
    such seat time runs again, from where it stood."""
    paused = frozenset(seat for seat in standing.paused if seat != entry.seat)
    standing = replace(standing, proposals=tuple(one for one in standing.proposals if removed_by(one.kind) != entry.seat))
    if paused or standing.paused_at is None or entry.at is None:
        return replace(standing, paused=paused, paused_at=standing.paused_at if paused else None)
    return _given(replace(standing, paused=paused, paused_at=None), entry.at - standing.paused_at)


def _expect_digits(entry: Entry, times: int, each: str) -> None:
    if entry.seat is not None or not re.fullmatch(rf"{each}(?: {each}){{{times - 1}}}", entry.text):
        raise BrokenLog(f"entry {entry.number} ({entry.kind}) is not {times} times 64 digits from 0 to f")


def _revealed(standing: Standing[P], entry: Entry) -> Standing[P]:
    """The seeds that were committed to, in their order, `lost` for one that nobody has any more. Whether they are the right
    ones is told by `luck`."""
    if standing.outcome is None or not standing.committed:
        raise BrokenLog(f"entry {entry.number}: nothing is to be revealed here")
    _expect_digits(entry, standing.committed, rf"(?:{_DIGITS}|{kinds.LOST})")
    return replace(standing, number=entry.number, committed=0, draws=0)


def _corrected(standing: Standing[P], entry: Entry) -> Standing[P]:
    """The game goes on where it was before its end, which the entry names, with a new turn and all its time."""
    if standing.outcome is None or not standing.reversible or entry.text != str(standing.number):
        raise BrokenLog(f"entry {entry.number}: there is no such end to take back")
    going_on = replace(standing, paused=frozenset(), paused_at=None, outcome=None, reversible=False)
    return _new_turn(going_on, entry, entry.at)


def _new_turn(standing: Standing[P], entry: Entry, since: datetime | None) -> Standing[P]:
    """A position and a turn with the number of the entry, whose time counts from `since`."""
    number = entry.number
    return replace(standing, number=number, position_number=number, turn_number=number, since=since, restored=None)


def _arrived(ruleset: Ruleset[P, Any], standing: Standing[P], entry: Entry, position: P) -> Standing[P]:
    handed_over = _handed_over(ruleset, standing.position, position)
    # Chance at the start of a turn (a deal, a die) belongs to it; a time-out gives fresh time even to the same seat.
    starting = entry.kind == kinds.CHANCE_FELL and standing.turn_number == standing.position_number
    new_turn = handed_over or starting or entry.kind == kinds.TIMEOUT
    completed = standing.completed
    acted = entry.kind in (kinds.MOVE, kinds.TIMEOUT)
    if acted and entry.seat is not None and (handed_over or ruleset.to_move(position) == CHANCE):
        completed |= {entry.seat}
    outcome, moved, turns = ruleset.outcome(position), entry.kind == kinds.MOVE, standing.turns
    begun = Begun(entry.number, ruleset.to_move(position), position, standing.plies + moved)
    if turns is not None and moved:
        turns = after_move(turns, begun, standing.since, entry.at) if new_turn else turns
    elif turns is not None:
        turns = after_event(turns, begun, new_turn=new_turn)
    return replace(
        standing,
        position=position,
        number=entry.number,
        plies=begun.plies,
        position_number=entry.number,
        turn_number=entry.number if new_turn else standing.turn_number,
        since=entry.at if new_turn else standing.since,
        restored=None if new_turn else standing.restored,
        # The time of a turn that begins in a pause stands still from its beginning.
        paused_at=entry.at if new_turn and standing.paused else standing.paused_at,
        completed=completed,
        # What a takeback would undo was seen by who answers: it lapses as soon as anything is played.
        proposals=tuple(one for one in standing.proposals if outcome is None and _waits_on(ruleset, position, one)),
        outcome=outcome,
        turns=turns,
    )


def _waits_on(ruleset: Ruleset[P, Any], position: P, proposal: OpenProposal) -> bool:
    """Whether a proposal outlives a new position: no takeback, and a removal while its target is silent."""
    removed = removed_by(proposal.kind)
    return proposal.kind != kinds.TAKEBACK and (removed is None or removed in ruleset.removable(position))


def _handed_over(ruleset: Ruleset[P, Any], before: P, after: P) -> bool:
    """Whether a turn ended between the positions. Chance in the middle of a turn ends nothing."""
    if ruleset.turn(before) != ruleset.turn(after):
        return True
    decided, decides = ruleset.to_move(before), ruleset.to_move(after)
    return decided != decides and CHANCE not in (decided, decides)


def _speaks_of_a_way_out(standing: Standing[P], entry: Entry) -> bool:
    asked = (one.kind for one in standing.proposals if str(one.number) == entry.text)
    kind = entry.text if entry.kind == kinds.PROPOSE else next(asked, "")
    return entry.kind in SPOKEN and is_open_to(standing, kind, entry.seat)


def _spoken(ruleset: Ruleset[P, Any], standing: Standing[P], entry: Entry) -> Standing[P]:
    """A proposal (text: its id) or an answer to one (text: the number of the entry that made it)."""
    if entry.seat is None or entry.seat in standing.left:
        raise BrokenLog(f"entry {entry.number}: no seat speaks")
    spoken = replace(standing, number=entry.number)
    if entry.kind == kinds.PROPOSE:
        if not may_propose(ruleset, standing, entry.seat, entry.text):
            raise BrokenLog(f"entry {entry.number}: {entry.text} cannot be proposed here")
        if any((one.seat, one.kind) == (entry.seat, entry.text) for one in standing.proposals):
            raise BrokenLog(f"entry {entry.number}: the same proposal waits already")
        made = OpenProposal(entry.number, entry.text, entry.seat, at=entry.at)
        if not must_answer(standing, made):
            return _agreed(ruleset, standing, entry, made)
        return replace(spoken, proposals=(*standing.proposals, made))
    asked = next((one for one in standing.proposals if str(one.number) == entry.text), None)
    if asked is None:
        raise BrokenLog(f"entry {entry.number} answers no open proposal")
    if (entry.seat == asked.seat) != (entry.kind == kinds.WITHDRAW):
        raise BrokenLog(f"entry {entry.number}: seat {entry.seat} cannot {entry.kind} this proposal")
    others = tuple(one for one in standing.proposals if one is not asked)
    if entry.kind != kinds.AGREE:
        return replace(spoken, proposals=others)
    agreed = replace(asked, agreed=asked.agreed | {entry.seat})
    if must_answer(standing, agreed):
        return replace(spoken, proposals=tuple(agreed if one is asked else one for one in standing.proposals))
    return _agreed(ruleset, standing, entry, asked)


def _agreed(ruleset: Ruleset[P, Any], standing: Standing[P], entry: Entry, asked: OpenProposal) -> Standing[P]:
    """What follows when nobody is left to answer: the entry that brought the last agreement makes it so."""
    removed = removed_by(asked.kind)
    if removed is not None:
        left = replace(standing, left=standing.left | {removed}, proposals=())
        after = _without(ruleset, left, entry, ruleset.leave(standing.position, removed))
        return _released(after, replace(entry, seat=removed)) if removed in after.paused else after
    if asked.kind == kinds.TAKEBACK:
        return _taken_back(standing, entry, asked.seat)
    return replace(standing, number=entry.number, proposals=(), outcome=ruleset.settle(standing.position, asked.kind))


def _taken_back(standing: Standing[P], entry: Entry, seat: int) -> Standing[P]:
    """Back to before the seat's last turn, with the time that was left when it was over (D18).

    The entry brings a new position and a new turn, so that whatever was meant for others is void (N21). Who completed a turn
    stays one who did: a takeback makes nobody a no-show (D1, F39).
    """
    turns = standing.turns or ()
    *earlier, undone = up_to_last_of(turns, seat, standing.plies)
    since = standing.since if undone is turns[-1] else _later(entry.at, -(undone.spent or timedelta()))
    begun = replace(undone, number=entry.number, spent=None)
    back = replace(standing, position=undone.position, plies=undone.plies, proposals=(), turns=(*earlier, begun))
    return replace(_new_turn(back, entry, since), restored=entry.at)


def result(outcome: Outcome | None, seats: int) -> str:
    """The result as a record writes it: `1-0`, `1/2-1/2`, by seat for more; `*` while the game goes on or counts for nobody."""
    if outcome is None or not outcome.points:
        return "*"
    words = {Fraction(1): "1", Fraction(1, 2): "1/2", Fraction(0): "0"}
    return "-".join(words.get(points, str(points)) for points in outcome.points[:seats])
