"""What we do when allauth says that something about an account has changed."""

from __future__ import annotations

from typing import Any, Final

from allauth.account import signals
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services.credentials import credentials_changed
from accounts.services.reach import proved, proved_by_login
from accounts.services.unconfirmed import SIGNED_UP, free, take_over

BY_CODE: Final = "account_confirm_login_code"


def connect() -> None:
    """Listens to allauth."""
    for signal in (signals.password_changed, signals.password_set, signals.password_reset, signals.email_changed):
        signal.connect(_credentials_changed)
    signals.email_removed.connect(_address_removed)
    signals.email_confirmed.connect(_address_confirmed)
    signals.user_logged_in.connect(_logged_in)


def _credentials_changed(*, request: HttpRequest, user: Player, **_rest: Any) -> None:
    credentials_changed(player=user, session_key=request.session.session_key)


def _address_removed(*, request: HttpRequest, user: Player, email_address: EmailAddress, **_rest: Any) -> None:
    """allauth tells the primary address only; whoever owns the removed one would hear nothing."""
    if email_address.verified:
        told = {"deleted_email": email_address.email}
        get_adapter().send_notification_mail("account/email/email_deleted", user, told, email=email_address.email)
        credentials_changed(player=user, session_key=request.session.session_key)


def _address_confirmed(*, request: HttpRequest, email_address: EmailAddress, **_rest: Any) -> None:
    """The address is nobody else's from now on. If it is not the first one, that hears of it; if a login code proved the
    first one in a browser that did not sign up, the password may be a stranger's. A link says that the password stays."""
    player = email_address.user
    proved(email_address.email)
    free(email_address.email, owner=player)
    by_code = request.resolver_match is not None and request.resolver_match.url_name == BY_CODE
    if by_code and player.last_login is None and request.session.get(SIGNED_UP) != player.pk:
        take_over(player=player, session_key=request.session.session_key)
        messages.warning(request, _("Choose your own password: the one that was given at sign-up is no longer good."))
    if not email_address.primary:
        told = {"added_email": email_address.email}
        get_adapter().send_notification_mail("account/email/email_added", player, told)


def _logged_in(*, request: HttpRequest, user: Player, **_rest: Any) -> None:
    proved_by_login(request, user)
