"""The settings of a player."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Player


def time_zones() -> list[tuple[str, str]]:
    """The zones a player may choose, by name."""
    return [(zone, zone.replace("_", " ")) for zone in sorted(available_timezones()) if "/" in zone or zone == "UTC"]


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """Language and time zone."""

    time_zone = forms.ChoiceField(label=_("Time zone"), choices=time_zones)

    class Meta:
        model = Player
        fields = ["language", "time_zone"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].required = True
