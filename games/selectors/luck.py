"""The luck of a game: what its seeds made fall, as a page tells and checks it."""

from __future__ import annotations

from dataclasses import dataclass

from games.models import Game, LogEntry
from games.rules import entry as kinds
from games.rules import registry
from games.rules.luck import Draw, Source, luck_of
from games.rules.replay import course
from games.selectors.table import GamePage


@dataclass(frozen=True, slots=True)
class DrawLine:
    """A draw: its number by its seed, what could have fallen and how often of how many tickets, the ticket, and what fell.

    `right` is whether that is what the ticket makes fall.
    """

    number: int
    outcomes: tuple[tuple[str, int], ...]
    tickets: int
    ticket: int | None
    fell: str
    right: bool


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A seed, `revealed` or an empty text, with its fingerprint, whether it `fits` that, its draws once it is revealed, and
    whether it is `lost`."""

    fingerprint: str
    revealed: str = ""
    fits: bool = True
    draws: tuple[DrawLine, ...] = ()
    lost: bool = False


@dataclass(frozen=True, slots=True)
class LuckPage:
    """The seeds of a game in order. `lot` is None where no lot decided about the seats or the seed is secret, else whether they
    are as it has them; `right` is whether all is as the seeds have it, `lost` whether a seed is."""

    page: GamePage
    sources: tuple[SourceLine, ...]
    lot: bool | None
    right: bool
    lost: bool


def luck_page(page: GamePage) -> LuckPage:
    """The luck of the game of this page. What fell is told only with the seed, while the game is over: one that goes on after its
    end was taken back tells no seed, for the deal follows from the first."""
    game = Game.objects.get(pk=page.pk)
    rows = list(game.entries.all())
    ruleset = registry.get(game.ruleset)
    luck = luck_of(ruleset, game.pk, course(ruleset, game.options, game.seats, [row.as_entry() for row in rows]))
    lot = luck.lot_fits([row.text for row in rows if row.kind == kinds.JOIN and row.via == LogEntry.Via.HOUSE])
    return LuckPage(
        page=page,
        sources=tuple(_source(game.pk, source) if page.over else SourceLine(source.fingerprint) for source in luck.sources),
        lot=lot if page.over else None,
        right=lot is not False and not list(luck.differences()),
        lost=any(source.lost for source in luck.sources),
    )


def _source(game: int, source: Source) -> SourceLine:
    if source.seed is None:
        return SourceLine(source.fingerprint, lost=source.lost)
    return SourceLine(source.fingerprint, source.seed.revealed(), source.fits(game), tuple(map(_line, source.draws)))


def _line(draw: Draw) -> DrawLine:
    could = tuple([(outcome, weight) for outcome, weight in draw.outcomes if weight])
    tickets = sum(weight for _outcome, weight in could)
    return DrawLine(draw.number, could, tickets, draw.ticket, draw.fell, draw.due in (None, draw.fell))
