"""Rights: whether the link in a letter still allows its act, asked under the lock of its game; how rights end."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from accounts.models import Player
from games import selectors
from games.models import Right, Seat
from games.services.errors import Gone
from games.services.log import OpenLog
from notifications import outbox


def turn_lasts(log: OpenLog, seat: int, right: int | None) -> bool:
    """Whether the seat is still in the turn that a right to move is for; without a right there is nothing to ask.

    A position number never comes back, nor does a turn's. Raises Gone for a right that is void, or for something else.
    """
    if right is None:
        return True
    return _locked(log, seat, right, Right.Purpose.MOVE).turn_number == log.standing.turn_number


def require_answer(log: OpenLog, seat: int, number: int, right: int | None) -> None:
    """Raises Gone unless the right is to answer the proposal of entry `number`, or there is none to ask for."""
    if right is not None and _locked(log, seat, right, Right.Purpose.ANSWER).turn_number != number:
        raise Gone


def _locked(log: OpenLog, seat: int, right: int, purpose: Right.Purpose) -> Right:
    """Nobody makes it void before the transaction ends: the game first, then the right."""
    found = Right.objects.select_for_update().open().filter(pk=right, game=log.game, seat=seat, purpose=purpose).first()
    if found is None:
        raise Gone
    holder = Seat.objects.select_related("player").filter(game=log.game, number=seat, player=found.player_id).first()
    if holder is None or holder.player is None or not selectors.may_play(holder.player):
        raise Gone
    return found


def make_void(*, player: Player) -> int:
    """Ends all rights of the player, and has letters that wait written anew with others; how many. Again: nothing new."""
    ended = Right.objects.of(player).open().update(void_at=timezone.now())
    outbox.write_anew(recipient_id=player.pk)
    return ended


def forget_old(now: datetime) -> int:
    """Deletes rights of old letters that allow nothing any more; how many."""
    return Right.objects.outlived(now).delete()[0]
