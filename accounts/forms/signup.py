"""What sign-up asks besides address and password."""

from __future__ import annotations

import unicodedata
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.names import LONGEST, name_key, validate_display_name


class SignupForm(forms.Form):
    """What allauth's sign-up form has besides: the display name, and the zone that the browser guesses."""

    display_name = forms.CharField(
        label=_("Display name"),
        max_length=LONGEST,
        help_text=_("How other players see you."),
        validators=[validate_display_name],
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))
    field_order = ["email", "display_name", "password1", "password2"]

    def clean_display_name(self) -> str:
        """Refuses a name that another player's looks like."""
        name = unicodedata.normalize("NFC", self.cleaned_data["display_name"])
        if Player.objects.filter(name_key=name_key(name)).exists():
            raise ValidationError(_("Another player has this name or one that looks like it."))
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
