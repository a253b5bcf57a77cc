"""The one short place where a move, a double click, a stale letter and a deadline meet: a locked game and its log."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import Game, LogEntry, Proposal, Seat, Submission
from games.rules import entry as kinds
from games.rules import registry
from games.rules.entry import Entry
from games.rules.position import CHANCE
from games.rules.replay import BrokenLog, step
from games.services import chance, projection
from games.services.errors import Gone, KeyReused, StalePosition
from notifications import outbox
from notifications.nudges import nudge

SOURCE: Final = "games"
CLOSED: Final = {
    kinds.AGREE: Proposal.State.AGREED,
    kinds.REFUSE: Proposal.State.REFUSED,
    kinds.WITHDRAW: Proposal.State.WITHDRAWN,
}


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
    """The log of one game whose row is locked. Entries are appended in memory and written once, by `write`."""

    def __init__(self, game: Game, now: datetime) -> None:
        self.game = game
        self.now = now
        self.ruleset = registry.get(game.ruleset)
        self.standing = projection.cached(self.ruleset, game)
        self._before = self.standing
        self._rows: list[LogEntry] = []

    def append(self, kind: str, *, seat: int | None = None, text: str = "", via: str) -> None:
        """One more entry, and those that chance owes after it. Raises what the rules raise."""
        self._append(kind, seat, text, via)
        while self.standing.outcome is None and self.ruleset.to_move(self.standing.position) == CHANCE:
            if kind == kinds.JOIN and self.standing.number < self.game.seats:
                return
            fallen = chance.draw(self.ruleset.chance(self.standing.position))
            self._append(kinds.CHANCE_FELL, None, fallen, LogEntry.Via.HOUSE)

    def answer(self, moved: tuple[str, ...] = ()) -> Answer:
        """Where the game stands now."""
        over = self.standing.outcome is not None
        to_move = None if over else self.ruleset.to_move(self.standing.position)
        return Answer(self.standing.position_number, self.standing.number, moved, to_move, over)

    def write(self) -> None:
        """Inserts the entries, projects them, queues the letters that they owe."""
        if not self._rows:
            return
        LogEntry.objects.bulk_create(self._rows)
        project(self)
        self._owe_letters()

    def _append(self, kind: str, seat: int | None, text: str, via: str) -> None:
        entry = Entry(self.standing.number + 1, kind, seat, text, self.now)
        self.standing = step(self.ruleset, self.standing, entry)
        self._rows.append(LogEntry(game=self.game, number=entry.number, kind=kind, seat=seat, text=text, at=self.now, via=via))

    def changes_of_proposals(self) -> Iterator[tuple[Entry, int | None]]:
        """Proposals made (the entry, None) and closed (the entry that closed it, its number) since the log was opened."""
        closed = {one.number for one in self._before.proposals}
        still = {one.number for one in self.standing.proposals}
        for row in self._rows:
            entry = row.as_entry()
            if row.kind == kinds.PROPOSE:
                yield entry, None
                closed.add(row.number)
            elif row.kind in CLOSED and int(row.text) not in still:
                yield entry, int(row.text)
                closed.discard(int(row.text))
        for number in closed - still:
            yield Entry(number, "lapse"), number

    def _owe_letters(self) -> None:
        standing, game = self.standing, self.game
        if standing.outcome is not None:
            for seat in game.seat_set.all():
                key = f"over:{game.pk}:{standing.number}:{seat.player_id}"
                self._post(key, "over", seat.player_id, {"number": standing.number, "seat": seat.number})
        elif standing.turn_number != self._before.turn_number and game.to_move is not None:
            player = game.seat_set.values_list("player_id", flat=True).get(number=game.to_move)
            key = f"turn:{game.pk}:{standing.position_number}:{player}"
            self._post(key, "turn", player, {"position_number": standing.position_number, "seat": game.to_move})

    def _post(self, key: str, kind: str, recipient_id: int, about: Mapping[str, Any]) -> None:
        outbox.post(key=key, kind=kind, source=SOURCE, about={"game": self.game.pk, **about}, recipient_id=recipient_id)
        transaction.on_commit(lambda: nudge("notifications.deliver", key), robust=True)


def project(log: OpenLog) -> None:
    """Writes the projection of the log: the one function that touches these fields, seats' results and proposals."""
    game, standing = log.game, log.standing
    fields = projection.projected(log.ruleset, game, standing, log.now)
    for name, value in fields.items():
        setattr(game, name, value)
    Game.objects.filter(pk=game.pk).update(**fields)
    if standing.outcome is not None:
        for seat in range(game.seats):
            Seat.objects.filter(game=game, number=seat).update(**projection.halves(standing, seat))
    for entry, closes in log.changes_of_proposals():
        if closes is None:
            Proposal.objects.create(game=game, number=entry.number, kind=entry.text, seat=entry.seat or 0, made_at=log.now)
        else:
            state = CLOSED.get(entry.kind, Proposal.State.LAPSED)
            Proposal.objects.filter(game=game, number=closes).update(state=state, closed_at=log.now)


@contextmanager
def opened(game_id: int, now: datetime | None = None) -> Iterator[OpenLog]:
    """The log of a game under its row lock, written when the block ends well. Raises Gone; StalePosition when somebody else
    wrote the same entry number first (the lock makes it polite, the constraint makes it true)."""
    try:
        with transaction.atomic():
            game = Game.objects.select_for_update().filter(pk=game_id).first()
            if game is None:
                raise Gone
            log = OpenLog(game, now or timezone.now())
            yield log
            log.write()
    except IntegrityError as taken:
        raise StalePosition from taken


def submit(*, game: int, key: str, payload: Mapping[str, Any], act: Callable[[OpenLog], Answer]) -> Answer:
    """Does what a form asks, once: its key with the same payload gets the stored answer, with another one KeyReused."""
    digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
    with opened(game) as log:
        earlier = Submission.objects.filter(game=game, key=key).first()
        if earlier is not None:
            if earlier.digest != digest:
                raise KeyReused
            return replace(Answer(**{**earlier.answer, "moved": tuple(earlier.answer["moved"])}), same=True)
        answer = act(log)
        Submission.objects.create(game=log.game, key=key, digest=digest, answer=asdict(answer), at=log.now)
        return answer


def differences() -> Iterator[tuple[int, list[str]]]:
    """For every game its id and what its projection says otherwise than its log."""
    for game in Game.objects.prefetch_related("seat_set").order_by("pk").iterator(chunk_size=200):
        try:
            found = projection.disagreements(registry.get(game.ruleset), game, list(game.seat_set.all()))
        except (registry.UnknownRuleset, BrokenLog, ValueError) as broken:
            found = [f"the log cannot be replayed: {broken}"]
        yield game.pk, found
