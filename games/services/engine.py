"""What computers do in games: they move and answer like everybody else, by the services of moves and of proposals.

1. Whoever makes a computer's turn nudges a worker, after the commit (`owing`).
2. The worker notes its thought, which only one does at a time, thinks outside every lock, and plays.
3. A worker that is killed leaves its thought behind; the sweep asks again. Whoever was killed twice there plays any legal move.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from random import Random
from typing import Final

from django.db.models import F, Q
from django.utils.crypto import salted_hmac

from games.engines.budget import Budget
from games.engines.choice import analyse, choose
from games.engines.finding import EVEN
from games.engines.levels import LEVELS
from games.engines.tables import Tables
from games.models import Game, LogEntry, Seat, Thought
from games.rules import entry as kinds
from games.rules import registry
from games.rules.position import MoveRefused
from games.rules.ruleset import AnyRuleset
from games.rules.standing import OpenProposal, engines_asked, must_answer, removed_by
from games.services import moves, projection, proposals
from games.services.errors import Refused
from games.services.projection import AnyStanding
from notifications.nudges import nudge_all

alarm = logging.getLogger("games.alarm")

VIA: Final = str(LogEntry.Via.ENGINE)
TASK: Final = "games.think"
GRACE: Final = timedelta(seconds=1)
"""So long after its turn began a computer is not asked a second time."""
PATIENCE: Final = timedelta(seconds=30)
"""So long a worker that was asked may take."""
BATCH: Final = 100
IN_HAND: Final = timedelta(seconds=3)
"""So long computers of a game act before others have their turn at the worker: at a table there may be nineteen."""
MOST_TRIES: Final = 2
"""After so many thoughts of one move that ended a worker any legal move is played."""
FURTHEST: Final = 10_000_000
"""So many positions the strongest level looks at, unless its time is over before."""
AT_A_GLANCE: Final = 2_000
"""So many before an answer to a proposal,"""
WORLDS: Final = 8
"""in so many worlds where things are hidden."""
A_DRAW_IS_WELCOME: Final = 50
"""A computer agrees to an end that brings it so much less than it expects, per mille."""


def act(*, game: int, now: Callable[[], datetime], expired: Callable[[], Callable[[], bool]]) -> int:
    """Does what computers have to do in a game, until somebody else must decide, or others have their turn; how many moves and
    answers. Safe to repeat.

    `expired` is asked before each thought for what tells that the time for it is over.
    """
    acted, until = 0, now() + IN_HAND
    while True:
        row = Game.objects.filter(pk=game).exclude(engine_asked_at=None).first()
        tries = _begun(row.pk, row.head, now()) if row is not None else None
        if row is None or tries is None:
            return acted
        try:
            if not _acted(row, tries, expired()):
                _let_go(row.pk, row.head, tries)
                return acted
        except BaseException:
            _let_go(row.pk, row.head, tries + 1)
            raise
        acted += 1
        if now() >= until:
            nudge_all(TASK, [game])
            return acted


def tables() -> Tables:
    """The endgame tables that there are. What reads them takes a hundred megabytes: only who thinks has it."""
    from games.selectors.tables import opened

    return opened()


def warm_up() -> None:
    """Has a move of every game chosen, so that what is compiled at its first use is ready when somebody waits for it."""
    for ruleset in map(registry.get, registry.names()):
        view = ruleset.view(ruleset.start({}, ruleset.facts.seats[0]), 0)
        with suppress(ValueError):  # chance begins
            choose(ruleset, view, level=len(LEVELS), budget=Budget(AT_A_GLANCE), seed=0, tables=tables())


def ask_again(now: datetime) -> int:
    """Asks the workers for what computers owe and nobody thinks about; in how many games. One indexed read if there is none."""
    asked = Game.objects.filter(engine_asked_at__lte=now - GRACE)
    asked = asked.exclude(thought__head=F("head"), thought__at__gt=now - PATIENCE).order_by("engine_asked_at")
    found = list(asked.values_list("pk", "head")[:BATCH])
    for pk, head in found:
        _note(pk, head, now)
    nudge_all(TASK, [pk for pk, _head in found], lasts=PATIENCE)
    return len(found)


def _begun(game: int, head: int, now: datetime) -> int | None:
    """Notes that the thinking begins; how often it began at this entry before. None while another worker is at it: a second one
    would take it for killed, and think less of the move."""
    thoughts = Thought.objects.filter(game=game)
    Thought.objects.get_or_create(game_id=game, defaults={"head": head, "at": now})
    thoughts.filter(head__lt=head).update(head=head, at=now, tries=0, begun_at=None)
    free = Q(begun_at=None) | Q(begun_at__lte=now - PATIENCE)
    if not thoughts.filter(free, head=head).update(at=now, begun_at=now, tries=F("tries") + 1):
        return None
    return thoughts.values_list("tries", flat=True).get() - 1


def _let_go(game: int, head: int, tries: int) -> None:
    """Notes that nobody thinks there any more. What was refused is no thought that ended a worker."""
    Thought.objects.filter(game=game, head=head).update(begun_at=None, tries=tries)


def _note(game: int, head: int, now: datetime) -> None:
    """Notes that a worker is asked; one that was, and did not come to an end, is not waited for."""
    thought, new = Thought.objects.get_or_create(game_id=game, defaults={"head": head, "at": now})
    if not new:
        tries = F("tries") if thought.head == head else 0
        Thought.objects.filter(pk=game, at=thought.at).update(head=head, at=now, tries=tries, begun_at=None)


def _acted(row: Game, tries: int, expired: Callable[[], bool]) -> bool:
    """One move or answer; False when nothing was to be done, or somebody else was quicker."""
    ruleset = registry.get(row.ruleset)
    standing = projection.course_of(ruleset, row).standing
    asked = engines_asked(ruleset, standing)
    levels = dict(Seat.objects.filter(game=row, number__in=asked).values_list("number", "engine"))
    if not asked or None in levels.values():
        return False
    seat, proposal = _next(standing, asked)
    ends = ruleset.proposals(standing.position) if _are_alone(standing) and proposal is None else ()
    # Whoever died while thinking of this once thinks less of it now.
    number = LEVELS[0].number if tries else levels[seat] or 1
    try:
        if ends:
            proposals.propose(game=row.pk, seat=seat, kind=ends[-1], via=VIA, key=_key(row, seat, "propose", row.head))
        elif proposal is not None:
            agrees = _agrees(ruleset, row, standing, seat, proposal, tries, expired)
            answer = proposals.agree if agrees else proposals.refuse
            answer(game=row.pk, seat=seat, number=proposal.number, via=VIA, key=_key(row, seat, "answer", proposal.number))
        else:
            text = _move(ruleset, row, standing, seat, number, tries, expired)
            key = _key(row, seat, "move", row.position_number)
            moves.play_move(game=row.pk, seat=seat, text=text, position_number=row.position_number, via=VIA, key=key)
    except (Refused, MoveRefused):
        return False
    return True


def _are_alone(standing: AnyStanding) -> bool:
    """Whether everybody else has left: computers do not play on among themselves."""
    return frozenset(range(standing.seats)) - standing.left <= standing.engines


def _next(standing: AnyStanding, asked: frozenset[int]) -> tuple[int, OpenProposal | None]:
    """The seat that acts first, with the proposal that it answers: who agrees to a takeback must not have moved."""
    for one in standing.proposals:
        for seat in sorted(asked & must_answer(standing, one)):
            return seat, one
    return min(asked), None


def _move(
    ruleset: AnyRuleset, row: Game, standing: AnyStanding, seat: int, number: int, tries: int, expired: Callable[[], bool]
) -> str:
    """One ply of the seat's turn. Whatever goes wrong in thought, some legal move is played."""
    seed = _seed(row)
    if tries < MOST_TRIES:
        try:
            view = ruleset.view(standing.position, seat)
            budget = Budget(FURTHEST, expired) if number == len(LEVELS) else None
            return choose(ruleset, view, level=number, budget=budget, seed=seed, tables=tables())
        except Exception:  # noqa: BLE001 - it is logged, and the game goes on
            alarm.exception("a computer could not think in game %s", row.pk)
    return Random(seed).choice(list(islice(ruleset.legal_moves(standing.position), BATCH)))  # noqa: S311 - no secret


