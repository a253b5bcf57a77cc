"""What the rules say to people: message ids with parameters, put into a language by whoever speaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence that is not yet in any language.

    `msgid` is the English source with `%(name)s` parameters. With a `plural`, `count` chooses the form and is
    also given to the text as `%(count)s`. A parameter may be a text, a number or another Phrase.
    """

    msgid: str
    params: Mapping[str, str | int | Phrase] = field(default_factory=dict)
    plural: str | None = None
    count: int | None = None


Say = Callable[[Phrase], str]


def phrase(msgid: str, /, **params: str | int | Phrase) -> Phrase:
    """A phrase without plural forms. makemessages collects the first argument."""
    return Phrase(msgid, params)


def phrases(singular: str, plural: str, /, count: int, **params: str | int | Phrase) -> Phrase:
    """A phrase whose form depends on `count`. makemessages collects both texts."""
    return Phrase(singular, params, plural, count)


def in_english(said: Phrase) -> str:
    """The English source itself: for records, errors of commands, and wherever no reader has a language."""
    text = said.plural if said.plural is not None and said.count != 1 else said.msgid
    words: dict[str, str | int] = {
        name: in_english(value) if isinstance(value, Phrase) else value for name, value in said.params.items()
    }
    if said.count is not None:
        words["count"] = said.count
    return text % words if words else text
