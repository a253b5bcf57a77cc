"""Erasure: a player asks to be forgotten, and is. The row stays, emptied, so that the games of others stay whole.

1. `ask_erasure` closes the account: one transaction, seen at once by every page.
2. `erase`, in a worker, lets every app end what the player takes part in; each act is a transaction of its own.
3. Then it empties the row and all that hangs on it, in one transaction that also owes the farewell letter.

Whatever is interrupted is done again from the start by `erase_waiting`: what was done before is found done (S11).
"""

from __future__ import annotations

import json
import logging
from datetime import timedelta
from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.utils import timezone, translation

from accounts import hooks, letters
from accounts.models import AuditEntry, Block, Player, Reason, Report
from accounts.selectors import proven_addresses_of
from accounts.services import audit, mentions
from accounts.services.errors import Gone, LastAdministrator
from notifications import forgetting, outbox
from notifications.nudges import nudge

logger = logging.getLogger(__name__)

TASK: Final = "accounts.erase"
FAREWELL: Final = "accounts/letters/farewell"
REMEMBERED: Final = timedelta(days=30)
"""So long after an erasure its farewell letter may be under way: it is tried for a week. Its address goes once it is done."""


def ask_erasure(*, player: Player) -> None:
    """Closes the account for good: nobody can log in to it any more. Again: nothing new.

    Raises Gone (erased before), LastAdministrator.
    """
    with transaction.atomic(durable=True):
        # Administrators are locked together: of the last two who may sit at the desk only one may go.
        asked = Q(pk=player.pk) | Q(is_superuser=True, is_active=True, suspended_at=None)
        rows = Player.objects.select_for_update(no_key=True).filter(asked, erased_at=None).order_by("pk")
        here = {one.pk: one for one in rows}
        row = here.pop(player.pk, None)
        if row is None:
            raise Gone
        if row.leaving_at is None:
            if row.is_superuser and not here:
                raise LastAdministrator
            row.leaving_at, row.is_active = timezone.now(), False
            row.set_unusable_password()
            row.save(update_fields=["leaving_at", "is_active", "password"])
            for session in UserSession.objects.filter(user=row):
                session.end()
        transaction.on_commit(lambda: nudge(TASK, player.pk), robust=True)


def erase(*, player_id: int) -> bool:
    """Forgets a player who asked for it; False when there is nothing (left) to do. Safe to repeat, and to do twice at once.

    Raises hooks.NotYet, or what else the apps raise that are asked; then everything is tried again later.
    """
    player = Player.objects.filter(pk=player_id, erased_at=None).exclude(leaving_at=None).first()
    if player is None:
        return False
    for app in hooks.concerned():
        app.before_erasure(player)
    _end_sessions(player)
    with transaction.atomic(durable=True):
        row = Player.objects.select_for_update(no_key=True).filter(pk=player_id, erased_at=None).first()
        if row is None:
            return False
        _say_farewell(row)
        _forget_letters(row)
        mentions.forget(row.display_name)
        empty(row)
    return True


def empty(player: Player) -> None:
    """Inside the caller's transaction: takes out of the row of a player, and of all that hangs on it, who it was."""
    _forget_reports(player)
    _forget_reasons(player)
    _empty(player)


def erase_waiting() -> int:
    """Finishes what was asked and not done, and forgets to whom farewell letters went; how many players were erased."""
    waiting = Player.objects.filter(erased_at=None).exclude(leaving_at=None).order_by("leaving_at")
    done = sum(_erased(pk) for pk in list(waiting.values_list("pk", flat=True)))
    lately = Player.objects.filter(erased_at__gte=timezone.now() - REMEMBERED).values_list("pk", flat=True)
    if keys := [_farewell_key(pk) for pk in lately]:
        forgetting.forget_done(keys)
    return done


def _erased(player_id: int) -> bool:
    try:
        return erase(player_id=player_id)
    except hooks.NotYet as waits:
        logger.info("the erasure of player %s waits: %s", player_id, waits)
    except Exception:
        logger.exception("player %s could not be erased", player_id)
    return False


def _farewell_key(player_id: int) -> str:
    return f"farewell:{player_id}"


def _say_farewell(player: Player) -> None:
    key = _farewell_key(player.pk)
    with translation.override(player.language), timezone.override(player.zone):
        rendered = letters.written(FAREWELL, player.email, {"name": player.display_name})
    outbox.post_written(key=key, kind=letters.NOTICE, source=letters.SOURCE, rendered=rendered, address=player.email)
    transaction.on_commit(lambda: nudge("notifications.deliver", key), robust=True)


def _forget_letters(player: Player) -> None:
    forgetting.forget(
        player_id=player.pk,
        name=player.display_name,
        addresses=proven_addresses_of(player),
        farewell=_farewell_key(player.pk),
        unrepeatable=letters.SOURCE,
    )


def _forget_reports(player: Player) -> None:
    """What the player reported loses its text; what others reported of the player as well, and it is closed: nobody is left
    to rule on."""
    concerned = Report.objects.filter(Q(reporter=player) | Q(reported=player))
    for report in concerned.filter(reported=player, state=Report.State.OPEN):
        report.state, report.closed_at = Report.State.CLOSED, timezone.now()
        report.save(update_fields=["state", "closed_at"])
        audit.record(actor=None, act="close_report", subject="report", subject_id=report.pk)
    concerned.update(text="")


def _forget_reasons(player: Player) -> None:
    reports = Report.objects.filter(Q(reporter=player) | Q(reported=player)).values("pk")
    ruled = AuditEntry.objects.filter(Q(subject="player", subject_id=player.pk) | Q(subject="report", subject_id__in=reports))
    Reason.objects.filter(pk__in=ruled.values("reason")).update(text="")
    told = Q(object_repr__in=[player.display_name, *proven_addresses_of(player)])
    row = Q(content_type=ContentType.objects.get_for_model(Player), object_id=str(player.pk))
    LogEntry.objects.filter(row | told).update(object_repr="", change_message="")


def _empty(player: Player) -> None:
    for table in (EmailAddress, Authenticator, UserSession):
        table.objects.filter(user=player).delete()
    Block.objects.filter(Q(blocker=player) | Q(blocked=player)).delete()
    player.groups.clear()
    player.user_permissions.clear()
    player.display_name, player.email = "", f"erased-{player.pk}@invalid.invalid"
    player.language, player.time_zone = settings.LANGUAGE_CODE, "UTC"
    player.is_staff = player.is_superuser = player.is_active = False
    player.last_login = player.suspended_at = player.suspension = player.told_at = None
    player.set_unusable_password()
    player.erased_at = timezone.now()
    player.save()


def _end_sessions(player: Player) -> None:
    """Deletes what the session table holds of the player, half a login included; the account is closed, so nothing follows."""
    addresses = proven_addresses_of(player)
    for session in Session.objects.iterator():
        held = session.get_decoded()
        text = json.dumps(held, ensure_ascii=False, default=str).lower()
        if held.get(SESSION_KEY) == str(player.pk) or any(f'"{address.lower()}"' in text for address in addresses):
            session.delete()
