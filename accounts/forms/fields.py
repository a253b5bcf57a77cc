"""The display name, as sign-up and settings ask for it."""

from __future__ import annotations

import unicodedata

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.names import LONGEST, name_key, validate_display_name


class DisplayNameField(forms.CharField):
    """A name that may be shown to others. Cleans to its composed form."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Display name"),
            max_length=LONGEST,
            help_text=_("How other players see you."),
            validators=[validate_display_name],
            widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
        )

    def clean(self, value: str | None) -> str:
        """The name as it will be stored."""
        return unicodedata.normalize("NFC", super().clean(value))


def refuse_look_alike(name: str, *, player: Player | None = None) -> None:
    """Raises ValidationError for a name that somebody else's looks like; `player` may keep and respell one's own."""
    alike = Player.objects.filter(name_key=name_key(name))
    if (alike.exclude(pk=player.pk) if player else alike).exists():
        raise ValidationError(_("Another player has this name or one that looks like it."))