def _seed(row: Game) -> int:
    """What a computer's errors follow from: the same for the same position of a game, and nothing that others can know."""
    return int(salted_hmac("games.engine", f"{row.pk}:{row.position_number}").hexdigest()[:12], 16)


def _key(row: Game, seat: int, act: str, number: int) -> str:
    """The key of what a computer does: the same for a task that comes twice, and nothing that a player could send before."""
    return f"{VIA}:{salted_hmac('games.engine.key', f'{row.pk}:{seat}:{act}:{number}').hexdigest()}"


def _agrees(
    ruleset: AnyRuleset,
    row: Game,
    standing: AnyStanding,
    seat: int,
    asked: OpenProposal,
    tries: int,
    expired: Callable[[], bool],
) -> bool:
    """Whether a computer agrees: to a takeback, to going on without somebody, and at a table to whatever all others wish; of
    two, to an end that brings it about what it may expect. Whatever goes wrong in thought, there is an answer: no."""
    if asked.kind == kinds.TAKEBACK or removed_by(asked.kind) is not None or standing.seats > 2:
        return True
    brings = ruleset.settle(standing.position, asked.kind).points
    if not brings:
        return True
    if tries >= MOST_TRIES:
        return False
    try:
        hoped = _hoped(ruleset, row, standing, seat, expired)
    except Exception:  # noqa: BLE001 - it is logged, and whoever asked is answered
        alarm.exception("a computer could not think of a proposal in game %s", row.pk)
        return False
    return brings[seat] * 1000 >= hoped - A_DRAW_IS_WELCOME


def _hoped(ruleset: AnyRuleset, row: Game, standing: AnyStanding, seat: int, expired: Callable[[], bool]) -> float:
    """What a seat may expect by what it may know, per mille."""
    view, luck = ruleset.view(standing.position, seat), Random(_seed(row))  # noqa: S311 - no secret
    worlds = [ruleset.imagine(view, luck) for _ in range(WORLDS if ruleset.facts.hidden else 1)]
    budget = Budget(AT_A_GLANCE // len(worlds), expired)
    found = [analyse(ruleset, world, budget=budget, tables=tables()).shares for world in worlds]
    return sum(shares[seat] if shares else EVEN for shares in found) / len(found)
