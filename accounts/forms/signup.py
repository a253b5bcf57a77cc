"""What sign-up asks besides address and password."""

from __future__ import annotations

from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts.forms.fields import DisplayNameField, refuse_look_alike
from accounts.models import Player


class SignupForm(forms.Form):
    """What allauth's sign-up form has besides: the display name, and the zone that the browser guesses."""

    display_name = DisplayNameField()
    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))
    field_order = ["email", "display_name", "password1", "password2"]

    def clean_display_name(self) -> str:
        """Refuses a name that another player's looks like."""
        name: str = self.cleaned_data["display_name"]
        refuse_look_alike(name)
        return name

    def clean_time_zone(self) -> str:
        """A guess that is no zone counts as none."""
        zone: str = self.cleaned_data["time_zone"]
        return zone if zone in available_timezones() else "UTC"

    def signup(self, request: HttpRequest, user: Player) -> None:
        """Called by allauth with the new player: gives him his language and zone."""
        language = get_language() or settings.LANGUAGE_CODE
        user.language = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        user.time_zone = self.cleaned_data["time_zone"]
        user.save()
