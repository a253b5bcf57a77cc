"""Who asks, read for each page: the session by its key and the player by number, with reads that are prepared."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import DEFAULT_DB_ALIAS
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Player
from notifications.prepared import prepared


class SessionStore(db.SessionStore):
    """Django's sessions in the database."""

    def _get_session_from_db(self) -> Session | None:
        """The living session of this key; a key that has none is forgotten, so that nobody chooses their own."""
        key = self.session_key
        if key:
            for data, ends in _session(key):
                if ends > timezone.now():
                    return Session(key, data, ends)
        self._session_key = None
        return None


class PlayerBackend(AuthenticationBackend):  # type: ignore[misc]
    """allauth's way to log in."""

    def get_user(self, user_id: Any) -> Player | None:
        """The player of a session, with everything of their row."""
        found = _player(user_id)
        player = Player.from_db(DEFAULT_DB_ALIAS, _columns(), found[0]) if found else None
        return player if player is not None and self.user_can_authenticate(player) else None


def _columns() -> list[str]:
    """In the model's order, which `from_db` expects."""
    return [field.attname for field in Player._meta.concrete_fields]


@prepared
def _session(key: str) -> QuerySet[Session, Any]:
    return Session.objects.filter(session_key=key).values_list("session_data", "expire_date")


@prepared
def _player(pk: int) -> QuerySet[Player, Any]:
    return Player.objects.filter(pk=pk).values_list(*_columns())
