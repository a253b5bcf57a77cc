"""Moderators: a group with the rights to rule, and who belongs to it."""

from __future__ import annotations

from typing import Any, Final

from django.apps import AppConfig
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import letters
from accounts.models import Player
from accounts.services import audit, erasure
from accounts.services.errors import Gone, NotAllowed

MODERATORS: Final = "Moderators"
RIGHTS: Final = {
    "accounts": ("view_player", "view_report", "view_reason", "view_auditentry", "suspend_players", "close_reports"),
    "games": ("view_game", "view_logentry", "view_seat", "view_challenge", "view_invitation", "view_message", "rule_games"),
    "notifications": ("view_letter", "view_refusal", "delete_refusal", "retry_letters", "view_bounce", "delete_bounce"),
}
"""What a moderator may do, by app. To erase players and to empty reasons is for administrators."""


def install(*, app_config: AppConfig, using: str, **_told: Any) -> None:
    """Receiver of `post_migrate`: gives the group the rights that its app has just made. Further ones are left as they are."""
    codenames = RIGHTS.get(app_config.label)
    if codenames:
        rights = Permission.objects.using(using).filter(content_type__app_label=app_config.label, codename__in=codenames)
        group, _made = Group.objects.using(using).get_or_create(name=MODERATORS)
        group.permissions.add(*rights)


def appoint(*, player_id: int, by: Player, reason: str) -> None:
    """The player may enter the desk and rule, and is told so. Only an administrator appoints. Again: nothing new.

    Raises Refused (no reason), Gone, NotAllowed.
    """
    _set(player_id, by, reason, act="appoint", moderates=True)


def dismiss(*, player_id: int, by: Player, reason: str) -> None:
    """The player no longer rules, and is told so. Raises as `appoint`."""
    _set(player_id, by, reason, act="dismiss", moderates=False)


def ask_erasure_of(*, player_id: int, by: Player, reason: str) -> None:
    """Forgets a player who asked for it otherwise than on the page of the account. Raises Gone, NotAllowed, LastAdministrator.

    The audit log knows of it first: what is interrupted after that is asked again.
    """
    player = Player.objects.filter(pk=player_id, leaving_at=None, erased_at=None).first()
    if player is None:
        raise Gone
    if player == by or (player.is_superuser and not by.is_superuser):
        raise NotAllowed
    with transaction.atomic():
        audit.record(actor=by, act="erase", subject="player", subject_id=player.pk, reason=audit.give_reason(reason))
    erasure.ask_erasure(player=player)


def _set(player_id: int, by: Player, reason: str, *, act: str, moderates: bool) -> None:
    if not by.is_superuser:
        raise NotAllowed
    told = audit.require_reason(reason)
    with transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).filter(pk=player_id, leaving_at=None, erased_at=None).first()
        if player is None:
            raise Gone
        if player.is_superuser:
            raise NotAllowed(_("An administrator has every right already."))
        if player.is_staff == moderates:
            return
        player.is_staff = moderates
        player.save(update_fields=["is_staff"])
        group = Group.objects.get_or_create(name=MODERATORS)[0]
        if moderates:
            player.groups.add(group)
        else:
            player.groups.remove(group)
        audit.record(actor=by, act=act, subject="player", subject_id=player.pk, reason=audit.give_reason(told))
        desk, factors = reverse("admin:index"), reverse("mfa_index")
        letters.tell_ruling("appointed" if moderates else "dismissed", player, told, desk_url=desk, factors_url=factors)
