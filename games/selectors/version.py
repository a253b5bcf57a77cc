"""Versions: what is another text whenever the page of a game would be another for the same reader."""

from __future__ import annotations

from django.db.models import OuterRef, Subquery

from accounts.models import Player
from games.models import Game, Message, Seat
from games.selectors.messages import Words
from games.selectors.table import GamePage


def version(page: GamePage, words: Words | None) -> str:
    """The version of a page with the words beside it."""
    said = words.said if words is not None else ()
    return _version(page.head, page.seat, said[-1].pk if said else None)


def version_of(game_id: int, viewer: Player | None) -> str | None:
    """The version of the page as it would be now, in one query; None if there is no game for this viewer."""
    games = Game.objects.filter(pk=game_id)
    if viewer is None:
        head = games.filter(public=True).values_list("head", flat=True).first()
        return _version(head, None, None) if head is not None else None
    seat = Seat.objects.filter(game=OuterRef("pk"), player=viewer).values("number")
    said = Message.objects.for_player(viewer).filter(game=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    seen = games.annotate(own_seat=Subquery(seat), last_said=Subquery(said))
    found = seen.values_list("head", "public", "own_seat", "last_said").first()
    if found is None or (found[2] is None and not found[1]):
        return None
    head, _public, number, last = found
    return _version(head, number, last if number is not None else None)


def _version(head: int, seat: int | None, said: int | None) -> str:
    return ".".join("" if one is None else str(one) for one in (head, seat, said))
