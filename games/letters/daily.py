"""The daily letter: all games that wait for its reader, and what else has happened, in the place of single letters (N18)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games.letters import links
from games.letters.table import name_of
from games.models import Right
from games.selectors.daily import GameNews, News, ProposalNews, news_of
from notifications import outbox, preferences
from notifications.message import domain, one_line
from notifications.sources import Rendered, Waiting

SOURCE: Final = "daily"
DAILY: Final = "daily"
LONGEST: Final = timedelta(days=7)
"""What happened longer ago is no news, even where no letter has told it."""
FIRST: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Told:
    """A line about a game: its name, what there is to say, and where links lead; `board` to the page where its reader moves."""

    name: str
    news: GameNews
    url: str
    board: str = ""


class DailyLetters:
    """`daily`, for one day of its reader."""

    kinds = (DAILY,)

    def still_wanted(self, letter: Waiting) -> bool:
        """While it is the last one of its reader and has something to say: after a stalled queue there is one, not one a day."""
        reader = letter.recipient
        return isinstance(reader, Player) and outbox.is_last(letter.key) and bool(_news(reader))

    def render(self, letter: Waiting) -> Rendered:
        """The letter in the recipient's language and time zone. Raises TypeError for a reader who is no player."""
        reader = letter.recipient
        if not isinstance(reader, Player):
            raise TypeError("daily letters go to players")
        with translation.override(reader.language), timezone.override(reader.zone):
            news = _news(reader)
            told = _context(news, reader)
            return Rendered(
                subject=told["title"],
                text=render_to_string("games/letters/daily.txt", told) + render_to_string(links.FOOT, told),
                html=render_to_string("games/letters/daily.html", told),
                headers={"List-Id": f"<daily.{domain()}>"},
            )


def _news(reader: Player) -> News:
    topics = preferences.wishes_of(reader.pk).gathered
    now = timezone.now()
    last = outbox.last_sent(recipient_id=reader.pk, source=SOURCE) or now - FIRST
    return news_of(reader, topics=topics, since=max(last, now - LONGEST))


def _context(news: News, reader: Player) -> dict[str, Any]:
    waits = len(news.waiting)
    title = ngettext("%(count)s game waits for you", "%(count)s games wait for you", waits) % {"count": waits}
    return {
        "title": title if waits else _("News of your games"),
        "language": translation.get_language(),
        "reader": one_line(reader.name),
        "news": news,
        "waiting": [_told(one, board=_board(one, reader)) for one in news.waiting],
        "ended": [_told(one) for one in news.ended],
        "proposals": [(one, one_line(one.who), _proposal(one, reader)) for one in news.proposals],
        "with_rights": bool(news.waiting) or any(one.who for one in news.proposals),
        "received": [(one, one_line(one.challenger), links.challenge(one.pk)) for one in news.received],
        "answered": [(one, one_line(one.opponent), links.challenge(one.pk)) for one in news.answered],
        "url": links.mine(),
        "letters_url": links.letters(),
    }


def _told(news: GameNews, *, board: str = "") -> Told:
    return Told(name_of(news.title, news.pk, news.opponents), news, links.game(news.pk), board)


def _board(news: GameNews, reader: Player) -> str:
    """The page on which the reader moves without a login. Mints its right: the one write that letters make."""
    turn = {"game": news.pk, "seat": news.seat, "turn_number": news.turn_number}
    return links.page(Right.objects.mint(**turn, player=reader.pk, purpose=Right.Purpose.MOVE))


def _proposal(news: ProposalNews, reader: Player) -> str:
    """The page on which the reader answers without a login, or the game in which others have answered."""
    if not news.who:
        return links.game(news.game)
    asked = {"game": news.game, "seat": news.seat, "turn_number": news.number}
    return links.page(Right.objects.mint(**asked, player=reader.pk, purpose=Right.Purpose.ANSWER))
