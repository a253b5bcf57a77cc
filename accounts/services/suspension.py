"""Suspension: a player may read, but not play, until somebody who rules restores him."""

from __future__ import annotations

import logging

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import hooks, letters
from accounts.models import Player
from accounts.services import audit
from accounts.services.errors import Gone, NotAllowed

logger = logging.getLogger(__name__)


def suspend(*, player_id: int, by: Player, reason: str) -> Player:
    """The player may not play from now on; he reads the reason on every page. Again: nothing new is written, but what
    follows of it (his games pause, his challenges are withdrawn) is done again where it was interrupted.

    Raises Refused (no reason), Gone, NotAllowed (oneself; an opponent in a running game; an administrator by somebody who
    is none).
    """
    told = audit.require_reason(reason)
    with transaction.atomic(durable=True):
        player = _locked(player_id, by)
        if player.suspended_at is None:
            player.suspended_at, player.suspension = timezone.now(), audit.give_reason(told)
            player.save(update_fields=["suspended_at", "suspension"])
            audit.record(actor=by, act="suspend", subject="player", subject_id=player.pk, reason=player.suspension)
            letters.tell_ruling("suspended", player, told)
    return _tell(player)


def restore(*, player_id: int, by: Player, reason: str) -> Player:
    """The player may play again. Again: as `suspend`. Raises as `suspend`."""
    told = audit.require_reason(reason)
    with transaction.atomic(durable=True):
        player = _locked(player_id, by)
        if player.suspended_at is not None:
            player.suspended_at = player.suspension = None
            player.save(update_fields=["suspended_at", "suspension"])
            given = audit.give_reason(told)
            audit.record(actor=by, act="restore", subject="player", subject_id=player.pk, reason=given)
            letters.tell_ruling("restored", player, told)
    return _tell(player)


def are_parties(one: Player, other: Player) -> bool:
    """Whether one of them would gain by ruling on the other, as opponents in a running game would (S14)."""
    return any(app.are_parties(one, other) for app in hooks.concerned())


def is_told(player: Player) -> bool:
    """Whether nothing of the last suspension or restoration was interrupted."""
    return not any(player.pk in app.untold() for app in hooks.concerned())


def finish_interrupted() -> None:
    """Tells the apps whatever a suspension or restoration could not tell them. Safe to repeat."""
    untold = {pk for app in hooks.concerned() for pk in app.untold()}
    for player in Player.objects.filter(pk__in=untold, leaving_at=None, erased_at=None).order_by("pk"):
        try:
            _tell(player)
        except Exception:
            logger.exception("what follows of the suspension of player %s is not done", player.pk)


def _locked(player_id: int, by: Player) -> Player:
    player = Player.objects.select_for_update(no_key=True).filter(pk=player_id, leaving_at=None, erased_at=None).first()
    if player is None:
        raise Gone
    if player == by:
        raise NotAllowed(_("Nobody rules on themselves."))
    if player.is_superuser and not by.is_superuser:
        raise NotAllowed(_("Only an administrator rules on an administrator."))
    if are_parties(by, player):
        raise NotAllowed(_("You play with them now: somebody else has to rule on them."))
    return player


def _tell(player: Player) -> Player:
    """Tells every app, until what it was told is still so: somebody else may rule otherwise in the meantime."""
    while True:
        told = player.is_suspended
        for app in hooks.concerned():
            if told:
                app.suspended(player)
            else:
                app.restored(player)
        player = Player.objects.get(pk=player.pk)
        if player.is_suspended == told:
            return player
