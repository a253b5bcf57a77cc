"""What follows when the password or an address of a player changes: other sessions end, open rights are void (S13)."""

from __future__ import annotations

from allauth.usersessions.models import UserSession

from accounts import hooks
from accounts.models import Player


def credentials_changed(*, player: Player, session_key: str | None) -> None:
    """Ends all sessions of the player but the one that made the change, and tells the higher apps. May be called again."""
    for session in UserSession.objects.filter(user=player).exclude(session_key=session_key or ""):
        session.end()
    for app in hooks.concerned():
        app.credentials_changed(player)
