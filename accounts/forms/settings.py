"""The settings of a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from accounts.forms.fields import DisplayNameField, refuse_look_alike
from accounts.models import Player


def time_zones() -> list[tuple[str, str]]:
    """The zones a player may choose, by name."""
    return [(zone, zone.replace("_", " ")) for zone in sorted(available_timezones()) if "/" in zone or zone == "UTC"]


def languages() -> list[tuple[str, str]]:
    """Those that we speak, each under its own name."""
    return [(code, get_language_info(code)["name_local"]) for code, _name in settings.LANGUAGES]


class SettingsForm(forms.Form):
    """Display name, language and time zone of `player`."""

    display_name = DisplayNameField()
    language = forms.ChoiceField(label=_("Language"), choices=languages)
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=time_zones)

    def __init__(self, data: Mapping[str, Any] | None = None, *, player: Player) -> None:
        super().__init__(data, initial={name: getattr(player, name) for name in self.base_fields})
        self.player = player

    def clean_display_name(self) -> str:
        """Refuses a name that another player's looks like."""
        name: str = self.cleaned_data["display_name"]
        refuse_look_alike(name, player=self.player)
        return name
