"""Watching: the public games that anybody may look at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import Prefetch, QuerySet

from games.models import Game, Seat
from games.selectors.boards import miniature
from games.selectors.words import Person, ending, names_at, people_at, title_of

ON_A_PAGE: Final = 24


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """A public game in a list: `players` by seat, `board` a small SVG as spectators see it, `ending` empty while it goes on."""

    pk: int
    title: str
    players: tuple[Person, ...]
    turn: int
    started_at: datetime
    ended_at: datetime | None
    ending: str
    board: str


def public_games(*, finished: bool = False, page: str = "1") -> tuple[tuple[WatchedGame, ...], Page[Any]]:
    """A page of the public games, the latest first, in a fixed number of queries; the nearest page that exists."""
    seats = Prefetch("seat_set", Seat.objects.select_related("player"), to_attr="seated")
    pages = Paginator(ordered_games(finished=finished).prefetch_related(seats), ON_A_PAGE).get_page(page)
    return tuple(map(_line, pages)), pages


def ordered_games(*, finished: bool) -> QuerySet[Game]:
    """The public games, the latest first."""
    games = Game.objects.filter(public=True)
    return games.ended().order_by("-ended_at", "-pk") if finished else games.running().order_by("-pk")


def _line(game: Any) -> WatchedGame:
    return WatchedGame(
        pk=game.pk,
        title=title_of(game.ruleset),
        players=tuple(people_at(game.seated)),
        turn=game.turn,
        started_at=game.created_at,
        ended_at=game.ended_at,
        ending=ending(game, names_at(game.seated)),
        board=miniature(game, None),
    )
