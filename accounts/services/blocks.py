"""Blocks: a player wants nothing to do with another."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Block, Player
from accounts.services.errors import Gone, NotAllowed


def block(*, player: Player, other: Player) -> Block:
    """From now on no challenges and no messages between the two; running games go on. Again: the same block.

    Raises NotAllowed (oneself), Gone (somebody who left).
    """
    if player == other:
        raise NotAllowed(_("You cannot block yourself."))
    with transaction.atomic():
        # The lock keeps an erasure from passing by, which deletes the blocks of whoever leaves.
        here = Player.objects.select_for_update(no_key=True).filter(pk__in=(player.pk, other.pk), erased_at=None).order_by("pk")
        if len(here) < 2:
            raise Gone
        made, _created = Block.objects.get_or_create(blocker=player, blocked=other, defaults={"at": timezone.now()})
        return made


def unblock(*, player: Player, other: Player) -> None:
    """Takes the block back, if there is one. What the other blocked stays blocked."""
    Block.objects.filter(blocker=player, blocked=other).delete()
