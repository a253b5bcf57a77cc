"""The one short place where a move, a double click, a stale letter and a deadline meet: a locked game and its log."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from accounts.models import Reason
from games import timing
from games.models import Game, LogEntry, Proposal, Seat, Submission
from games.rules import entry as kinds
from games.rules import registry
from games.rules.entry import Entry
from games.rules.position import CHANCE
from games.rules.seed import Seed
from games.rules.standing import plays_on
from games.services import chance, owing, projection, pulse
from games.services.errors import GameIsOver, GamePaused, Gone, KeyReused, NotAllowed, StalePosition, TimeIsOver
from games.services.projection import AnyStanding, Course
from notifications import statements

alarm = logging.getLogger("games.alarm")


class Overtaken(StalePosition):
    """The log holds an entry of this number already."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a submission did: the plies it `moved`, and where the game stands. `same` marks a submission made before."""

    position_number: int
    head: int
    moved: tuple[str, ...] = ()
    to_move: int | None = None
    over: bool = False
    same: bool = False


class OpenLog:
    """The log of one game whose row is locked. Entries are appended in memory and written once, by `write`.

    `arrived` is when what somebody does came in, which counts against a deadline; it is `now` unless it had to be prepared.
    """

    def __init__(self, game: Game, course: Course, now: datetime) -> None:
        self.game = game
        self.now = now
        self.arrived = now
        self.ruleset = registry.get(game.ruleset)
        self.course = course
        self.luck = chance.Luck(game)
        self._before = course.standing
        self._rows: list[LogEntry] = []

    @property
    def standing(self) -> AnyStanding:
        """Where the game stands after the entries so far."""
        return self.course.standing

    @property
    def to_move(self) -> int | None:
        """The seat that decides; None when the game is over."""
        return None if self.standing.outcome is not None else self.ruleset.to_move(self.standing.position)

    @property
    def appended(self) -> tuple[LogEntry, ...]:
        """The entries that are not written yet."""
        return tuple(self._rows)

    @property
    def time_is_over(self) -> bool:
        """Whether the seat to move has no time left."""
        deadline = projection.deadline_of(self.ruleset, self.game, self.standing)
        return deadline is not None and timing.is_over(deadline, self.arrived)

    def require_running(self, seat: int, *, in_pause: bool = False) -> None:
        """Raises NotAllowed for a seat that does not exist or has left, GameIsOver, GamePaused unless the act is possible
        `in_pause`, or TimeIsOver for whatever comes between the deadline and the sweep: what comes first in time is first in
        the log."""
        if self.standing.outcome is not None:
            raise GameIsOver
        if not 0 <= seat < self.game.seats or not plays_on(self.standing, seat):
            raise NotAllowed
        if self.standing.paused and not in_pause:
            raise GamePaused
        if self.time_is_over:
            raise TimeIsOver

    def recall(self) -> None:
        """Reads what the kept standing leaves out, from the whole log: the turns that may be taken back."""
        if self.standing.turns is None:
            self.course = Course(projection.read(self.ruleset, self.game, projection.entries_of(self.game)).standing)

    def append(self, kind: str, *, seat: int | None = None, text: str = "", via: str, reason: Reason | None = None) -> None:
        """One more entry, and those that chance owes after it. Raises what the rules raise."""
        self._append(kind, seat, text, via, reason)
        if kind != kinds.JOIN:
            self._let_chance_fall()

    def commit(self, seed: Seed | None = None) -> None:
        """Commits to a seed, a fresh one if none is given, for all that falls from now on."""
        fingerprint = self.luck.commit(self.standing.number + 1, self.now, seed)
        self._append(kinds.COMMIT, None, fingerprint, LogEntry.Via.HOUSE)

    def holds(self, kind: str, *, seat: int | None, text: str = "") -> bool:
        """Whether the log has this very entry already."""
        return self.game.entries.filter(kind=kind, seat=seat, text=text).exists()

    def answer(self, moved: tuple[str, ...] = (), *, same: bool = False) -> Answer:
        """Where the game stands now."""
        standing, over = self.standing, self.standing.outcome is not None
        return Answer(standing.position_number, standing.number, moved, self.to_move, over, same)

    def write(self) -> None:
        """Inserts the entries, projects them, queues the letters that they owe. Raises Overtaken."""
        if not self._rows:
            return
        self._let_chance_fall()
        try:
            statements.insert(*self._rows)
            self.luck.write(self.standing.draws)
        except IntegrityError as taken:
            raise Overtaken from taken
        project(self.game, self.course)
        owing.owe(self.game, self._before, self.standing, self._rows)
        self._rows = []

    def _append(self, kind: str, seat: int | None, text: str, via: str, reason: Reason | None = None) -> None:
        entry = Entry(self.standing.number + 1, kind, seat, text, self.now)
        self.course.take(self.ruleset, entry)
        row = LogEntry(game=self.game, number=entry.number, kind=kind, seat=seat, text=text, at=self.now, via=via, reason=reason)
        self._rows.append(row)

    def _let_chance_fall(self) -> None:
        """What chance owes now: a seed that nobody knows, what the rules let fall, and at the end of the game the seed."""
        if self.ruleset.facts.chance and self.standing.outcome is None:
            self._make_sure_of_the_seed()
        while self.standing.outcome is None and self.ruleset.to_move(self.standing.position) == CHANCE:
            fallen = self.luck.draw(self.standing.draws + 1, self.ruleset.chance(self.standing.position))
            self._append(kinds.CHANCE_FELL, None, fallen, LogEntry.Via.HOUSE)
        if self.standing.outcome is not None and self.standing.committed:
            seeds = self.luck.reveal(self.standing.number + 1, self._commitments())
            self._append(kinds.REVEAL, None, seeds, LogEntry.Via.HOUSE)

    def _make_sure_of_the_seed(self) -> None:
        """There is a seed that nobody knows; if one is lost, the game is over."""
        if self.luck.is_lost(self.standing.committed):
            alarm.error("game %s is annulled: a seed that it committed to is lost", self.game.pk)
            self._append(kinds.ADJUDICATE, None, kinds.ANNUL_LOST, LogEntry.Via.HOUSE)
        elif not self.standing.committed or not self.luck.is_secret(self.standing.draws):
            self.commit()

    def _commitments(self) -> list[int]:
        """The numbers of the entries that commit to the seeds that are not revealed yet."""
        written = self.game.entries.filter(kind=kinds.COMMIT).order_by("number").values_list("number", flat=True)
        numbers = [*written, *(row.number for row in self._rows if row.kind == kinds.COMMIT)]
        return numbers[-self.standing.committed :]


