"""Where allauth asks us: what a new player is made of, how its letters go out, how second factors are kept."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, MultiFernet
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from accounts import hooks, letters
from accounts.addresses import validate_address
from accounts.models import Player
from accounts.services.unconfirmed import SIGNED_UP


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Players have no user name; letters go through the outbox."""

    def save_user(self, request: HttpRequest, user: Player, form: forms.Form, commit: bool = True) -> Player:
        """The new player with the display name of the form. Of two who take a name in the same moment one starts again."""
        user.display_name = form.cleaned_data["display_name"]
        try:
            with transaction.atomic():
                player: Player = super().save_user(request, user, form, commit=commit)
        except IntegrityError as taken:
            messages.error(request, _("Another player has just taken this name or address. Please choose another."))
            raise ImmediateHttpResponse(redirect("account_signup")) from taken
        request.session[SIGNED_UP] = player.pk
        return player

    def logout(self, request: HttpRequest) -> None:
        """The session ends, but for what is the browser's."""
        kept = {name: request.session[name] for name in hooks.kept_at_logout() if name in request.session}
        super().logout(request)
        request.session.update(kept)

    def clean_email(self, email: str) -> str:
        """The address as it was given, if we would write to it."""
        validate_address(email)
        return email

    def populate_username(self, request: HttpRequest, user: Player) -> None:
        """There is none."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Posts the letter."""
        letters.send(template_prefix, email, context)

    def send_account_already_exists_mail(self, email: str) -> None:
        """Takes as long as a sign-up that hashes a password (S6)."""
        make_password(get_random_string(12))
        super().send_account_already_exists_mail(email)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Keeps secrets of second factors unreadable to whoever has the database alone."""

    def encrypt(self, text: str) -> str:
        """The secret under a key that follows from SECRET_KEY."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret; also one from before SECRET_KEY was changed, while SECRET_KEY_FALLBACKS holds the old one (L13)."""
        return _cipher().decrypt(encrypted_text.encode()).decode()


def _cipher() -> MultiFernet:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(urlsafe_b64encode(sha256(f"second factor {key}".encode()).digest())) for key in keys])


def user_display(player: Player) -> str:
    """How allauth's pages and letters name a player."""
    return player.name
