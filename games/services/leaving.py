"""Leaving: what a player who goes for good takes part in is ended, and what the rows of games say of him is emptied."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from accounts.hooks import NotYet
from accounts.models import Player
from accounts.services import mentions
from games.models import Challenge, Invitation, LogEntry, Message, Note, Right, Seat
from games.rules import entry as kinds
from games.rules.standing import plays_on
from games.services.log import opened


def resign_everywhere(*, player: Player) -> None:
    """Resigns every running game of the player, with the letters that brings. Again: nothing new.

    A game whose time is over is first run out, by the sweep alone, which knows whether anybody's time runs: raises NotYet
    after the other games.
    """
    seats = Seat.objects.filter(player=player, game__ended_at=None).order_by("game").values_list("game", "number")
    waiting = [game for game, seat in seats if not _resigned(game, seat)]
    if waiting:
        raise NotYet(f"the time of games {waiting} is over, and the sweep has not ended them yet")


def _resigned(game: int, seat: int) -> bool:
    with opened(game) as log:
        if log.standing.outcome is None and plays_on(log.standing, seat):
            if log.time_is_over:
                return False
            log.append(kinds.RESIGN, seat=seat, via=LogEntry.Via.WEB)
    return True


def forget(*, player: Player, addresses: Collection[str]) -> None:
    """Empties invitations that the player sent, or that went to his addresses, and what he wrote beside games; takes his name
    out of what others wrote there; his rights are deleted. His challenges have to be closed before. Again: nothing new."""
    concerned = Q(challenge__challenger=player)
    for address in addresses:
        concerned |= Q(address__iexact=address)
    Invitation.objects.filter(concerned).update(address="", token_digest="")
    Challenge.declined_by.through.objects.filter(player=player).delete()
    Note.objects.filter(player=player).delete()
    Right.objects.of(player).delete()
    Seat.objects.filter(player=player).exclude(seen=0).update(seen=0)
    Message.objects.filter(author=player).exclude(text="").update(text="")
    for table in (Message, Note):
        for pk, text in table.objects.exclude(text="").values_list("pk", "text").iterator():
            masked = mentions.masked(player.display_name, text)
            if masked != text:
                # Under the condition that it was not rewritten in the meantime.
                table.objects.filter(pk=pk, text=text).update(text=masked)
