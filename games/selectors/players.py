"""Players: the public page of one, and whom one may report in a game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Prefetch, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.selectors import has_blocked, present_player
from games.models import Game, Seat
from games.rules import registry
from games.selectors.boards import miniature
from games.selectors.words import Person, ending, names_at, people_at, person_at, title_of

RUNNING_SHOWN: Final = 50
FINISHED_SHOWN: Final = 25
RESULTS: Final[dict[int | None, str | Promise]] = {2: _("won"), 1: _("drawn"), 0: _("lost"), None: _("no result")}
"""By points in half units, as a seat holds them."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game in the list of one of its players: `result` from his side, `ending` in words; both empty while it goes on. `board`
    is a small SVG, from his side too if nothing there is hidden from others."""

    pk: int
    title: str
    opponents: tuple[Person, ...]
    turn: int
    started_at: datetime
    ended_at: datetime | None
    result: str
    ending: str
    board: str


@dataclass(frozen=True, slots=True)
class Totals:
    """A player's results at one ruleset, in games with computers or in those of people alone."""

    title: str
    won: int
    drawn: int
    lost: int
    without_result: int


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A player as the viewer may see him; what is private is counted and shown only to those who took part.

    `running` holds the latest, `more_running` says that there are others. `blocked` is whether the viewer blocked him.
    """

    pk: int
    name: str
    since: datetime
    is_viewer: bool
    blocked: bool
    running: tuple[PlayedGame, ...]
    more_running: bool
    finished: tuple[PlayedGame, ...]
    pages: Page[Any]
    totals: tuple[Totals, ...]
    against_computers: tuple[Totals, ...]


@dataclass(frozen=True, slots=True)
class SeenGame:
    """A game that a viewer may see, with the other players who are still there, by their ids."""

    pk: int
    title: str
    others: tuple[tuple[int, str], ...]


def player_page(player_id: int, viewer: Player | None, *, page: str = "1") -> PlayerPage | None:
    """A page of a player's finished games and all else about him, in a fixed number of queries; None for a former player.

    A page that does not exist is the nearest one that does.
    """
    player = present_player(player_id)
    if player is None:
        return None
    seen = _seen(player, viewer)
    running = list(seen.running().order_by("-created_at", "-pk")[: RUNNING_SHOWN + 1])
    pages = Paginator(seen.ended().order_by("-ended_at", "-pk"), FINISHED_SHOWN).get_page(page)
    totals = _totals(player, seen)
    return PlayerPage(
        pk=player.pk,
        name=player.name,
        since=player.date_joined,
        is_viewer=player == viewer,
        blocked=viewer is not None and player != viewer and has_blocked(viewer, player),
        running=tuple(_line(game, player) for game in running[:RUNNING_SHOWN]),
        more_running=len(running) > RUNNING_SHOWN,
        finished=tuple(_line(game, player) for game in pages),
        pages=pages,
        totals=totals[False],
        against_computers=totals[True],
    )


def seen_game(game_id: int, viewer: Player) -> SeenGame | None:
    """The game with the players whom the viewer may report in it; None if he may not see it."""
    seats = Prefetch("seat_set", Seat.objects.select_related("player"), to_attr="seated")
    game: Any = Game.objects.filter(pk=game_id).prefetch_related(seats).first()
    if game is None or not (game.public or any(seat.player_id == viewer.pk for seat in game.seated)):
        return None
    others = [person_at(seat) for seat in game.seated if seat.player_id != viewer.pk]
    told = tuple((one.profile, one.name) for one in others if one.profile is not None)
    return SeenGame(game.pk, title_of(game.ruleset), told)


def _seen(player: Player, viewer: Player | None) -> Any:
    """The player's games that the viewer may see: public ones, and those that he played himself."""
    games = Game.objects.of(player).prefetch_related(
        Prefetch("seat_set", Seat.objects.select_related("player"), to_attr="seated")
    )
    if viewer is None:
        return games.filter(public=True)
    return games.filter(Q(public=True) | Q(Exists(Seat.objects.filter(game=OuterRef("pk"), player=viewer))))


def _line(game: Any, player: Player) -> PlayedGame:
    seats: list[Seat] = game.seated
    mine = next(seat for seat in seats if seat.player_id == player.pk)
    facts = registry.get(game.ruleset).facts
    return PlayedGame(
        pk=game.pk,
        title=title_of(game.ruleset),
        opponents=tuple(one for seat, one in zip(seats, people_at(seats), strict=True) if seat is not mine),
        turn=game.turn,
        started_at=game.created_at,
        ended_at=game.ended_at,
        result=str(RESULTS[mine.points]) if game.ended_at else "",
        ending=ending(game, names_at(seats)),
        board=miniature(game, None if facts.hidden else mine.number),
    )


def _totals(player: Player, seen: Any) -> dict[bool, tuple[Totals, ...]]:
    """The results by whether a computer sat at the table, and by ruleset."""
    computers = Exists(Seat.objects.filter(game=OuterRef("game"), engine__isnull=False))
    ended = Seat.objects.filter(player=player, game__in=seen.ended().prefetch_related(None)).annotate(computers=computers)
    counts: dict[bool, dict[str, dict[int | None, int]]] = {False: {}, True: {}}
    rows = ended.values_list("computers", "game__ruleset", "points").annotate(Count("pk")).order_by("game__ruleset")
    for apart, ruleset, points, many in rows:
        counts[bool(apart)].setdefault(ruleset, {})[points] = many
    return {
        apart: tuple(
            Totals(title_of(ruleset), of.get(2, 0), of.get(1, 0), of.get(0, 0), of.get(None, 0)) for ruleset, of in found.items()
        )
        for apart, found in counts.items()
    }
