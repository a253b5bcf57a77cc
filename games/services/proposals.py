"""Proposals: agreements that one seat offers and the others answer."""

from __future__ import annotations

from typing import Final

from games.rules import entry as kinds
from games.rules.phrase import phrase
from games.rules.standing import is_open_to, is_way_out, may_propose, must_answer, proposed_before
from games.services import rights
from games.services.errors import NotAllowed, ProposalClosed, ProposedOften
from games.services.log import Answer, OpenLog, submit

OFTEN: Final = 3
"""So often a seat makes the same proposal in one turn: each is mailed, and stays in the log for ever."""


def propose(*, game: int, seat: int, kind: str, via: str, key: str) -> Answer:
    """Offers an agreement; when the other's same offer waits already, agrees to it (C6). One's own that waits is not repeated.
    Raises Gone, KeyReused, NotAllowed, ProposedOften, GameIsOver, GamePaused, TimeIsOver."""

    def act(log: OpenLog) -> Answer:
        log.require_running(seat, in_pause=is_way_out(log.standing, kind))
        if kind == kinds.TAKEBACK:
            log.recall()
        if not may_propose(log.ruleset, log.standing, seat, kind):
            raise NotAllowed(phrase("This cannot be proposed here."))
        asked = proposed_before(log.standing, seat, kind)
        if asked is not None and asked.seat == seat:
            return log.answer(same=True)
        if asked is not None:
            log.append(kinds.AGREE, seat=seat, text=str(asked.number), via=via)
        elif _made_lately(log, seat, kind) >= OFTEN:
            raise ProposedOften
        else:
            log.append(kinds.PROPOSE, seat=seat, text=kind, via=via)
        return log.answer()

    return submit(game=game, key=key, payload={"do": kinds.PROPOSE, "seat": seat, "kind": kind}, act=act)


def _made_lately(log: OpenLog, seat: int, kind: str) -> int:
    made = log.game.entries.filter(kind=kinds.PROPOSE, seat=seat, text=kind)
    return made.filter(number__gt=log.standing.turn_number).count()


def agree(*, game: int, seat: int, number: int, via: str, key: str, right: int | None = None) -> Answer:
    """Agrees to the proposal that entry `number` made; again: a success that changes nothing. `right` is the row of the right
    that the caller acts by.

    Raises Gone, KeyReused, NotAllowed, GameIsOver, GamePaused, TimeIsOver, ProposalClosed.
    """
    return _answer(kinds.AGREE, game=game, seat=seat, number=number, via=via, key=key, right=right)


def refuse(*, game: int, seat: int, number: int, via: str, key: str, right: int | None = None) -> Answer:
    """Refuses it. Raises as `agree`."""
    return _answer(kinds.REFUSE, game=game, seat=seat, number=number, via=via, key=key, right=right)


def withdraw(*, game: int, seat: int, number: int, via: str, key: str) -> Answer:
    """Takes back one's own proposal. Raises as `agree`."""
    return _answer(kinds.WITHDRAW, game=game, seat=seat, number=number, via=via, key=key)


def _answer(kind: str, *, game: int, seat: int, number: int, via: str, key: str, right: int | None = None) -> Answer:
    def act(log: OpenLog) -> Answer:
        rights.require_answer(log, seat, number, right)
        if log.holds(kind, seat=seat, text=str(number)):
            return log.answer(same=True)
        asked = next((one for one in log.standing.proposals if one.number == number), None)
        log.require_running(seat, in_pause=asked is not None and is_open_to(log.standing, asked.kind, seat))
        if asked is None:
            raise ProposalClosed
        allowed = asked.seat == seat if kind == kinds.WITHDRAW else seat in must_answer(log.standing, asked)
        if not allowed:
            raise NotAllowed
        if asked.kind == kinds.TAKEBACK:
            log.recall()
        log.append(kind, seat=seat, text=str(number), via=via)
        return log.answer()

    return submit(game=game, key=key, payload={"do": kind, "seat": seat, "number": number}, act=act)
