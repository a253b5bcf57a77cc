"""Logging in with a passkey: what a browser sends of it, and what somebody else may send instead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.mfa.webauthn import forms as allauth_forms
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _


class Credential(forms.JSONField):
    """JSON of any kind: also numbers that are too long for Python, and brackets too deep, are merely wrong."""

    def to_python(self, value: Any) -> Any:
        """The parsed value. Raises ValidationError."""
        try:
            return super().to_python(value)
        except (ValueError, RecursionError) as unreadable:
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": "…"}) from unreadable


class LoginForm(allauth_forms.LoginWebAuthnForm):  # type: ignore[misc]
    """allauth's own with a field that does not break."""

    credential = Credential(widget=forms.HiddenInput)

    def clean_credential(self) -> Any:
        """The key that was shown. Raises ValidationError for what is none."""
        with _readable():
            return super().clean_credential()


class AddForm(allauth_forms.AddWebAuthnForm):  # type: ignore[misc]
    """Likewise, for a new key."""

    name = forms.CharField(label=_("Name of the key"), required=False)
    credential = Credential(widget=forms.HiddenInput)

    def clean(self) -> Any:
        """All fields. Raises ValidationError for a key that is none."""
        with _readable():
            return super().clean()


@contextmanager
def _readable() -> Iterator[None]:
    """The library that reads keys looks for what a browser sends, and falls over anything else."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError) as unreadable:
        raise ValidationError(forms.JSONField.default_error_messages["invalid"], code="invalid") from unreadable
