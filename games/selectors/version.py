"""Versions: what is another text whenever the page of a game would be another for the same reader."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from accounts.models import Player
from games.models import Game, Message, Seat
from games.selectors.messages import Words
from games.selectors.prepared import prepared
from games.selectors.table import GamePage


def version(page: GamePage, words: Words | None) -> str:
    """The version of a page with the words beside it."""
    said = words.said if words is not None else ()
    return _version(page.head, page.seat, said[-1].pk if said else None)


def version_of(game_id: int, viewer: Player | None) -> str | None:
    """The version of the page as it would be now, in one query; None if there is no game for this viewer."""
    if viewer is None:
        found = _head(game_id)
        return _version(found[0][0], None, None) if found else None
    seen = _head_for(game_id, viewer.pk)
    if not seen or (seen[0][2] is None and not seen[0][1]):
        return None
    [(head, _public, number, last)] = seen
    return _version(head, number, last if number is not None else None)


@prepared
def _head(game: int) -> QuerySet[Game, Any]:
    return Game.objects.filter(pk=game, public=True).values_list("head")


@prepared
def _head_for(game: int, viewer: int) -> QuerySet[Game, Any]:
    """Asked every few seconds by each page of a game that somebody looks at."""
    player = Player(pk=viewer)
    seat = Seat.objects.filter(game=OuterRef("pk"), player=player).values("number")
    said = Message.objects.for_player(player).filter(game=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    seen = Game.objects.filter(pk=game).annotate(own_seat=Subquery(seat), last_said=Subquery(said))
    return seen.values_list("head", "public", "own_seat", "last_said")


def _version(head: int, seat: int | None, said: int | None) -> str:
    return ".".join("" if one is None else str(one) for one in (head, seat, said))