def project(game: Game, course: Course) -> None:
    """Writes the projection of a log: the one function that touches these fields, the seats' results, and proposals."""
    ruleset = registry.get(game.ruleset)
    had_ended = game.ended_at is not None
    statements.update(game, projection.fields_of(ruleset, game, course))
    if had_ended or course.standing.outcome is not None:
        for seat in range(game.seats):
            Seat.objects.filter(game=game, number=seat).update(**projection.halves(course.standing, seat))
    if course.proposals:
        Proposal.objects.bulk_create(
            [Proposal(game=game, number=number, **asdict(told)) for number, told in sorted(course.proposals.items())],
            update_conflicts=True,
            unique_fields=["game", "number"],
            update_fields=["state", "closed_at"],
        )


@contextmanager
def opened(game_id: int, now: datetime | None = None) -> Iterator[OpenLog]:
    """The log of a game under its row lock, written when the block ends well. Raises Gone.

    The lock makes it polite, the constraint makes it true: whoever finds his entry number taken is Overtaken.
    """
    head = 0
    try:
        with transaction.atomic(durable=True):
            game = statements.find(Game, lock=True, id=game_id)
            if game is None:
                raise Gone
            head = game.head
            course = projection.course_of(registry.get(game.ruleset), game)
            log = OpenLog(game, course, now or pulse.clock())
            yield log
            log.write()
    except Overtaken:
        # A row that lags behind its log (restored, edited by hand) would be overtaken for ever: the next one reads the log.
        Game.objects.filter(pk=game_id, head=head).update(standing={})
        raise


def submit(
    *,
    game: int,
    key: str,
    payload: Mapping[str, Any],
    act: Callable[[OpenLog], Answer],
    stands: Callable[[OpenLog], object] = lambda _log: None,
) -> Answer:
    """Does what a form asks, once: its key with the same payload gets the stored answer, with another one KeyReused.

    `stands` raises what is to be told in the place of an answer that no longer holds.
    """
    digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
    with opened(game) as log:
        earlier = statements.find(Submission, game=game, key=key)
        if earlier is not None:
            if earlier.digest != digest:
                raise KeyReused
            stands(log)
            return replace(Answer(**{**earlier.answer, "moved": tuple(earlier.answer["moved"])}), same=True)
        answer = act(log)
        log.write()
        statements.insert(Submission(game=log.game, key=key, digest=digest, answer=asdict(answer), at=log.now))
        return answer
