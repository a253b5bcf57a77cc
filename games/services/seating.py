"""Seating: those who take part get their seats, and the game begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from accounts.models import Player
from games.models import Challenge, Game, LogEntry, Seat
from games.rules import entry as kinds
from games.rules import registry
from games.rules.seed import Seed
from games.services.chance import fresh, lot
from games.services.log import OpenLog
from games.services.projection import read
from games.services.terms import Terms, terms_of


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer that plays at this level."""

    level: int


@dataclass(frozen=True, slots=True)
class Guest:
    """Whoever has the key of which this is the hash."""

    key_digest: str


Holder: TypeAlias = Player | Computer | Guest


def start(challenge: Challenge, holders: Sequence[Holder], now: datetime) -> Game:
    """Starts the game of those who take part, who are in the order of their places; there may be fewer than the challenge has
    seats. Inside the caller's transaction."""
    game = begin(terms_of(challenge), holders, now, challenge=challenge)
    challenge.state, challenge.closed_at, challenge.seats = Challenge.State.STARTED, now, len(holders)
    challenge.save(update_fields=["state", "closed_at", "seats"])
    return game


def begin(terms: Terms, holders: Sequence[Holder], now: datetime, *, challenge: Challenge | None = None) -> Game:
    """The same of terms that were no challenge. Inside the caller's transaction."""
    ruleset = registry.get(terms.ruleset)
    game = Game.objects.create(
        challenge=challenge,
        ruleset=terms.ruleset,
        ruleset_version=challenge.ruleset_version if challenge is not None else ruleset.facts.version,
        options=dict(terms.options),
        seats=len(holders),
        reflection=int(terms.reflection.total_seconds()),
        public=terms.public,
        created_at=now,
    )
    seed = fresh() if ruleset.facts.chance else None
    again = challenge.rematch_of if challenge is not None else None
    seated = _seated_again(again, holders) if again is not None else _seated(terms, game, holders, seed)
    Seat.objects.bulk_create(Seat(game=game, number=number, **_held_by(one)) for number, one in enumerate(seated))
    log = OpenLog(game, read(ruleset, game, ()), now)
    via = LogEntry.Via.HOUSE if terms.begins == Challenge.Begins.LOT and again is None else LogEntry.Via.WEB
    for number, one in enumerate(seated):
        log.append(kinds.JOIN, seat=number, text=_joining(one), via=via)
    if seed is not None:
        log.commit(seed)
    log.write()
    return game


def _held_by(one: Holder) -> dict[str, Player | int | str]:
    match one:
        case Computer(level):
            return {"engine": level}
        case Guest(key_digest):
            return {"key_digest": key_digest}
        case player:
            return {"player": player}


def _joining(one: Holder) -> str:
    """What the log says of whoever takes a seat: an id, never a name."""
    match one:
        case Computer(level):
            return f"{kinds.ENGINE} {level}"
        case Guest():
            return kinds.GUEST
        case player:
            return str(player.pk)


def _seated(terms: Terms, game: Game, holders: Sequence[Holder], seed: Seed | None) -> list[Holder]:
    """Those who take part by seat: by lot, or with the first or the second of them in front.

    The lot of a seed is drawn of them in an order that everybody can see.
    """
    if terms.begins == Challenge.Begins.LOT:
        if seed is None:
            return lot(holders)
        return seed.lot(game.pk, sorted(holders, key=lambda one: kinds.order_of_lot(_joining(one))))
    if terms.begins == Challenge.Begins.OPPONENT:
        return [*holders[1:], holders[0]]
    return list(holders)


def _seated_again(before: Game, holders: Sequence[Holder]) -> list[Holder]:
    """To the rematch of a larger table some may not have come, and others instead of them: these sit last."""
    first = turned(before)
    return [*[one for one in first if one in holders], *[one for one in holders if one not in first]]


def turned(game: Game) -> list[Player]:
    """The players by seat in a rematch: who sat second begins. Nobody, where a guest sits among computers."""
    seated = [seat.player for seat in game.seat_set.select_related("player") if seat.player is not None]
    return [*seated[1:], *seated[:1]]
