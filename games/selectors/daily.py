"""News of a day: what a daily letter tells its reader."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from django.db.models import F, Prefetch
from django.utils import timezone

from accounts.models import Player
from games import timing
from games.models import Game, LogEntry, Proposal, Seat
from games.rules import entry as kinds
from games.rules.standing import removed_by
from games.selectors.challenges import ChallengeLine, answered_since, challenges_of
from games.selectors.log import proposal_title
from games.selectors.words import duration, ending, names_at, title_of

MOST: Final = 50
"""So many games of a kind a letter tells."""


@dataclass(frozen=True, slots=True)
class GameNews:
    """A game as one of its players is told of it. Of a game that waits for the player: until when, how long is `left`, and the
    seat and the number of the turn; of one that is over, the `ending`."""

    pk: int
    title: str
    opponents: tuple[str, ...]
    seat: int
    turn_number: int
    deadline: datetime | None
    left: str
    ending: str


@dataclass(frozen=True, slots=True)
class ProposalNews:
    """A proposal that the player must answer from their `seat`, of entry `number`, by `who`; or that others answered: then there
    is a `state`."""

    game: int
    title: str
    what: str
    number: int = 0
    seat: int = 0
    who: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class News:
    """What waits for a player, soonest deadline first, and what has happened."""

    waiting: tuple[GameNews, ...] = ()
    proposals: tuple[ProposalNews, ...] = ()
    received: tuple[ChallengeLine, ...] = ()
    answered: tuple[ChallengeLine, ...] = ()
    ended: tuple[GameNews, ...] = ()

    def __bool__(self) -> bool:
        return any((self.waiting, self.proposals, self.received, self.answered, self.ended))


def news_of(player: Player, *, topics: Collection[str], since: datetime) -> News:
    """The news for the player: what waits now, and what has happened `since`, of these topics of letters alone, in a number of
    queries that does not grow."""
    return News(
        waiting=_waiting(player) if "turns" in topics else (),
        proposals=(*_to_answer(player), *_answered(player, since)) if "proposals" in topics else (),
        received=tuple(one for one in challenges_of(player) if "decline" in one.may) if "challenges" in topics else (),
        answered=tuple(answered_since(player, since)) if "challenges" in topics else (),
        ended=_ended(player, since) if "ends" in topics else (),
    )


def _waiting(player: Player) -> tuple[GameNews, ...]:
    games = Game.objects.running().filter(seat__player=player, seat__number=F("to_move"), deadline__isnull=False)
    return _told(games.order_by("deadline"), player)


def _ended(player: Player, since: datetime) -> tuple[GameNews, ...]:
    return _told(Game.objects.ended().of(player).filter(ended_at__gt=since).order_by("-ended_at"), player)


def _told(games: Any, player: Player) -> tuple[GameNews, ...]:
    seats = Prefetch("seat_set", Seat.objects.select_related("player"), to_attr="seated")
    now = timezone.now()
    return tuple(_line(game, player, now) for game in games.prefetch_related(seats)[:MOST])


def _line(game: Any, player: Player, now: datetime) -> GameNews:
    seats: list[Seat] = game.seated
    names = names_at(seats)
    return GameNews(
        pk=game.pk,
        title=title_of(game.ruleset),
        opponents=tuple(name for seat, name in zip(seats, names, strict=True) if seat.player_id != player.pk),
        seat=next(seat.number for seat in seats if seat.player_id == player.pk),
        turn_number=game.turn_number,
        deadline=game.deadline,
        left=duration(timing.left(game.deadline, now)) if game.deadline else "",
        ending=ending(game, names),
    )


def _to_answer(player: Player) -> list[ProposalNews]:
    """Those that still need the player's word. In a pause nobody answers."""
    seats = Seat.objects.filter(player=player, game__deadline__isnull=False, game__proposals__state=Proposal.State.OPEN)
    mine = dict(seats.values_list("game", "number"))
    said = LogEntry.objects.filter(game__in=mine, game__seat__player=player, game__seat__number=F("seat"))
    spoken = set(said.filter(kind__in=(kinds.AGREE, kinds.RESIGN)).values_list("game", "kind", "text"))
    found = Proposal.objects.filter(game__in=mine, state=Proposal.State.OPEN).select_related("game").order_by("made_at")
    names = _names(mine)
    return [
        ProposalNews(
            one.game_id,
            title_of(one.game.ruleset),
            _of(names, one),
            number=one.number,
            seat=mine[one.game_id],
            who=names[one.game_id, one.seat],
        )
        for one in found[:MOST]
        if mine[one.game_id] not in (one.seat, removed_by(one.kind))
        and not {(one.game_id, kinds.AGREE, str(one.number)), (one.game_id, kinds.RESIGN, "")} & spoken
    ]


def _answered(player: Player, since: datetime) -> list[ProposalNews]:
    """The player's own, in games that go on: how a game ended is told otherwise."""
    closed = Proposal.objects.filter(closed_at__gt=since, game__ended_at=None).exclude(state=Proposal.State.WITHDRAWN)
    mine = closed.filter(game__seat__player=player, game__seat__number=F("seat")).select_related("game").order_by("closed_at")
    return [
        ProposalNews(one.game_id, title_of(one.game.ruleset), proposal_title(one.kind, own=True), state=one.get_state_display())
        for one in mine[:MOST]
    ]


def _of(names: Mapping[tuple[int, int], str], proposal: Proposal) -> str:
    """What is proposed, by the names of those who sit there."""
    sitting = [name for (game, _seat), name in sorted(names.items()) if game == proposal.game_id]
    return proposal_title(proposal.kind, names=sitting)


def _names(games: Collection[int]) -> dict[tuple[int, int], str]:
    seats = Seat.objects.filter(game__in=games).select_related("player").order_by("game", "number")
    tables = [list(table) for _game, table in groupby(seats, key=attrgetter("game_id"))]
    return {(seat.game_id, seat.number): name for table in tables for seat, name in zip(table, names_at(table), strict=True)}
