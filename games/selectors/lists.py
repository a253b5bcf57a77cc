"""Lists: a player's games and the challenges that concern him."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import F, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import Player
from games import timing
from games.models import Game, Seat
from games.selectors.boards import small_board
from games.selectors.challenges import ChallengeLine, challenges_of
from games.selectors.seats import ASKED, Sitting, sitting
from games.selectors.words import Person, duration, end_in_words, people_at, title_in
from notifications import bounces
from notifications.prepared import prepared

FINISHED_SHOWN = 10
FINISHED_ON_A_PAGE = 25


class _Row(NamedTuple):
    """What a line needs of a game's row; `position` is JSON that nobody has read yet."""

    pk: int
    ruleset: str
    position: str | None
    turn: int
    to_move: int | None
    deadline: datetime | None
    engine_asked_at: datetime | None
    termination: str
    result: str
    ended_at: datetime | None


def _asked(game: str = "") -> list[str | Cast]:
    """The fields of a row for `values_list`, `game` before their names."""
    return [Cast(f"{game}{name}", TextField()) if name == "position" else f"{game}{name}" for name in _Row._fields]


class GameLine(NamedTuple):
    """A game in a list, as one of its players sees it; `board` is a small SVG from that player's side. `thinking`: a computer is
    to move. A value like a page, in words of the active `language`."""

    pk: int
    title: str
    opponents: tuple[Person, ...]
    my_turn: bool
    turn: int
    deadline: datetime | None
    ending: str
    ended_at: datetime | None
    board: str
    language: str
    thinking: bool = False

    @property
    def name(self) -> str:
        """What the game is called."""
        return _("%(title)s no. %(number)s") % {"title": self.title, "number": self.pk}

    @property
    def state(self) -> str:
        """How a running game stands by now."""
        if self.thinking:
            return _("Turn %(turn)s, the computer is to move") % {"turn": self.turn}
        left = timing.left(self.deadline, timezone.now()) if self.deadline is not None else None
        return _state(self.turn, None if left is None else ceil(left.total_seconds() / 60), self.language)


@lru_cache(maxsize=2048)
def _state(turn: int, minutes: int | None, language: str) -> str:
    """The language is a key only."""
    if minutes is None:
        return _("Turn %(turn)s, paused") % {"turn": turn}
    return _("Turn %(turn)s, %(left)s left") % {"turn": turn, "left": duration(timedelta(minutes=minutes))}


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

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show: the player has just come."""
        return not (self.waiting or self.running or self.finished or self.received or self.made)


def my_games(player: Player) -> MyGames:
    """Everything of a player, in a number of queries that does not grow."""
    lines, finished = _lines(_running_of(player), player), _lines(_finished_of(player), player)
    challenges = challenges_of(player)
    return MyGames(
        waiting=tuple(line for line in lines if line.my_turn),
        running=tuple(line for line in lines if not line.my_turn),
        finished=tuple(finished[:FINISHED_SHOWN]),
        more_finished=len(finished) > FINISHED_SHOWN,
        received=tuple(one for one in challenges if "decline" in one.may),
        made=tuple(one for one in challenges if "decline" not in one.may),
        i_bounce=bounces.is_marked(player.email),
    )


def _running_of(player: Player) -> list[tuple[_Row, list[Sitting]]]:
    """The running games with their seats, soonest deadline first, paused ones last."""
    seats = _by_game(_seats_of_running(player.pk))
    return [(row, seats[row.pk]) for row in map(_Row._make, _running(player.pk)) if row.pk in seats]


def _finished_of(player: Player) -> list[tuple[_Row, list[Sitting]]]:
    """As many of the last finished games as are shown, and one more."""
    rows = _finished_with_seats(player.pk)
    width = len(_Row._fields)
    games = {row[0]: _Row._make(row[:width]) for row in rows}
    return [(games[pk], seats) for pk, seats in _by_game(row[width:] for row in rows).items()]


def _by_game(rows: Iterable[Sequence[Any]]) -> dict[int, list[Sitting]]:
    seats: dict[int, list[Sitting]] = {}
    for seat in sitting(rows):
        seats.setdefault(seat.game, []).append(seat)
    return seats


@prepared
def _running(player: int) -> QuerySet[Game, Any]:
    games = Game.objects.running().filter(seat__player=player)
    return games.order_by(F("deadline").asc(nulls_last=True)).values_list(*_asked())


@prepared
def _seats_of_running(player: int) -> QuerySet[Seat, Any]:
    seats = Seat.objects.filter(game__ended_at=None, game__seat__player=player)
    return seats.order_by("number").values_list(*ASKED)


@prepared
def _finished_with_seats(player: int) -> QuerySet[Seat, Any]:
    last = Game.objects.ended().filter(seat__player=player).order_by("-ended_at", "-pk").values("pk")
    seats = Seat.objects.filter(game__in=last[: FINISHED_SHOWN + 1]).order_by("-game__ended_at", "-game", "number")
    return seats.values_list(*_asked("game__"), *ASKED)


def finished_games(player: Player, *, page: str = "1") -> tuple[tuple[GameLine, ...], Page[Any]]:
    """A page of the player's finished games, the latest first, in a fixed number of queries; the nearest page that exists."""
    finished = Game.objects.ended().of(player).order_by("-ended_at", "-pk").values_list(*_asked())
    pages = Paginator(finished, FINISHED_ON_A_PAGE).get_page(page)
    rows = [_Row._make(row) for row in pages]
    seats = _by_game(Seat.objects.filter(game__in=[row.pk for row in rows]).order_by("number").values_list(*ASKED))
    return tuple(_lines([(row, seats[row.pk]) for row in rows], player)), pages


def _lines(games: Iterable[tuple[_Row, list[Sitting]]], player: Player) -> list[GameLine]:
    own, language = player.pk, get_language() or ""
    return [_line(game, seats, own, language) for game, seats in games]


def _line(game: _Row, seats: list[Sitting], player: int, language: str) -> GameLine:
    mine = next(seat.number for seat in seats if seat.player is not None and seat.player.pk == player)
    people = people_at(seats)
    return GameLine(
        pk=game.pk,
        title=title_in(game.ruleset, language),
        opponents=tuple([one for seat, one in zip(seats, people, strict=True) if seat.number != mine]),
        my_turn=game.to_move == mine and game.deadline is not None,
        turn=game.turn,
        deadline=game.deadline,
        ending=end_in_words(game.ruleset, game.termination, game.result, [one.name for one in people]) if game.ended_at else "",
        ended_at=game.ended_at,
        board=small_board(game.pk, game.ruleset, game.position, mine, over=game.ended_at is not None, language=language),
        language=language,
        thinking=game.engine_asked_at is not None and game.deadline is None,
    )


def next_waiting(player: Player, *, besides: int) -> int | None:
    """The number of the game that waits for the player and whose time runs out first, `besides` one that he looks at."""
    return next((pk for (pk,) in _waiting(player.pk) if pk != besides), None)


@prepared
def _waiting(player: int) -> QuerySet[Game, Any]:
    """Two, for one of them is perhaps the one that he looks at."""
    waiting = Game.objects.running().filter(seat__player=player, seat__number=F("to_move"), deadline__isnull=False)
    return waiting.order_by("deadline").values_list("pk")[:2]


def seat_of(game_id: int, player: Player) -> int | None:
    """The seat that the player has in the game."""
    return Seat.objects.filter(game=game_id, player=player).values_list("number", flat=True).first()
