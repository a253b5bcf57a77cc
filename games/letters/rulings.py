"""Letters about rulings: what somebody outside the game decided, why, and how it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import Player
from games.letters.table import context_of, end_stands, written
from games.models import Game, LogEntry
from games.rules import entry as kinds
from games.rules.phrase import Phrase, phrase
from games.selectors import GamePage
from games.speech import say
from notifications.sources import Rendered, Waiting

SOURCE: Final = "rulings"
EXTENDED: Final = "extended"
ADJUDICATED: Final = "adjudicated"
TAKEN_BACK: Final = "taken_back"
PAUSED: Final = "paused"
RESUMED: Final = "resumed"
OUTAGE: Final = "outage"

OPENINGS: Final[Mapping[str, Phrase]] = {
    EXTENDED: phrase("%(reader)s, there is more time for the present turn."),
    ADJUDICATED: phrase("%(reader)s, the game is over by a ruling."),
    TAKEN_BACK: phrase("%(reader)s, the end of the game was taken back: it goes on."),
    PAUSED: phrase("%(reader)s, the game is paused: nobody moves, and nobody's time runs."),
    RESUMED: phrase("%(reader)s, the game goes on."),
    OUTAGE: phrase("%(reader)s, the service has lost some time: this is how the game stands now."),
}


class RulingLetters:
    """To every player of the game. `adjudicated` takes the place of the letter that tells an end, `taken_back` and `resumed`
    that of the turn's letter: they say whose turn it is."""

    kinds = tuple(OPENINGS)

    def still_wanted(self, letter: Waiting) -> bool:
        """While the ruling stands: the end that it made, the pause, the turn that was given time, the game that it let go on."""
        about, reader = letter.about, letter.recipient
        games = Game.objects.filter(pk=about["game"], seat__number=about["seat"], seat__player=reader.pk if reader else None)
        match letter.kind:
            case "adjudicated":
                return games.exists() and end_stands(about["game"], about["number"])
            case "paused":
                return games.running().exists() and _still_paused(about["game"], about["number"])
            case "extended" | "outage":
                return games.running().filter(turn_number__lt=about["number"]).exists()
            case "resumed":
                return games.running().filter(deadline__isnull=False).exists() and not _told_since(about)
            case _:
                return games.running().exists()

    def render(self, letter: Waiting) -> Rendered:
        """The letter in the recipient's language and time zone."""
        goes_on = letter.kind in (TAKEN_BACK, RESUMED, OUTAGE)
        return written(letter, "ruling", lambda page, seat: _context(letter, page, seat), with_moves=goes_on)


def _still_paused(game: int, number: int) -> bool:
    pause = LogEntry.objects.get(game=game, number=number)
    later = LogEntry.objects.filter(game=game, number__gt=number)
    released = later.filter(kind__in=(kinds.CLOCK, kinds.RESIGN), seat=pause.seat)
    return not released.exists() and not later.filter(kind=kinds.CORRECT).exists()


def _told_since(about: Mapping[str, Any]) -> bool:
    """Whether the reader has moved or been given another turn since, of which its own letter tells; or another pause came."""
    since = LogEntry.objects.filter(game=about["game"], number__gt=about["number"])
    paused = Q(kind=kinds.CLOCK, text__in=(kinds.PAUSE, kinds.RESUME))
    told = since.filter(paused | Q(seat=about["seat"], kind__in=(kinds.MOVE, kinds.TIMEOUT))).exists()
    return told or Game.objects.filter(pk=about["game"], to_move=about["seat"], turn_number__gt=about["number"]).exists()


def _context(letter: Waiting, page: GamePage, seat: int) -> dict[str, Any]:
    number = letter.about["number"]
    told = context_of(page, seat, without=number)
    line = next(turn for turn in page.log if turn.entry == number)
    return {
        **told,
        "opening": say(OPENINGS[letter.kind]) % {"reader": told["reader"]},
        "line": line,
        "reason": line.reason or _why_suspended(letter, line.seat == seat),
        "their_turn": page.my_turn and letter.kind in (TAKEN_BACK, RESUMED, OUTAGE),
        "call": _("Open the game and move") if page.my_turn else _("Look at the game"),
    }


def _why_suspended(letter: Waiting, is_own: bool) -> str:
    """Why the reader may not play; nobody else is told."""
    reader = letter.recipient
    if letter.kind != PAUSED or not is_own or not isinstance(reader, Player) or reader.suspension is None:
        return ""
    return reader.suspension.text
