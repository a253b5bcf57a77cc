"""Export: everything the service keeps of a player, as a zip file; nothing of others, nothing that opens an account (S12)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder

from accounts import hooks
from accounts.models import Block, Player, Report
from accounts.selectors import suspension_reason
from notifications import bounces, preferences


def export_of(player: Player) -> bytes:
    """A zip file with `player.json` and what every app keeps of the player: `.json` files are data, others texts in UTF-8."""
    files: dict[str, Any] = {"player.json": _account(player)}
    for app in hooks.concerned():
        files |= app.part_of_export(player)
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, kept in files.items():
            archive.writestr(name, kept if isinstance(kept, str) else _written(kept))
    return packed.getvalue()


def _written(data: Any) -> str:
    return json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2) + "\n"


def _account(player: Player) -> Mapping[str, Any]:
    """Blocks and reports by their time: whom they are about is somebody else's."""
    return {
        "name": player.display_name,
        "email": player.email,
        "language": player.language,
        "time_zone": player.time_zone,
        "letters": asdict(preferences.wishes_of(player.pk)),
        "letters_bounce_since": getattr(bounces.trouble_of(player.email), "since", None),
        "joined": player.date_joined,
        "last_login": player.last_login,
        "suspended": {"since": player.suspended_at, "reason": suspension_reason(player)} if player.is_suspended else None,
        "addresses": list(EmailAddress.objects.filter(user=player).order_by("pk").values("email", "verified", "primary")),
        "second_factors": list(Authenticator.objects.filter(user=player).order_by("pk").values("type", "created_at")),
        "sessions": list(
            UserSession.objects.filter(user=player).order_by("pk").values("created_at", "last_seen_at", "ip", "user_agent")
        ),
        "blocks": list(Block.objects.filter(blocker=player).order_by("pk").values("at")),
        "reports": list(Report.objects.filter(reporter=player).order_by("pk").values("about", "text", "at", "state", "game")),
    }
