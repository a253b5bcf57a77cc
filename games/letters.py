"""What the letters of games say: made when they are about to go, from what the recipient may know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Any, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import Player
from games import selectors, timing
from games.models import Game
from games.rules import entry as kinds
from games.rules import registry
from games.rules.replay import begin, step
from games.speech import say
from notifications.sources import Rendered, Waiting

SOURCE: Final = "games"
TURN: Final = "turn"
OVER: Final = "over"


@dataclass(frozen=True, slots=True)
class Played:
    """Plies of one turn that somebody else made: who, the notation, and what it did in words."""

    who: str
    text: str
    told: tuple[str, ...]


class GameLetters:
    """Letters about a game: `turn` to the one who must decide, `over` to everybody."""

    def still_wanted(self, letter: Waiting) -> bool:
        """A turn letter only while its turn lasts and its seat has not played in it; the end is told in any case."""
        game = Game.objects.filter(pk=letter.about["game"]).first()
        if game is None:
            return False
        if letter.kind == TURN:
            began = letter.about["position_number"]
            played = game.entries.filter(number__gt=began, kind=kinds.MOVE)
            return game.ended_at is None and game.turn_number == began and not played.exists()
        return game.ended_at is not None

    def render(self, letter: Waiting) -> Rendered:
        """The letter in the recipient's language and time zone."""
        reader = letter.recipient
        if not isinstance(reader, Player):
            raise TypeError("letters of games go to players")
        with translation.override(reader.language), timezone.override(ZoneInfo(reader.time_zone)):
            return _render(letter.kind, Game.objects.get(pk=letter.about["game"]), reader, letter.about["seat"])


def _render(kind: str, game: Game, reader: Player, seat: int) -> Rendered:
    ruleset = registry.get(game.ruleset)
    names = selectors.seat_names(game)
    view = ruleset.view(ruleset.load(game.position), seat)
    context = {
        "game": game,
        "title": say(ruleset.facts.title),
        "reader": names[seat],
        "seat": selectors.seat_title(ruleset, seat),
        "others": [name for number, name in enumerate(names) if number != seat],
        "played": list(_since_last_turn(game, seat, names)),
        "hidden": ruleset.facts.hidden,
        "diagram": ruleset.diagram(view),
        "description": ruleset.describe(view, say),
        "deadline": game.deadline,
        "deadline_utc": game.deadline and game.deadline.astimezone(UTC),
        "left": selectors.duration(timing.left(game.deadline, timezone.now())) if game.deadline else "",
        "reflection": selectors.duration(timedelta(seconds=game.reflection)),
        "ending": selectors.ending(game, names),
        "url": f"{settings.SITE_URL}{reverse('games:game', args=[game.pk])}",
        "language": translation.get_language(),
    }
    return Rendered(
        subject=_subject(game, context),
        text=render_to_string(f"games/letters/{kind}.txt", context),
        html=render_to_string(f"games/letters/{kind}.html", context),
        headers=_headers(game),
    )


def _subject(game: Game, context: dict[str, Any]) -> str:
    """One subject for all letters of a game, so that mail programs thread them."""
    return _("%(game)s no. %(number)s against %(others)s") % {
        "game": context["title"],
        "number": game.pk,
        "others": ", ".join(context["others"]),
    }


def _headers(game: Game) -> dict[str, str]:
    host = urlsplit(settings.SITE_URL).hostname
    root = f"<game-{game.pk}@{host}>"
    return {
        "References": root,
        "In-Reply-To": root,
        "List-Id": f"<game-{game.pk}.{host}>",
        "Auto-Submitted": "auto-generated",
    }


def _since_last_turn(game: Game, seat: int, names: list[str]) -> Iterator[Played]:
    """What the others moved after the reader's last own move, turn by turn; nothing of games with hidden things."""
    ruleset = registry.get(game.ruleset)
    if ruleset.facts.hidden:
        return
    standing = begin(ruleset, game.options, game.seats)
    turns: dict[int, tuple[str, list[str], list[str]]] = {}
    for row in game.entries.all():
        if row.kind == kinds.MOVE and row.seat == seat:
            turns = {}
        elif row.kind == kinds.MOVE and row.seat is not None:
            _who, plies, told = turns.setdefault(standing.turn_number, (names[row.seat], [], []))
            told += [say(event.said) for event in ruleset.events(standing.position, row.text)]
            plies.append(row.text)
        standing = step(ruleset, standing, row.as_entry())
    for who, plies, told in turns.values():
        yield Played(who, ruleset.join(plies), tuple(told))
