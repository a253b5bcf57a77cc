"""Seating: a challenge whose seats are all taken becomes its one game."""

from __future__ import annotations

from datetime import datetime

from accounts.models import Player
from games.models import Challenge, Game, LogEntry, Seat
from games.rules import entry as kinds
from games.rules import registry
from games.rules.seed import Seed
from games.services.chance import fresh, lot
from games.services.log import OpenLog
from games.services.projection import read


def start(challenge: Challenge, players: list[Player], now: datetime) -> Game:
    """Starts the game of the players, who are in the order of their places; there may be fewer than the challenge has seats.
    Inside the caller's transaction."""
    game = Game.objects.create(
        challenge=challenge,
        ruleset=challenge.ruleset,
        ruleset_version=challenge.ruleset_version,
        options=challenge.options,
        seats=len(players),
        reflection=challenge.reflection,
        public=challenge.public,
        created_at=now,
    )
    seed = fresh() if registry.get(game.ruleset).facts.chance else None
    seated = _seated(challenge, game, players, seed)
    Seat.objects.bulk_create(Seat(game=game, number=number, player=player) for number, player in enumerate(seated))
    log = OpenLog(game, read(registry.get(game.ruleset), game, ()), now)
    via = LogEntry.Via.HOUSE if challenge.begins == Challenge.Begins.LOT else LogEntry.Via.WEB
    for number, player in enumerate(seated):
        log.append(kinds.JOIN, seat=number, text=str(player.pk), via=via)
    if seed is not None:
        log.commit(seed)
    log.write()
    challenge.state, challenge.closed_at, challenge.seats = Challenge.State.STARTED, now, len(players)
    challenge.save(update_fields=["state", "closed_at", "seats"])
    return game


def _seated(challenge: Challenge, game: Game, players: list[Player], seed: Seed | None) -> list[Player]:
    """The players by seat: exchanged in a rematch, by lot, or with challenger or (first) opponent in front.

    To the rematch of a larger table some may not have come, and others instead of them: these sit last. The lot of a seed is
    drawn of the players in the order of their numbers, which everybody can see.
    """
    if challenge.rematch_of is not None:
        before = turned(challenge.rematch_of)
        return [*[one for one in before if one in players], *[one for one in players if one not in before]]
    if challenge.begins == Challenge.Begins.LOT:
        return seed.lot(game.pk, sorted(players, key=lambda player: player.pk)) if seed is not None else lot(players)
    if challenge.begins == Challenge.Begins.OPPONENT:
        return [*players[1:], players[0]]
    return players


def turned(game: Game) -> list[Player]:
    """The players by seat in a rematch: who sat second begins."""
    first, *others = [seat.player for seat in game.seat_set.select_related("player")]
    return [*others, first]
