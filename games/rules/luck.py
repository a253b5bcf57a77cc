"""Luck: whether what fell in a game is what its seeds made fall. `seed` says how they do that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from games.rules import entry as kinds
from games.rules.entry import Entry
from games.rules.ruleset import Ruleset
from games.rules.seed import Seed, covering

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Draw:
    """What fell by entry `entry`, the draw `number` by a seed: `outcomes` could have fallen, each with its weight.

    `ticket` is what the seed gives here, None while it is secret.
    """

    entry: int
    number: int
    outcomes: tuple[tuple[str, int], ...]
    fell: str
    ticket: int | None = None

    @property
    def due(self) -> str | None:
        """What the seed makes fall here; None while it is secret."""
        return covering(self.ticket, self.outcomes) if self.ticket is not None else None


@dataclass(frozen=True, slots=True)
class Source:
    """A seed that was committed to by entry `entry`, and what fell by it; `seed` is None while it is secret, and for ever if it
    is `lost`."""

    entry: int
    fingerprint: str
    seed: Seed | None
    draws: tuple[Draw, ...]
    lost: bool = False

    def fits(self, game: int) -> bool:
        """Whether the seed has the fingerprint that was shown."""
        return self.seed is None or self.seed.fingerprint(game) == self.fingerprint


@dataclass(slots=True)
class _Source:
    entry: int
    fingerprint: str
    draws: list[Draw]
    seed: Seed | None = None
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of a game of this number: its seeds in order, and the entries by which chance fell before the first of them."""

    game: int
    sources: tuple[Source, ...]
    before: tuple[int, ...]

    def lot_fits(self, joined: Sequence[str]) -> bool | None:
        """Whether those who `joined`, as the log has them by seat, are in the order that the lot of the first seed brings them
        into, sorted; None while it is secret, and for nobody."""
        seed, seated = self.sources[0].seed if self.sources else None, [kinds.order_of_lot(text) for text in joined]
        return seed.lot(self.game, sorted(seated)) == seated if seed is not None and seated else None

    def differences(self) -> Iterator[str]:
        """What is not as the seeds that are known make it, in English sentences."""
        for number in self.before:
            yield f"entry {number}: chance fell without a commitment"
        for source in self.sources:
            if source.lost:
                yield f"the seed of entry {source.entry} is lost: what fell by it cannot be checked"
            if not source.fits(self.game):
                yield f"the seed is not the one of entry {source.entry}: its fingerprint is another"
                continue
            for draw in source.draws:
                if draw.due not in (None, draw.fell):
                    yield f"entry {draw.entry}: the seed makes {draw.due} fall, not {draw.fell}"


def luck_of(ruleset: Ruleset[P, Any], game: int, course: Iterable[tuple[P, Entry]], secrets: Sequence[Seed] = ()) -> Luck:
    """The luck of a game from its entries, each with the position that it found. `secrets` are the seeds, in order, that the
    log does not reveal yet, where they are known. Raises ValueError for a reveal that holds no seeds."""
    found: list[_Source] = []
    before: list[int] = []
    for position, entry in course:
        if entry.kind == kinds.COMMIT:
            found.append(_Source(entry.number, entry.text, []))
        elif entry.kind == kinds.CHANCE_FELL and found:
            draws = found[-1].draws
            draws.append(Draw(entry.number, len(draws) + 1, tuple(ruleset.chance(position)), entry.text))
        elif entry.kind == kinds.CHANCE_FELL:
            before.append(entry.number)
        elif entry.kind == kinds.REVEAL:
            _assign(found, [Seed.from_text(text) if text != kinds.LOST else None for text in entry.text.split(" ")])
    _assign(found, secrets)
    return Luck(game, tuple(_known(game, one) for one in found), tuple(before))


def _assign(found: Iterable[_Source], seeds: Sequence[Seed | None]) -> None:
    """To those that have none yet, in order; None for one that is lost."""
    for source, seed in zip([one for one in found if one.seed is None and not one.lost], seeds, strict=False):
        source.seed, source.lost = seed, seed is None


def _known(game: int, one: _Source) -> Source:
    draws = [_drawn(game, one.seed, draw) for draw in one.draws] if one.seed is not None else one.draws
    return Source(one.entry, one.fingerprint, one.seed, tuple(draws), one.lost)


def _drawn(game: int, seed: Seed, draw: Draw) -> Draw:
    tickets = sum(weight for _, weight in draw.outcomes)
    return Draw(draw.entry, draw.number, draw.outcomes, draw.fell, seed.ticket(game, "draw", draw.number, tickets))
