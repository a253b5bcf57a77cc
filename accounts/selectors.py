"""Named reads of players: who is there, whom blocks keep apart, why somebody may not play."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress

from accounts.models import Block, Player


@dataclass(frozen=True, slots=True)
class BlockLine:
    """A player whom somebody blocked, and since when."""

    pk: int
    name: str
    since: datetime


def present_player(pk: int) -> Player | None:
    """The player of this number; None once his account is closed, left or erased."""
    return Player.objects.filter(pk=pk, is_active=True, leaving_at=None, erased_at=None).first()


def are_apart(one: Player, other: Player) -> bool:
    """Whether a block keeps these two apart, whoever made it."""
    return Block.objects.between(one.pk, other.pk).exists()


def has_blocked(player: Player, other: Player) -> bool:
    """Whether the first blocked the second. Nobody but the first is told."""
    return Block.objects.filter(blocker=player, blocked=other).exists()


def blocks_of(player: Player) -> list[BlockLine]:
    """Whom the player blocked, by name."""
    blocks = Block.objects.filter(blocker=player, blocked__erased_at=None).select_related("blocked")
    return [BlockLine(one.blocked_id, one.blocked.name, one.at) for one in blocks.order_by("blocked__name_key")]


def suspension_reason(player: Player) -> str:
    """Why the player may not play for now, in the words of whoever ruled so; empty while he may."""
    return player.suspension.text if player.suspended_at and player.suspension else ""


def addresses_of(player: Player) -> list[str]:
    """Every e-mail address that the player gave, the one that letters go to first; some may be those of strangers."""
    given = EmailAddress.objects.filter(user=player).exclude(email=player.email).order_by("pk")
    return [player.email, *given.values_list("email", flat=True)]


def proven_addresses_of(player: Player) -> list[str]:
    """The same without those that the player only typed and never confirmed."""
    proven = EmailAddress.objects.filter(user=player, verified=True).exclude(email=player.email).order_by("pk")
    return [player.email, *proven.values_list("email", flat=True)]
