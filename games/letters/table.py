"""Letters about a game: whose turn it is, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import Player
from games import selectors
from games.letters import links, moves, pictures, words
from games.letters.beginning import begun
from games.models import Game, LogEntry
from games.rules import entry as kinds
from games.selectors import GamePage
from notifications import outbox, preferences
from notifications.message import domain, one_line
from notifications.sources import Attachment, Rendered, Waiting
from notifications.topics import Pace, Topic

SOURCE: Final = "games"
TURN: Final = "turn"
OVER: Final = "over"
_BLANK: Final = re.compile(r"\n{3,}")
LINES: Final = 40
"""So many lines of the log a letter tells at most; at a table of twenty much may happen between two turns."""


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody did since the reader's last turn: the notation, and what it came to in words (none if that is hidden),
    `wrapped` for a text letter. It may be a move that was `played`; of one told `aloud` the words alone are told."""

    who: str
    text: str
    told: tuple[str, ...]
    reason: str = ""
    entry: int = 0
    played: bool = False
    aloud: bool = False

    @property
    def wrapped(self) -> tuple[str, ...]:
        """What it came to, in lines of a text letter."""
        return words.wrapped(" ".join(self.told))


def key_of(kind: str, game: int, number: int, player: int) -> str:
    """The key of the player's letter of this kind about what entry `number` brought."""
    return f"{kind}:{game}:{number}:{player}"


def warning_key(game: int, deadline: datetime, player: int) -> str:
    """The key of the letter that warns the player of a deadline."""
    return f"warning:{game}:{deadline.isoformat()}:{player}"


class GameLetters:
    """Letters about a game: `turn` to the one who must decide, `over` to everybody."""

    kinds = (TURN, OVER)

    def still_wanted(self, letter: Waiting) -> bool:
        """The letter of a turn while it lasts, its seat has not moved in it, no pause or outage came between, after which another
        letter says whose turn it is, and no warning takes its place; that of an end while this end stands."""
        about, reader = letter.about, letter.recipient
        if letter.kind == TURN:
            waiting = Game.objects.running().filter(
                pk=about["game"],
                turn_number=about["position_number"],
                to_move=about["seat"],
                deadline__isnull=False,
                seat__number=about["seat"],
                seat__player=reader.pk if reader else None,
            )
            moved = Q(kind=kinds.MOVE, seat=about["seat"])
            paused = Q(text__in=(kinds.PAUSE, kinds.RESUME)) | Q(text__startswith=kinds.OUTAGE)
            later = LogEntry.objects.filter(game=about["game"], number__gt=about["position_number"])
            since = later.filter(moved | Q(paused, kind=kinds.CLOCK))
            deadline = waiting.values_list("deadline", flat=True).first()
            return deadline is not None and not since.exists() and not _is_warned(about["game"], deadline, reader)
        return end_stands(about["game"], about["number"])

    def render(self, letter: Waiting) -> Rendered:
        """The letter in the recipient's language and time zone."""
        return written(letter, letter.kind, context_of, with_moves=letter.kind == TURN)


def end_stands(game: int, number: int) -> bool:
    """Whether the game is over, and entry `number` ended it: then a seed may be revealed, and nothing else comes after it."""
    later = LogEntry.objects.filter(game=game, number__gt=number).exclude(kind=kinds.REVEAL)
    return Game.objects.ended().filter(pk=game).exists() and not later.exists()


def _is_warned(game: int, deadline: datetime, reader: AbstractBaseUser | None) -> bool:
    """Whether the warning goes or went to the reader: it says all that the letter of the turn says. After an outage that was as
    long as most of a turn both would come at once (N17)."""
    if reader is None or not outbox.goes_or_went(warning_key(game, deadline, reader.pk)):
        return False
    return preferences.wishes_of(reader.pk).paces[Topic.WARNINGS] != Pace.NONE


def written(
    letter: Waiting, template: str, context: Callable[[GamePage, int], dict[str, Any]], *, with_moves: bool = False
) -> Rendered:
    """A letter about a game in the recipient's language and time zone; `context` is asked with the page and his seat.

    The board is `board` where the HTML shows it. `with_moves`: its reader may move by it, if it is his turn. That of an end
    brings the record.

    Raises TypeError for a reader who is no player, LookupError for one who has no seat.
    """
    reader = letter.recipient
    if not isinstance(reader, Player):
        raise TypeError("letters of games go to players")
    with translation.override(reader.language), timezone.override(reader.zone):
        page = selectors.game_page(letter.about["game"], reader)
        if page is None or page.seat is None:
            raise LookupError(f"{letter.key} is about a game in which its reader has no seat")
        board, files = pictures.board(page), _record(page, reader)
        told = {
            **context(page, page.seat),
            **words.context_of(page, reader),
            **(moves.context_of(page, reader) if with_moves else {}),
            "board": board,
            "record": files[0].name if files else "",
            "letters_url": links.letters(),
        }
        html = render_to_string(f"games/letters/{template}.html", told)
        text = render_to_string(f"games/letters/{template}.txt", told) + render_to_string(links.FOOT, told)
        return Rendered(
            subject=name_of(page.title, page.pk, [one.name for seat, one in enumerate(page.players) if seat != page.seat]),
            text=_BLANK.sub("\n\n", text),
            html=html,
            headers=_headers(page.pk),
            pictures=[board] if board.content_id in html else [],
            attachments=files,
        )


def _record(page: GamePage, reader: Player) -> list[Attachment]:
    """The record of a game that is over."""
    record = selectors.record_of(page.pk, reader) if page.over else None
    return [Attachment(selectors.file_name(page.pk), "text/plain", record.encode())] if record else []


def context_of(page: GamePage, seat: int, *, without: int = 0) -> dict[str, Any]:
    """What every letter about a game says; `without` the line that entry made, when the letter is about it."""
    lines = [line for line in _since_last_turn(page) if line.entry != without]
    return {
        "page": page,
        "reader": one_line(page.players[seat].name),
        "begun": begun(page, seat),
        "fingerprint": page.fingerprints[-1] if page.fingerprints else "",
        "lines": lines[-LINES:],
        "earlier": max(0, len(lines) - LINES),
        "ending": " ".join(filter(None, (one_line(page.ending), _final_score(page)))),
        "decider": one_line(page.decider),
        "url": links.game(page.pk),
        "language": translation.get_language(),
    }


def _final_score(page: GamePage) -> str:
    """What each has in the end, where the game counts: a board whose stones were divided by agreement does not tell it."""
    told = "; ".join(f"{one_line(player.name)}: {player.score}" for player in page.players if player.score)
    return f"{told}." if page.over and told else ""


def _since_last_turn(page: GamePage) -> Sequence[Line]:
    """What happened after the reader last moved or let his time run out, and still stands."""
    return [
        Line(one_line(turn.who), turn.text, turn.told, turn.reason, turn.entry, turn.kind == kinds.MOVE, turn.aloud)
        for turn in page.since
    ]


def name_of(title: str, number: int, others: Sequence[str]) -> str:
    """What letters call a game: the subject of all that are about it alone, so that mail programs thread them."""
    told = {"title": title, "number": number}
    if len(others) == 1:
        return _("%(title)s no. %(number)s against %(who)s") % {**told, "who": one_line(others[0])}
    return _("%(title)s no. %(number)s") % told


def _headers(game: int) -> dict[str, str]:
    root = f"<game-{game}@{domain()}>"
    return {"References": root, "In-Reply-To": root, "List-Id": f"<game-{game}.{domain()}>"}
