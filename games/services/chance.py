"""Chance: the rules name outcomes and weights, a secret seed of the game makes one of them fall.

1. Before anything falls, `Luck.commit` takes a seed; its fingerprint goes into the log, the seed into a table of its own.
2. Each draw follows from the seed and from how often the seed has drawn: the log alone decides, so nothing falls twice.
3. With the end of the game the log reveals the seed, and the table forgets it.

A seed that is lost ends its game: nothing that falls could be checked, and a new seed would let whoever deletes the old one throw
again. The house annuls the game as soon as anybody acts or time runs out; a moderator may take that back, with a reason, and the
game goes on by a new seed, as after any end that was taken back.

A game has a second seed when its first one was revealed by an end that was taken back, and when the database was found older
than it had been: somebody may have seen what the first one makes fall next.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from secrets import randbelow, token_bytes
from typing import Final, TypeVar

from django.db import transaction

from games.models import Finding, Freeze, Game, Secret
from games.rules import entry as kinds
from games.rules.seed import BYTES, Seed
from games.services import drawn

alarm = logging.getLogger("games.alarm")
T = TypeVar("T")

SEEDLESS: Final = "seedless"


def fresh() -> Seed:
    """A seed that nobody knows."""
    return Seed(token_bytes(BYTES))


def draw(seed: Seed, game: int, number: int, outcomes: Sequence[tuple[str, int]]) -> str:
    """What the seed makes fall as its draw `number`. Raises ValueError when there is nothing."""
    return seed.draw(game, number, outcomes)


def lot(things: Sequence[T]) -> list[T]:
    """The things in an order that a lot decides which nobody can check: for a game in which nothing else is random."""
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        other = randbelow(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def secrets_of(game: Game) -> list[Seed]:
    """The seeds that the log has not revealed yet, in the order of their commitments."""
    return [Seed.from_text(text) for text in Secret.objects.filter(game=game).values_list("seed", flat=True)]


def check(now: datetime) -> int:
    """How many games that go on have lost a seed; alarms if there are any."""
    kept = Counter(Secret.objects.values_list("game", flat=True))
    running = Game.objects.running().filter(standing__committed__gt=0).order_by("pk").values_list("pk", "standing__committed")
    short = {game: committed for game, committed in running if kept[game] < committed}
    # A game may have begun between the two reads.
    kept = Counter(Secret.objects.filter(game__in=short).values_list("game", flat=True))
    lost = [game for game, committed in short.items() if kept[game] < committed]
    Finding.objects.update_or_create(name=SEEDLESS, defaults={"at": now, "count": len(lost)})
    if lost:
        alarm.error("%s games have lost a seed and end with the next turn: %s", len(lost), lost[:20])
    return len(lost)


class Luck:
    """The seeds of one game whose row is locked. What is new is written by `write`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._rows: list[Secret] | None = None
        self._new: list[Secret] = []
        self._revealed = 0
        self._drew = False
        self._sure = False

    def commit(self, number: int, at: datetime, seed: Seed | None = None) -> str:
        """Takes a seed, which entry `number` commits to: the fingerprint."""
        seed = seed or fresh()
        row = Secret(game=self.game, number=number, seed=seed.revealed(), at=at)
        self._kept().append(row)
        self._new.append(row)
        self._sure = self._drew = True
        return seed.fingerprint(self.game.pk)

    def draw(self, number: int, outcomes: Sequence[tuple[str, int]]) -> str:
        """What the last seed makes fall as its draw `number`."""
        self._drew = True
        return draw(Seed.from_text(self._kept()[-1].seed), self.game.pk, number, outcomes)

    def is_secret(self, draws: int) -> bool:
        """Whether nobody can know what falls after so many draws by the last seed: the database was not found older than it was
        since it was committed to, and has lost no draw by it."""
        if not self._sure:
            last = self._kept()[-1]
            lost = Freeze.objects.filter(at__gt=last.at).exists() or drawn.is_further(self.game.pk, last.number, draws)
            self._sure = not lost
        return self._sure

    def is_lost(self, committed: int) -> bool:
        """Whether of so many seeds that the log commits to one is not there any more."""
        return len(self._kept()) < committed

    def reveal(self, number: int, committed: Sequence[int]) -> str:
        """The seeds that the entries of these numbers commit to, for entry `number` of the log."""
        seeds = {row.number: row.seed for row in self._kept()}
        self._rows, self._new, self._revealed = [], [], number
        return " ".join(seeds.get(number, kinds.LOST) for number in committed)

    def write(self, draws: int) -> None:
        """Inserts seeds that are new, deletes those that are revealed; `draws` is how often the last one has drawn by now."""
        game, revealed = self.game.pk, self._revealed
        if revealed:
            Secret.objects.filter(game=self.game).delete()
            transaction.on_commit(lambda: drawn.tell_revealed(game, revealed), robust=True)
        elif self._drew:
            last = self._kept()[-1].number
            transaction.on_commit(lambda: drawn.tell(game, last, draws), robust=True)
        Secret.objects.bulk_create(self._new)
        self._new, self._revealed, self._drew = [], 0, False

    def _kept(self) -> list[Secret]:
        if self._rows is None:
            self._rows = list(Secret.objects.filter(game=self.game))
        return self._rows
