"""Words that pages and letters share: spans of time, names of seats, how a game ended, a game's guide."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from functools import lru_cache
from importlib import resources
from typing import Final, NamedTuple, Protocol

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from accounts.models import Player
from games.models import Game
from games.rules import registry
from games.rules.entry import Options
from games.rules.phrase import Phrase, phrase
from games.rules.ruleset import AnyRuleset, Facts
from games.speech import say

TERMINATIONS: Final[dict[str, Phrase]] = {
    "resignation": phrase("resignation"),
    "time_forfeit": phrase("time ran out"),
    "agreement": phrase("by agreement"),
    "aborted": phrase("called off"),
    "adjudication": phrase("by a moderator's ruling"),
    "annulled": phrase("annulled by a moderator"),
    "seed_lost": phrase("annulled: a seed was lost"),
    "abandoned": phrase("annulled: nobody played any more"),
}


class Person(NamedTuple):
    """A player as others see him: `profile` is the number of his page, None when he has none any more."""

    name: str
    profile: int | None


def person(player: Player) -> Person:
    """The player as others see him."""
    return Person(player.name, player.pk if player.is_active and player.leaving_at is None else None)


class Occupied(Protocol):
    """A seat, or what was read of one: its player, or the level of its computer, or neither for a guest."""

    @property
    def player(self) -> Player | None:
        """None for a computer and a guest."""

    @property
    def engine(self) -> int | None:
        """The level of a computer, None for anybody else."""


def person_at(seat: Occupied) -> Person:
    """Whoever holds a seat, as others see them. Computers and guests have no page."""
    if seat.player is not None:
        return person(seat.player)
    return Person(computer(seat.engine) if seat.engine is not None else _("Guest"), None)


def name_at(seat: Occupied) -> str:
    """The name of whoever holds a seat."""
    return person_at(seat).name


def people_at(seats: Collection[Occupied]) -> list[Person]:
    """Everybody at one table, in the order of its seats: several computers are told apart by the numbers of their seats."""
    people = [person_at(seat) for seat in seats]
    if sum(seat.engine is not None for seat in seats) < 2:
        return people
    return [
        one if seat.engine is None else Person(numbered_computer(place, seat.engine), None)
        for place, (seat, one) in enumerate(zip(seats, people, strict=True), 1)
    ]


def names_at(seats: Collection[Occupied]) -> list[str]:
    """The names of everybody at one table, in the order of its seats."""
    return [one.name for one in people_at(seats)]


def computer(level: int) -> str:
    """What a computer of a level is called."""
    return _("Computer, level %(level)s") % {"level": level}


def computer_of_many(level: int) -> str:
    """The same in a row of names, before anybody has a seat."""
    return _("Computer (level %(level)s)") % {"level": level}


def numbered_computer(number: int, level: int) -> str:
    """What it is called where there are others."""
    return _("Computer %(number)s (level %(level)s)") % {"number": number, "level": level}


def duration(span: timedelta) -> str:
    """A span in words, in its two largest units."""
    seconds = int(span.total_seconds()) + 59
    return _duration(seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60 if seconds < 86400 else 0, get_language() or "")


def remaining(span: timedelta) -> str:
    """The time that is left, in words: as `duration`, but below an hour to the second, as the script of the page counts down."""
    if span >= timedelta(hours=1):
        return duration(span)
    minutes, seconds = divmod(max(0, int(span.total_seconds())), 60)
    words = [
        ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes} if minutes else "",
        ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds} if seconds or not minutes else "",
    ]
    return " ".join(filter(None, words))


@lru_cache(maxsize=2048)
def _duration(days: int, hours: int, minutes: int, language: str) -> str:
    """The language is a key only."""
    words = [
        ngettext("%(count)s day", "%(count)s days", days) % {"count": days} if days else "",
        ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": hours} if hours else "",
        ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes} if minutes else "",
    ]
    return " ".join(filter(None, words)) or _("less than a minute")


def title_of(ruleset: str) -> str:
    """What the game of this ruleset is called."""
    return title_in(ruleset, get_language() or "")


@lru_cache(maxsize=256)
def title_in(ruleset: str, language: str) -> str:
    """The same for who has asked for the active language already, which is `language`."""
    return say(registry.get(ruleset).facts.title)


def seat_names(game: Game) -> list[str]:
    """The players' names by seat."""
    return names_at(game.seat_set.select_related("player"))


def seat_title(ruleset: AnyRuleset, seat: int) -> str:
    """What the ruleset calls a seat: South, or its number."""
    if seat < len(ruleset.facts.seat_titles):
        return say(ruleset.facts.seat_titles[seat])
    return _("Seat %(number)s") % {"number": seat + 1}


def your_seat(ruleset: AnyRuleset, seat: int, seats: int) -> str:
    """The sentence that tells somebody which of all seats is theirs."""
    if seat < len(ruleset.facts.seat_titles):
        return _("You are %(seat)s.") % {"seat": seat_title(ruleset, seat)}
    return _("You have seat %(number)s of %(seats)s.") % {"number": seat + 1, "seats": seats}


def options_in_words(facts: Facts, chosen: Options) -> tuple[tuple[str, str], ...]:
    """The titles of a ruleset's options, each with what was chosen."""
    return tuple(
        (say(option.title), say(dict(option.offered).get(chosen.get(option.name, option.default), phrase("other"))))
        for option in facts.options
    )


def ending(game: Game, names: list[str]) -> str:
    """How the game ended, in words; empty while it goes on."""
    return end_in_words(game.ruleset, game.termination, game.result, names) if game.ended_at is not None else ""


def why_it_ended(termination: str, ruleset: str | None = None) -> str:
    """A way to end in the words of the ruleset; without one, of any that has words for it."""
    own: dict[str, Phrase] = {}
    for name in registry.names() if ruleset is None else (ruleset,):
        own |= registry.get(name).facts.terminations or {}
    return say({**own, **TERMINATIONS}.get(termination, phrase("ended")))


def end_in_words(ruleset: str, termination: str, result: str, names: list[str]) -> str:
    """Why a game of this ruleset ended and who won."""
    why = why_it_ended(termination, ruleset)
    if result == "*":
        return _("No result (%(why)s).") % {"why": why}
    points = result.split("-")
    if len({*points}) == 1:
        return _("A draw (%(why)s).") % {"why": why}
    best = ", ".join(name for name, one in zip(names, points, strict=False) if one != "0")
    if "1" in points:
        return _("%(winners)s won (%(why)s).") % {"winners": best, "why": why}
    return _("%(names)s share the first place (%(why)s).") % {"names": best, "why": why}


def guide(ruleset: AnyRuleset) -> str:
    """The rules for players in the active language, as Markdown; the text lies beside the ruleset."""
    folder = resources.files(type(ruleset).__module__)
    language = (get_language() or "en").split("-")[0]
    own = folder / f"guide.{language}.md"
    return (own if own.is_file() else folder / "guide.en.md").read_text(encoding="utf-8")
