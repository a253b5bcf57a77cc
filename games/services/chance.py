"""Chance: the rules name outcomes and weights, a secret seed of the game makes one of them fall.

1. Before anything falls, `Luck.commit` takes a seed; its fingerprint goes into the log, the seed into a table of its own.
2. Each draw follows from the seed and from how often the seed has drawn: the log alone decides, so nothing falls twice.
3. With the end of the game the log reveals the seed, and the table forgets it.

A game has a second seed when its first one was revealed by an end that was taken back, and when the service was put back from a
backup: somebody may have seen what the first one makes fall next.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from secrets import randbelow, token_bytes
from typing import TypeVar

from games.models import Freeze, Game, Secret
from games.rules.seed import BYTES, Seed

T = TypeVar("T")


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


class Luck:
    """The seeds of one game whose row is locked. What is new is written by `write`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._rows: list[Secret] | None = None
        self._new: list[Secret] = []
        self._revealed = False
        self._sure = False

    def commit(self, number: int, at: datetime, seed: Seed | None = None) -> str:
        """Takes a seed, which entry `number` commits to: the fingerprint."""
        seed = seed or fresh()
        row = Secret(game=self.game, number=number, seed=seed.revealed(), at=at)
        self._kept().append(row)
        self._new.append(row)
        self._sure = True
        return seed.fingerprint(self.game.pk)

    def draw(self, number: int, outcomes: Sequence[tuple[str, int]]) -> str:
        """What the last seed makes fall as its draw `number`."""
        return draw(Seed.from_text(self._kept()[-1].seed), self.game.pk, number, outcomes)

    def is_secret(self) -> bool:
        """Whether nobody can know what falls next: the service was not put back from a backup since the last commitment."""
        if not self._sure:
            self._sure = not Freeze.objects.filter(at__gt=self._kept()[-1].at).exists()
        return self._sure

    def reveal(self) -> str:
        """The seeds, for the log."""
        texts = [row.seed for row in self._kept()]
        self._rows, self._new, self._revealed = [], [], True
        return " ".join(texts)

    def write(self) -> None:
        """Inserts seeds that are new, deletes those that are revealed."""
        if self._revealed:
            Secret.objects.filter(game=self.game).delete()
        Secret.objects.bulk_create(self._new)
        self._new, self._revealed = [], False

    def _kept(self) -> list[Secret]:
        """Raises LookupError when a seed is lost: somebody deleted it."""
        if self._rows is None:
            self._rows = list(Secret.objects.filter(game=self.game))
        return self._rows
