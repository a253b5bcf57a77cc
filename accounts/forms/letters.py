"""Which letters a player wants, and when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from notifications import hours
from notifications.preferences import Wishes
from notifications.topics import PACES, Pace, Topic

HOURS = [(str(hour), f"{hour:02}:00") for hour in range(24)]


def _hour(value: str) -> int | None:
    return int(value) if value else None


class LettersForm(forms.Form):
    """A field for each topic, named like it; quiet hours, both or none; the hour of the daily letter, which is not quiet."""

    quiet_from = forms.TypedChoiceField(
        label=_("Quiet hours begin"), choices=[("", "–"), *HOURS], coerce=_hour, empty_value=None, required=False
    )
    quiet_until = forms.TypedChoiceField(
        label=_("Quiet hours end"),
        choices=[("", "–"), *HOURS],
        coerce=_hour,
        empty_value=None,
        required=False,
        help_text=_("Letters wait until they end. Only a warning goes at once if your time would be over by then."),
    )
    digest_hour = forms.TypedChoiceField(label=_("The daily letter comes at"), choices=HOURS, coerce=int)

    def __init__(self, data: Mapping[str, Any] | None = None, *, wishes: Wishes) -> None:
        chosen = {name: getattr(wishes, name) for name in ("quiet_from", "quiet_until", "digest_hour")}
        super().__init__(data, initial={**wishes.paces, **chosen})
        topics = {str(topic): self._pace_of(Topic(topic)) for topic in PACES}
        self.fields = topics | self.fields

    def _pace_of(self, topic: Topic) -> forms.Field:
        return forms.ChoiceField(label=topic.label, choices=[(pace.value, pace.label) for pace in PACES[topic]])

    @property
    def wishes(self) -> Wishes:
        """What was chosen."""
        given = self.cleaned_data
        paces = {str(topic): cast(str, given[topic]) for topic in PACES}
        return Wishes(paces, given["quiet_from"], given["quiet_until"], given["digest_hour"])

    def clean(self) -> dict[str, Any]:
        """Refuses half of quiet hours, those that go round the clock, and a daily letter in them that would wait each day."""
        given = self.cleaned_data
        begin, end = given.get("quiet_from"), given.get("quiet_until")
        if begin is None and end is None:
            return given
        if begin is None or end is None:
            self.add_error("quiet_until", ValidationError(_("Give both hours, or none.")))
        elif begin == end:
            self.add_error("quiet_until", ValidationError(_("Quiet hours cannot begin and end at the same hour.")))
        elif self._is_daily() and hours.is_within(given.get("digest_hour", end), begin, end):
            self.add_error("digest_hour", ValidationError(_("This is in your quiet hours.")))
        return given

    def _is_daily(self) -> bool:
        return any(self.cleaned_data.get(topic) == Pace.DAILY for topic in PACES)
