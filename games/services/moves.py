"""Moves: plies of the seat to move, and the two ways to stop playing."""

from __future__ import annotations

from games import timing
from games.models import LogEntry
from games.rules import entry as kinds
from games.rules.phrase import phrase
from games.rules.position import IllegalMove, MoveRefused
from games.rules.replay import may_abort, plays_on
from games.services import projection
from games.services.errors import GameIsOver, NotAllowed, NotYourTurn, StalePosition, TimeIsOver
from games.services.log import Answer, OpenLog, submit


def play_move(*, game: int, seat: int, text: str, position_number: int, via: str, key: str) -> Answer:
    """Plays one ply or all plies of a turn (`4-6`): all or none.

    The same plies at the same position number again are a success that changes nothing. Raises Gone, KeyReused,
    StalePosition, GameIsOver, NotYourTurn, TimeIsOver, or what the rules raise.
    """

    def act(log: OpenLog) -> Answer:
        plies = log.ruleset.split(text)
        if log.standing.position_number != position_number:
            return _played_before(log, seat, plies, position_number)
        if log.standing.outcome is not None:
            raise GameIsOver
        if log.ruleset.to_move(log.standing.position) != seat:
            raise NotYourTurn
        if log.game.deadline is not None and timing.is_over(log.game.deadline, log.now):
            raise TimeIsOver
        return log.answer(_play(log, seat, plies, via))

    payload = {"do": kinds.MOVE, "seat": seat, "text": text, "position_number": position_number}
    return submit(game=game, key=key, payload=payload, act=act)


def _play(log: OpenLog, seat: int, plies: tuple[str, ...], via: str) -> tuple[str, ...]:
    turn = log.standing.turn_number
    played: list[str] = []
    for ply in plies:
        if log.standing.turn_number != turn or log.standing.outcome is not None:
            raise IllegalMove(phrase("After %(moves)s your turn is over.", moves=log.ruleset.join(played)))
        move = log.ruleset.canonical(log.standing.position, ply)
        log.append(kinds.MOVE, seat=seat, text=move, via=via)
        played.append(move)
    return tuple(played)


def _played_before(log: OpenLog, seat: int, plies: tuple[str, ...], position_number: int) -> Answer:
    """Success if the log holds exactly these plies right after that position; else StalePosition."""
    rows = log.game.entries.filter(number__gt=position_number, kind=kinds.MOVE)[: len(plies)]
    held = [(row.seat, row.text) for row in rows]
    if not 0 < position_number < log.standing.position_number or len(held) < len(plies):
        raise StalePosition
    standing = projection.before(log.ruleset, log.game, position_number)
    position = standing.position
    try:
        for ply, one in zip(plies, held, strict=True):
            if one != (seat, log.ruleset.canonical(position, ply)):
                raise StalePosition
            position = log.ruleset.play(position, one[1])
    except MoveRefused:
        raise StalePosition from None
    return log.answer(tuple(text for _, text in held))


def resign(*, game: int, seat: int, via: str, key: str) -> Answer:
    """The seat gives up. Raises Gone, KeyReused, GameIsOver."""

    def act(log: OpenLog) -> Answer:
        if not plays_on(log.standing, seat):
            raise GameIsOver
        log.append(kinds.RESIGN, seat=seat, via=via)
        return log.answer()

    return submit(game=game, key=key, payload={"do": kinds.RESIGN, "seat": seat}, act=act)


def abort_game(*, game: int, seat: int, via: str = LogEntry.Via.WEB, key: str) -> Answer:
    """Calls the game off while some seat has not completed a turn. Raises Gone, KeyReused, GameIsOver, NotAllowed."""

    def act(log: OpenLog) -> Answer:
        if not plays_on(log.standing, seat):
            raise GameIsOver
        if not may_abort(log.standing):
            raise NotAllowed(phrase("Everybody has completed a turn: the game can no longer be called off, only resigned."))
        log.append(kinds.ABORT, seat=seat, via=via)
        return log.answer()

    return submit(game=game, key=key, payload={"do": kinds.ABORT, "seat": seat}, act=act)
