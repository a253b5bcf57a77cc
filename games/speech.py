"""Puts a phrase of the rules into the language that is active."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext

from games.rules.phrase import Phrase


def say(said: Phrase) -> str:
    """The phrase in words, its own phrases included."""
    words: dict[str, str | int] = {
        name: say(value) if isinstance(value, Phrase) else value for name, value in said.params.items()
    }
    if said.plural is None or said.count is None:
        text = gettext(said.msgid)
    else:
        text = ngettext(said.msgid, said.plural, said.count)
        words["count"] = said.count
    return text % words if words else text
