"""Words beside a game as one of its players reads them; spectators read none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from accounts.models import Block, Player
from games.models import Message, Note, Seat
from games.selectors.words import person
from notifications.prepared import prepared


@dataclass(frozen=True, slots=True)
class Said:
    """A message: whose it is, what it says, and whether it is the reader's own. `author` is the number of the page of who wrote
    it, None when there is none any more."""

    pk: int
    who: str
    author: int | None
    text: str
    at: datetime
    entry: int | None
    mine: bool


@dataclass(frozen=True, slots=True)
class Words:
    """What a player finds under the log: messages, the oldest first; whether he may write; his own note."""

    said: tuple[Said, ...]
    may_write: bool
    note: str


def words_of(game_id: int, reader: Player | None) -> Words | None:
    """Two queries at most, whatever there is; None for whoever has no seat in the game."""
    if reader is None:
        return None
    found = _seat_asked(game_id, reader.pk)
    if not found:
        return None
    [(note, heard, said)] = found
    return Words(messages_to(game_id, reader) if said else (), heard and not reader.is_suspended, note or "")


@prepared
def _seat_asked(game: int, reader: int) -> QuerySet[Seat, Any]:
    """The reader's seat: his note, whether somebody hears him, and whether there are messages."""
    player = Player(pk=reader)
    note = Note.objects.filter(game=OuterRef("game"), player=player).values("text")
    said = Message.objects.filter(game=OuterRef("game"))
    asked = Seat.objects.filter(game=game, player=player).order_by()
    asked = asked.annotate(note=Subquery(note), heard=Exists(_who_reads(player)), said=Exists(said))
    return asked.values_list("note", "heard", "said")


def messages_to(game_id: int, reader: Player, *, after: datetime | None = None) -> tuple[Said, ...]:
    """The messages of the game that the reader may see, his own too; only those `after` a moment."""
    rows = Message.objects.for_player(reader).filter(game=game_id).select_related("author").order_by("pk")
    if after is not None:
        rows = rows.filter(at__gt=after)
    return tuple(
        Said(row.pk, row.author.name, person(row.author).profile, row.text, row.at, row.entry, row.author_id == reader.pk)
        for row in rows
    )


def said_in_game(game_id: int, message_id: int, reader: Player) -> Said | None:
    """One message of another that the reader may see."""
    return next((one for one in messages_to(game_id, reader) if one.pk == message_id and not one.mine), None)


def messages_by(player: Player) -> list[dict[str, Any]]:
    """The player's own messages, as data."""
    rows = Message.objects.filter(author=player).exclude(text="").order_by("pk").values("game", "entry", "text", "at")
    return [dict(row) for row in rows]


def notes_of(player: Player) -> list[dict[str, Any]]:
    """The player's own notes, as data."""
    return [dict(row) for row in Note.objects.filter(player=player).order_by("game").values("game", "text")]


def _who_reads(author: Player) -> Any:
    """Others at the outer seat's table who are there and whom no block keeps apart from the author."""
    pair = Q(blocker=OuterRef("player"), blocked=author) | Q(blocker=author, blocked=OuterRef("player"))
    here = Q(player__is_active=True, player__suspended_at=None, player__leaving_at=None, player__erased_at=None)
    others = Seat.objects.filter(here, game=OuterRef("game")).exclude(player=author)
    return others.filter(~Exists(Block.objects.filter(pair)))
