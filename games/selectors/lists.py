"""Lists: a player's games and the challenges that concern him."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import F, Prefetch, QuerySet
from django.utils import timezone

from accounts.models import Player
from games import timing
from games.models import Game, Seat
from games.rules import registry
from games.selectors.boards import miniature
from games.selectors.challenges import ChallengeLine, challenges_of
from games.selectors.words import Person, duration, ending, person
from games.speech import say
from notifications import bounces

FINISHED_SHOWN = 10
FINISHED_ON_A_PAGE = 25


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list, as one of its players sees it; `board` is a small SVG from that player's side."""

    pk: int
    title: str
    opponents: tuple[Person, ...]
    my_turn: bool
    turn: int
    deadline: datetime | None
    left: str
    ending: str
    ended_at: datetime | None
    board: str


@dataclass(frozen=True, slots=True)
class MyGames:
    """A player's games: `waiting` for them, soonest deadline first; the other running ones; the last finished, of which there
    may be `more_finished`; the challenges that wait for an answer, and those that the player made or takes part in; whether
    letters to the player bounce."""

    waiting: tuple[GameLine, ...]
    running: tuple[GameLine, ...]
    finished: tuple[GameLine, ...]
    more_finished: bool
    received: tuple[ChallengeLine, ...]
    made: tuple[ChallengeLine, ...]
    i_bounce: bool


def my_games(player: Player) -> MyGames:
    """Everything of a player, in a number of queries that does not grow."""
    running = list(Game.objects.running().of(player).prefetch_related(_seats()).order_by(F("deadline").asc(nulls_last=True)))
    finished = list(_finished(player)[: FINISHED_SHOWN + 1])
    now = timezone.now()
    lines = [_line(game, player, now) for game in running]
    challenges = challenges_of(player)
    return MyGames(
        waiting=tuple(line for line in lines if line.my_turn),
        running=tuple(line for line in lines if not line.my_turn),
        finished=tuple(_line(game, player, now) for game in finished[:FINISHED_SHOWN]),
        more_finished=len(finished) > FINISHED_SHOWN,
        received=tuple(one for one in challenges if "decline" in one.may),
        made=tuple(one for one in challenges if "decline" not in one.may),
        i_bounce=_bounces(player, [*running, *finished]),
    )


def finished_games(player: Player, *, page: str = "1") -> tuple[tuple[GameLine, ...], Page[Any]]:
    """A page of the player's finished games, the latest first, in a fixed number of queries; the nearest page that exists."""
    pages = Paginator(_finished(player), FINISHED_ON_A_PAGE).get_page(page)
    now = timezone.now()
    return tuple(_line(game, player, now) for game in pages), pages


def _finished(player: Player) -> QuerySet[Game]:
    return Game.objects.ended().of(player).prefetch_related(_seats()).order_by("-ended_at", "-pk")


def _seats() -> Any:
    seats = Seat.objects.select_related("player").annotate(bounces=bounces.is_bouncing("player__email"))
    return Prefetch("seat_set", seats, to_attr="seated")


def _bounces(player: Player, games: list[Any]) -> bool:
    """Known from any seat of the player; asked for only where there is none."""
    told = next((seat.bounces for game in games for seat in game.seated if seat.player_id == player.pk), None)
    return bool(bounces.bouncing([player.email])) if told is None else told


def _line(game: Any, player: Player, now: datetime) -> GameLine:
    seats: list[Seat] = game.seated
    mine = next(seat.number for seat in seats if seat.player_id == player.pk)
    return GameLine(
        pk=game.pk,
        title=say(registry.get(game.ruleset).facts.title),
        opponents=tuple(person(seat.player) for seat in seats if seat.number != mine),
        my_turn=game.to_move == mine and game.deadline is not None,
        turn=game.turn,
        deadline=game.deadline,
        left=duration(timing.left(game.deadline, now)) if game.deadline else "",
        ending=ending(game, [seat.player.name for seat in seats]),
        ended_at=game.ended_at,
        board=miniature(game, mine),
    )


def next_waiting(player: Player, *, besides: int) -> int | None:
    """The number of the game that waits for the player and whose time runs out first, `besides` one that he looks at."""
    waiting = Game.objects.running().filter(seat__player=player, seat__number=F("to_move"), deadline__isnull=False)
    return waiting.exclude(pk=besides).order_by("deadline").values_list("pk", flat=True).first()


def seat_of(game_id: int, player: Player) -> int | None:
    """The seat that the player has in the game."""
    return Seat.objects.filter(game=game_id, player=player).values_list("number", flat=True).first()
