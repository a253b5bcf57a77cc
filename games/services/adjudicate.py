"""Rulings: what somebody outside the game decides about it, with a reason that enters log, letters and audit."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from accounts.models import Player
from accounts.services import audit
from games import timing
from games.models import Game, LogEntry, Seat
from games.rules import entry as kinds
from games.rules.phrase import phrase
from games.rules.replay import BrokenLog
from games.rules.standing import plays_on
from games.services import waiting
from games.services.errors import BadTerms, GameIsOver, NotAllowed, StalePosition, TimeIsOver
from games.services.log import Answer, OpenLog, opened, submit
from notifications.message import one_line

alarm = logging.getLogger("games.alarm")

MAY_RULE: Final = "games.rule_games"
LONGEST_REASON: Final = 1000
VIA: Final = LogEntry.Via.MODERATOR

_GONE_ON: Final = phrase("The game has gone on since you looked at it: look again before you rule.")


def extend_deadline(*, game: int, by: Player, seconds: int, reason: str, head: int, key: str) -> Answer:
    """The seat to move gets so many seconds more. `head` is the number of the last entry that `by` saw, `key` of a form.

    Raises Gone, KeyReused, NotAllowed (S14, or a computer is to move), BadTerms (no reason, an impossible span), StalePosition,
    GameIsOver, TimeIsOver.
    """

    def act(log: OpenLog) -> None:
        _require_running(log, head)
        if log.to_move in log.standing.engines:
            raise NotAllowed(phrase("A computer is to move: no time runs for it."))
        log.append(kinds.CLOCK, text=f"{kinds.GIFT} {seconds}", via=VIA, reason=audit.give_reason(told))

    told = _reason(reason)
    if not 0 < seconds <= timing.LONGEST / timedelta(seconds=1):
        raise BadTerms(phrase("Give at least a second and at most 30 days."))
    return _rule("extend_deadline", game, by, act, told, detail=f"{seconds} s", head=head, key=key)


def adjudicate(*, game: int, by: Player, verdict: str, reason: str, head: int, key: str) -> Answer:
    """Ends a running game: `win:SEAT` (from 0), `draw`, or `annul`, after which it counts for nobody. A paused game, too.

    Raises as `extend_deadline`; BadTerms for another verdict.
    """

    def act(log: OpenLog) -> None:
        _require_running(log, head)
        try:
            log.append(kinds.ADJUDICATE, text=verdict.replace(":", " "), via=VIA, reason=audit.give_reason(told))
        except BrokenLog as impossible:
            raise BadTerms(phrase("Nobody can rule so in this game.")) from impossible

    told = _reason(reason)
    return _rule("adjudicate", game, by, act, told, detail=verdict, head=head, key=key)


def take_back(*, game: int, by: Player, number: int, reason: str, key: str) -> Answer:
    """Takes back the end that entry `number` made, a time forfeit or an adjudication: the game goes on from the same position
    with a whole reflection time, paused if one of its players is suspended. Again: a success that changes nothing.

    Raises as `extend_deadline`; NotAllowed for any other end, and when somebody who would have to play on is gone.
    """

    def act(log: OpenLog) -> None:
        if log.holds(kinds.CORRECT, seat=None, text=str(number)):
            return
        if log.standing.outcome is None or log.standing.number != number:
            raise StalePosition(_GONE_ON)
        if not log.standing.reversible:
            raise NotAllowed(phrase("Only a time forfeit or an adjudication can be taken back."))
        log.append(kinds.CORRECT, text=str(number), via=VIA, reason=audit.give_reason(told))
        for seat, player in _locked_players(log):
            if player.leaving_at is not None or player.erased_at is not None:
                raise NotAllowed(phrase("A player of this game has left for good: its end stays."))
            if player.is_suspended:
                _pause(log, seat)

    told = _reason(reason)
    return _rule("take_back", game, by, act, told, detail=str(number), number=number, key=key)


def _rule(
    act_name: str,
    game: int,
    by: Player,
    act: Callable[[OpenLog], None],
    reason: str,
    *,
    detail: str,
    key: str,
    **told: int,
) -> Answer:
    """One ruling in one transaction: entry, letters, audit."""
    if not by.has_perm(MAY_RULE):
        raise NotAllowed

    def ruled(log: OpenLog) -> Answer:
        if Seat.objects.filter(game=game, player=by).exists():
            raise NotAllowed(phrase("You play in this game: somebody else has to rule on it."))
        before = log.standing.number
        act(log)
        if log.standing.number == before:
            return log.answer(same=True)
        row = next(row for row in log.appended if row.reason is not None)
        audit.record(actor=by, act=act_name, subject="game", subject_id=game, detail=detail, reason=row.reason)
        return log.answer()

    payload = {"do": act_name, "by": by.pk, "detail": detail, "reason": reason, **told}
    return submit(game=game, key=key, payload=payload, act=ruled)


def _reason(text: str) -> str:
    """The reason as one line, fit for letters, log and record."""
    told = one_line(text)
    if not told:
        raise BadTerms(phrase("Give a reason: the players read it."))
    if len(told) > LONGEST_REASON:
        raise BadTerms(phrase("A reason has at most %(most)s letters.", most=LONGEST_REASON))
    return told


def _require_running(log: OpenLog, head: int) -> None:
    if log.standing.number != head:
        raise StalePosition(_GONE_ON)
    if log.standing.outcome is not None:
        raise GameIsOver
    if log.time_is_over:
        raise TimeIsOver


def pause_games(*, player: Player) -> int:
    """Nobody's time runs and nobody moves in the running games of a player who may not play; how many were paused just now.

    A transaction for each game, safe to repeat. Time that was over before stays over: such a game is first timed out.
    """

    def pause(log: OpenLog, seat: int) -> None:
        _run_out(log)
        if plays_on(log.standing, seat) and seat not in log.standing.paused:
            _pause(log, seat)

    return _in_every_game(player, pause)


def resume_games(*, player: Player) -> int:
    """The games that were paused for the player go on, each with the time that was left; how many. Safe to repeat."""

    def resume(log: OpenLog, seat: int) -> None:
        if log.standing.outcome is None and seat in log.standing.paused:
            log.append(kinds.CLOCK, seat=seat, text=kinds.RESUME, via=VIA)

    return _in_every_game(player, resume)


def _locked_players(log: OpenLog) -> list[tuple[int, Player]]:
    """Who plays on, by seat, as they are now: nobody suspends them or lets them leave until the transaction ends."""
    seats = dict(Seat.objects.filter(game=log.game, player__isnull=False).values_list("number", "player_id"))
    players = waiting.locked_players(seats.values())
    return [(seat, players[player]) for seat, player in sorted(seats.items()) if plays_on(log.standing, seat)]


def _pause(log: OpenLog, seat: int) -> None:
    log.append(kinds.CLOCK, seat=seat, text=kinds.PAUSE, via=VIA)


def _run_out(log: OpenLog) -> None:
    """What the sweep was about to do. Where a time-out only passes the turn, the next one has its whole time."""
    if log.time_is_over:
        log.append(kinds.TIMEOUT, seat=log.to_move, via=LogEntry.Via.DEADLINE)


def _in_every_game(player: Player, act: Callable[[OpenLog, int], None]) -> int:
    return sum(_in_game(game, seat, act) for game, seat in _running(player))


def _running(player: Player) -> list[tuple[int, int]]:
    return list(Seat.objects.filter(player=player, game__in=Game.objects.running()).values_list("game", "number"))


def _in_game(game: int, seat: int, act: Callable[[OpenLog, int], None]) -> bool:
    """Whether the game changed. One that cannot be read keeps no other from its pause."""
    try:
        with opened(game) as log:
            act(log, seat)
            return bool(log.appended)
    except Exception:  # noqa: BLE001 - it is logged, and the other games go on
        alarm.exception("game %s could neither be paused nor go on", game)
        return False
