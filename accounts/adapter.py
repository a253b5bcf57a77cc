"""Where allauth asks us: what a new player is made of, and how its letters go out."""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any, Final
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from django import forms
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player

logger = logging.getLogger(__name__)

SENT: Final = "account/messages/email_confirmation_sent.txt"
UNSENT: Final = "_letter_unsent"


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Players have no user name; links in letters begin with SITE_URL."""

    def save_user(self, request: HttpRequest, user: Player, form: forms.Form, commit: bool = True) -> Player:
        """The new player with the display name of the form. Of two who take a name in the same moment one starts again."""
        user.display_name = form.cleaned_data["display_name"]
        try:
            with transaction.atomic():
                return super().save_user(request, user, form, commit=commit)  # type: ignore[no-any-return]
        except IntegrityError as taken:
            messages.error(request, _("Another player has just taken this name or address. Please choose another."))
            raise ImmediateHttpResponse(redirect("account_signup")) from taken

    def populate_username(self, request: HttpRequest, user: Player) -> None:
        """There is none."""

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """The page that confirms an address, by a button: a link scanner that opens it confirms nothing (L1)."""
        return f"{settings.SITE_URL}{reverse('account_confirm_email', args=[emailconfirmation.key])}"

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The page that sets a new password."""
        return f"{settings.SITE_URL}{urlsplit(super().get_reset_password_from_key_url(key)).path}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Sends at once. When the mail server is away the player is told so; the page goes on."""
        site = {"name": "Perepiska", "domain": urlsplit(settings.SITE_URL).netloc}
        try:
            super().send_mail(template_prefix, email, {"current_site": site, **context})
        except (SMTPException, OSError):
            logger.exception("the account letter %s could not be sent", template_prefix)
            request = allauth_context.request
            if request is not None:
                setattr(request, UNSENT, True)
                messages.error(request, _("The letter could not be sent just now. Please try again in a few minutes."))

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **kwargs: Any
    ) -> None:
        """As allauth, but never says of a letter that could not be sent that it was."""
        if message_template != SENT or not getattr(request, UNSENT, False):
            super().add_message(request, level, message_template, *args, **kwargs)


def user_display(player: Player) -> str:
    """How allauth's pages and letters name a player."""
    return player.name
