"""What we do when allauth says that something about an account has changed."""

from __future__ import annotations

from typing import Any

from allauth.account import signals
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.http import HttpRequest

from accounts.models import Player
from accounts.services.credentials import credentials_changed


def connect() -> None:
    """Listens to allauth."""
    for signal in (signals.password_changed, signals.password_set, signals.password_reset, signals.email_changed):
        signal.connect(_credentials_changed)
    signals.email_removed.connect(_address_removed)
    signals.email_confirmed.connect(_address_confirmed)


def _credentials_changed(*, request: HttpRequest, user: Player, **_: Any) -> None:
    credentials_changed(player=user, session_key=request.session.session_key)


def _address_removed(*, request: HttpRequest, user: Player, email_address: EmailAddress, **_: Any) -> None:
    """allauth tells the primary address only; whoever owns the removed one would hear nothing."""
    if email_address.verified:
        told = {"deleted_email": email_address.email}
        get_adapter().send_notification_mail("account/email/email_deleted", user, told, email=email_address.email)
        credentials_changed(player=user, session_key=request.session.session_key)


def _address_confirmed(*, request: HttpRequest, email_address: EmailAddress, **_: Any) -> None:
    """Another address opens the account from now on: the primary one hears of it."""
    if not email_address.primary:
        told = {"added_email": email_address.email}
        get_adapter().send_notification_mail("account/email/email_added", email_address.user, told)
