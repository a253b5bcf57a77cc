"""The page that sends a login code. It stands apart from the other forms: allauth asks for those while it is still loading."""

from __future__ import annotations

from allauth.account import forms as allauth_forms

from accounts.addresses import validate_address


class RequestLoginCodeForm(allauth_forms.RequestLoginCodeForm):  # type: ignore[misc]
    """allauth's own, which asks the adapter about addresses in every form but this one."""

    def clean_email(self) -> str:
        """The address, if we would write to it."""
        validate_address(self.cleaned_data["email"])
        email: str = super().clean_email()
        return email
