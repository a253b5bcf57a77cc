"""What a report says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Report

LONGEST: Final = 2000


class ReportForm(forms.Form):
    """What it is about, and what happened; whom it is about where there are several `players` (id and name)."""

    reported = forms.TypedChoiceField(label=_("Player"), coerce=int, widget=forms.RadioSelect)
    about = forms.ChoiceField(label=_("What is it about?"), choices=Report.About.choices, widget=forms.RadioSelect)
    text = forms.CharField(label=_("What happened?"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 6}))

    def __init__(self, *args: Any, players: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(players) == 1:
            del self.fields["reported"]
        else:
            self.fields["reported"].choices = list(players)  # type: ignore[attr-defined]
        self.only = players[0][0]

    def player_id(self) -> int:
        """The player whom the filled-in form is about."""
        return int(self.cleaned_data.get("reported", self.only))
