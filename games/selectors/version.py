"""Versions: what is another text whenever the page of a game would be another for the same reader."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from accounts.models import Player
from games.models import Challenge, Game, Message, Seat
from games.selectors.messages import Words
from games.selectors.rematches import LIVING, Rematch
from games.selectors.table import GamePage
from notifications.prepared import prepared


def version(page: GamePage, words: Words | None, rematch: Rematch | None) -> str:
    """The version of a page with the words beside it, and the rematch that it leads to."""
    said = words.said if words is not None else ()
    again = (rematch.pk, rematch.game) if rematch is not None else (None, None)
    return _version(page.head, page.seat, said[-1].pk if said else None, *again)


def version_of(game_id: int, viewer: Player | None, *, guest: int | None = None) -> str | None:
    """The version of the page as it would be now, in one query; None if there is no game for this viewer. `guest` is the seat
    that the viewer holds a key of."""
    if guest is not None:
        found = _head_of_any(game_id)
        return _version(found[0][0], guest, None, None, None) if found else None
    if viewer is None:
        found = _head(game_id)
        return _version(found[0][0]) if found else None
    seen = _head_for(game_id, viewer.pk)
    if not seen or (seen[0][2] is None and not seen[0][1]):
        return None
    [(head, _public, number, *beside)] = seen
    return _version(head, number, *beside) if number is not None else _version(head)


@prepared
def _head(game: int) -> QuerySet[Game, Any]:
    return Game.objects.filter(pk=game, public=True).values_list("head")


@prepared
def _head_of_any(game: int) -> QuerySet[Game, Any]:
    return Game.objects.filter(pk=game).values_list("head")


@prepared
def _head_for(game: int, viewer: int) -> QuerySet[Game, Any]:
    """Asked every few seconds by each page of a game that somebody looks at."""
    player = Player(pk=viewer)
    seat = Seat.objects.filter(game=OuterRef("pk"), player=player).values("number")
    said = Message.objects.for_player(player).filter(game=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    offered = Challenge.objects.filter(rematch_of=OuterRef("pk"), state__in=LIVING).values("pk")[:1]
    begun = Game.objects.filter(challenge__rematch_of=OuterRef("pk")).values("pk")[:1]
    told = {"own_seat": seat, "last_said": said, "offered": offered, "begun": begun}
    seen = Game.objects.filter(pk=game).annotate(**{name: Subquery(read) for name, read in told.items()})
    return seen.values_list("head", "public", *told)


def _version(head: int, *beside: int | None) -> str:
    """`beside` are for one who sits there: his seat, the last message to him, the offer of a rematch, its game."""
    return ".".join("" if one is None else str(one) for one in (head, *(beside or (None,) * 4)))
