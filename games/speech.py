"""Puts a phrase of the rules into the language that is active."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext, ngettext

from games.rules.phrase import Phrase, Say
from games.rules.position import numbered

_NUMBERED: Final = numbered(0).msgid


def say(said: Phrase) -> str:
    """The phrase in words, its own phrases included."""
    return _said(said, say)


def naming(names: Sequence[str]) -> Say:
    """Speaks as `say`, but calls seats that have a number alone by the names of their players."""

    def spoken(said: Phrase) -> str:
        if said.msgid == _NUMBERED:
            return names[int(str(said.params["number"])) - 1]
        return _said(said, spoken)

    return spoken


def _said(said: Phrase, speak: Say) -> str:
    words: dict[str, str | int] = {
        name: speak(value) if isinstance(value, Phrase) else value for name, value in said.params.items()
    }
    if said.plural is None or said.count is None:
        text = gettext(said.msgid)
    else:
        text = ngettext(said.msgid, said.plural, said.count)
        words["count"] = said.count
    return text % words if words else text
