"""Moves: plies of the seat to move, and the two ways to stop playing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from games.models import LogEntry
from games.rules import entry as kinds
from games.rules.phrase import phrase
from games.rules.position import IllegalMove, MoveRefused
from games.rules.replay import step
from games.rules.ruleset import AnyRuleset
from games.rules.rulings import SEED_LOST
from games.rules.standing import may_abort
from games.services import messages, projection, rights
from games.services.errors import NotAllowed, NotYourTurn, StalePosition, TakenBack
from games.services.log import Answer, OpenLog, submit
from games.services.projection import AnyStanding

PASSED_OVER = frozenset({kinds.COMMIT, kinds.CHANCE_FELL, kinds.PROPOSE, kinds.AGREE, kinds.REFUSE, kinds.WITHDRAW, kinds.CLOCK})
"""Entries that may stand between the plies of one turn."""


@dataclass
class Drawings:
    """What was found for the moves of one submission: by position and move what the log is to keep, or why it cannot be drawn.
    `since` is when the submission came in, which is no later for the time that the search took."""

    lines: dict[tuple[Any, str], str | IllegalMove] = field(default_factory=dict)
    since: datetime | None = None


class Undrawn(Exception):
    """The drawing of this move must be found before the log can take it."""

    def __init__(self, ruleset: AnyRuleset, position: Any, move: str) -> None:
        super().__init__(move)
        self.ruleset, self.position, self.move = ruleset, position, move

    def found(self) -> str | IllegalMove:
        """What the log will keep of the move."""
        try:
            return self.ruleset.stored(self.position, self.move)
        except IllegalMove as refused:
            return refused


def play_move(
    *, game: int, seat: int, text: str, position_number: int, via: str, key: str, message: str = "", right: int | None = None
) -> Answer:
    """Plays one ply or all plies of a turn (`4-6`), with a message to the others at the table: all or none.

    The same plies at the same position number again are a success that changes nothing; a message that is new then is
    delivered. `right` is the row of the right that the caller acts by: it plays in its own turn alone.

    Raises Gone, KeyReused, StalePosition, TakenBack, GameIsOver, GamePaused, TimeIsOver, NotYourTurn, what the rules raise, or
    what `messages.say` raises for the message.
    """
    message = messages.tidy(message)
    drawings = Drawings()

    def act(log: OpenLog) -> Answer:
        log.arrived = drawings.since = drawings.since or log.now
        plies = log.ruleset.split(text)
        lasts = rights.turn_lasts(log, seat, right)
        if log.standing.position_number != position_number:
            played = _played_before(log, seat, plies, position_number)
            if message and not messages.said_since(log, seat, message, position_number):
                if not lasts:
                    raise StalePosition
                messages.write(log, seat, message)
            return log.answer(played, same=True)
        log.require_running(seat)
        if not lasts:
            raise StalePosition
        if log.to_move != seat:
            raise NotYourTurn
        played = _play(log, seat, text, via, drawings)
        if message:
            messages.write(log, seat, message, entry=_last_ply(log, seat))
        return log.answer(played)

    def stands(log: OpenLog) -> None:
        _played_before(log, seat, log.ruleset.split(text), position_number)

    payload = {"do": kinds.MOVE, "seat": seat, "text": text, "position_number": position_number}
    if message:
        payload["message"] = message
    return _drawing(drawings, lambda: submit(game=game, key=key, payload=payload, act=act, stands=stands))


def _drawing(drawings: Drawings, do: Callable[[], Answer]) -> Answer:
    """Does it; whenever a line is missing, finds it while nothing is locked, and does it again: a line may take a second, and
    the lock of SQLite holds up every game. Meanwhile the position may have gone, which is told then."""
    while True:
        try:
            return do()
        except Undrawn as line:
            drawings.lines[line.position, line.move] = line.found()


def _last_ply(log: OpenLog, seat: int) -> int:
    return max(row.number for row in log.appended if (row.kind, row.seat) == (kinds.MOVE, seat))


def _play(log: OpenLog, seat: int, text: str, via: str, drawings: Drawings) -> tuple[str, ...]:
    played: list[str] = []
    for position, move in log.ruleset.plies(log.standing.position, text):
        if log.standing.outcome == SEED_LOST:
            break
        log.append(kinds.MOVE, seat=seat, text=_kept(log.ruleset, position, move, drawings), via=via)
        played.append(move)
    return tuple(played)


def _kept(ruleset: AnyRuleset, position: Any, move: str, drawings: Drawings) -> str:
    if not ruleset.facts.drawn:
        return ruleset.stored(position, move)
    line = drawings.lines.get((position, move))
    if line is None:
        raise Undrawn(ruleset, position, move)
    if isinstance(line, IllegalMove):
        raise line
    return line


def _played_before(log: OpenLog, seat: int, plies: tuple[str, ...], position_number: int) -> tuple[str, ...]:
    """The plies as the log holds them right after that position. Raises StalePosition when it holds a part of them only or
    something else, TakenBack when they were taken back since."""
    entries = projection.entries_of(log.game)
    standing = projection.read(log.ruleset, log.game, entries[:position_number]).standing
    if standing.position_number != position_number:
        raise StalePosition
    played: list[str] = []
    after = standing.plies + len(plies)
    for entry in entries[position_number:]:
        if len(played) < len(plies) and entry.kind not in PASSED_OVER:
            if (entry.kind, entry.seat) != (kinds.MOVE, seat) or not _is(log, standing, plies[len(played)], entry.text):
                raise StalePosition
            played.append(log.ruleset.told(entry.text))
        before, standing = standing, step(log.ruleset, standing, entry)
        if standing.plies < min(before.plies, after):
            raise TakenBack if len(played) == len(plies) else StalePosition
    if len(played) < len(plies):
        raise StalePosition
    return tuple(played)


def _is(log: OpenLog, standing: AnyStanding, ply: str, move: str) -> bool:
    try:
        return log.ruleset.canonical(standing.position, ply) == log.ruleset.told(move)
    except MoveRefused:
        return False


def resign(*, game: int, seat: int, via: str, key: str) -> Answer:
    """The seat gives up; again: a success that changes nothing. Raises Gone, KeyReused, NotAllowed, GameIsOver (C7),
    TimeIsOver."""

    def act(log: OpenLog) -> Answer:
        if log.holds(kinds.RESIGN, seat=seat):
            return log.answer(same=True)
        log.require_running(seat, in_pause=True)
        log.append(kinds.RESIGN, seat=seat, via=via)
        return log.answer()

    return submit(game=game, key=key, payload={"do": kinds.RESIGN, "seat": seat}, act=act)


def abort_game(*, game: int, seat: int, via: str = LogEntry.Via.WEB, key: str) -> Answer:
    """Calls a game of two off while one of them has not completed a turn. Raises as `resign`."""

    def act(log: OpenLog) -> Answer:
        if log.holds(kinds.ABORT, seat=seat):
            return log.answer(same=True)
        log.require_running(seat, in_pause=True)
        if log.standing.seats > 2:
            raise NotAllowed(phrase("Nobody calls off a game of so many alone: you may resign, or propose to stop it."))
        if not may_abort(log.standing):
            raise NotAllowed(phrase("Everybody has completed a turn: the game can no longer be called off, only resigned."))
        log.append(kinds.ABORT, seat=seat, via=via)
        return log.answer()

    return submit(game=game, key=key, payload={"do": kinds.ABORT, "seat": seat}, act=act)
