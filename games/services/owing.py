"""The letters that new entries of a log owe, queued in the transaction that writes the entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from games.letters import proposals, rulings, table
from games.models import Game, LogEntry, Seat
from games.rules import entry as kinds
from games.rules.standing import must_answer
from games.services.projection import AnyStanding
from notifications import outbox, statements
from notifications.nudges import nudge

AT_THE_PAGE: Final = timedelta(minutes=2)
"""A computer answers while whoever plays it still sits at the page: a letter about that waits until they are perhaps gone."""
RULING_LETTERS: Final = {
    (kinds.CLOCK, kinds.GIFT): rulings.EXTENDED,
    (kinds.CLOCK, kinds.PAUSE): rulings.PAUSED,
    (kinds.CLOCK, kinds.RESUME): rulings.RESUMED,
    (kinds.CLOCK, kinds.OUTAGE): rulings.OUTAGE,
    (kinds.ADJUDICATE, ""): rulings.ADJUDICATED,
    (kinds.CORRECT, ""): rulings.TAKEN_BACK,
}
"""The kinds of letters about rulings, by kind of the entry and first word of a clock's text."""


def owe(game: Game, before: AnyStanding, after: AnyStanding, rows: Sequence[LogEntry]) -> None:
    """One letter for each thing: a ruling tells the end or the turn that it brings, else an end is told to all, a new turn to
    the seat to move. A computer is nudged instead, unless it goes on by itself."""
    thought = any(row.via == LogEntry.Via.ENGINE for row in rows)
    if game.engine_asked_at is not None and not thought:
        transaction.on_commit(lambda: nudge("games.think", game.pk), robust=True)
    for row in rows:
        if row.kind == kinds.PROPOSE:
            _tell_offer(game, after, row)
        elif row.kind in (kinds.AGREE, kinds.REFUSE):
            _tell_answer(game, before, after, row)
    if after.outcome is None and any(row.kind in (kinds.PROPOSE, kinds.AGREE) for row in rows):
        for seat in after.left - before.left:
            _tell_removed(game, seat, _last_act(rows))
    ruled = _ruled(before, after, rows)
    for number, kind in ruled.items():
        _tell_all(game, kind, number, rulings.SOURCE)
    if after.outcome is not None:
        ended = _last_act(rows)
        if ended not in ruled:
            _tell_all(game, table.OVER, ended, table.SOURCE)
    elif after.turn_number != before.turn_number and after.turn_number not in ruled:
        tell_turn(game, later=AT_THE_PAGE if thought else None)


def tell_turn(game: Game, *, later: timedelta | None = None) -> None:
    """To the player who is to move, by the game's own row; so much `later`."""
    mover = statements.find(Seat, game=game.pk, number=game.to_move) if game.to_move is not None else None
    if mover is not None and mover.player_id is not None:
        about = {"position_number": game.turn_number, "seat": mover.number}
        _post(game, table.TURN, game.turn_number, mover.player_id, about, later=later)


def _ruled(before: AnyStanding, after: AnyStanding, rows: Sequence[LogEntry]) -> dict[int, str]:
    """The letters that tell a ruling, by the number of its entry. When the last one for whom the game was paused leaves it,
    the others hear that it goes on."""
    ruled: dict[int, str] = {}
    for row in rows:
        word = row.text.partition(" ")[0] if row.kind == kinds.CLOCK else ""
        if (row.kind, word) in RULING_LETTERS:
            ruled[row.number] = RULING_LETTERS[row.kind, word]
    if before.paused and not after.paused and after.outcome is None and not ruled:
        ruled[_last_act(rows)] = rulings.RESUMED
    return ruled


def _last_act(rows: Sequence[LogEntry]) -> int:
    """The number of the last entry that is somebody's own: what chance brought after it has no letter."""
    return next(row.number for row in reversed(rows) if row.kind not in (kinds.COMMIT, kinds.CHANCE_FELL, kinds.REVEAL))


def _tell_offer(game: Game, after: AnyStanding, row: LogEntry) -> None:
    """To every seat that must answer."""
    made = next((one for one in after.proposals if one.number == row.number), None)
    if made is None:
        return
    for seat, player in _players(game).filter(number__in=must_answer(after, made)).values_list("number", "player_id"):
        _post(game, proposals.PROPOSAL, row.number, player, {"number": row.number, "seat": seat}, proposals.SOURCE)


def _tell_answer(game: Game, before: AnyStanding, after: AnyStanding, row: LogEntry) -> None:
    """To whoever proposed, unless the end or his turn that it brings is told, or others have yet to agree."""
    asked = next(one for one in before.proposals if str(one.number) == row.text)
    waits = any(one.number == asked.number for one in after.proposals)
    his_turn = after.turn_number != before.turn_number and game.to_move == asked.seat
    if waits or his_turn or after.outcome is not None:
        return
    player = _players(game).filter(number=asked.seat).values_list("player_id", flat=True).first()
    if player is None:
        return
    about = {"number": row.number, "seat": asked.seat, "proposal": asked.number}
    _post(game, proposals.ANSWER, row.number, player, about, proposals.SOURCE)


def _tell_removed(game: Game, seat: int, number: int) -> None:
    """To whom the others agreed to go on without."""
    for player in _players(game).filter(number=seat).values_list("player_id", flat=True):
        _post(game, proposals.REMOVED, number, player, {"number": number, "seat": seat}, proposals.SOURCE)


def _tell_all(game: Game, kind: str, number: int, source: str) -> None:
    for seat, player in _players(game).values_list("number", "player_id"):
        _post(game, kind, number, player, {"number": number, "seat": seat}, source)


def _players(game: Game) -> QuerySet[Seat]:
    """The seats that letters go to: computers and guests get none."""
    return game.seat_set.filter(player__isnull=False)


def _post(
    game: Game,
    kind: str,
    number: int,
    player: int,
    about: Mapping[str, Any],
    source: str = table.SOURCE,
    later: timedelta | None = None,
) -> None:
    key = table.key_of(kind, game.pk, number, player)
    outbox.post(key=key, kind=kind, source=source, about={"game": game.pk, **about}, recipient_id=player, later=later)
    if later is None:
        transaction.on_commit(lambda: nudge("notifications.deliver", key), robust=True)
