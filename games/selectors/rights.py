"""What the holder of a link in a letter finds behind it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Literal

from django.db.models import F
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from accounts.models import Player
from games.models import LogEntry, Right
from games.rules import entry as kinds
from games.rules import registry
from games.selectors.challenges import may_play
from games.selectors.log import Turn
from games.selectors.messages import Words, words_of
from games.selectors.table import GamePage, Proposed, game_page

ENDS: Final = (kinds.MOVE, kinds.TIMEOUT, kinds.RESIGN, kinds.ABORT, kinds.ADJUDICATE, kinds.CORRECT)
"""What a turn begins or ends with; whatever else is said in between leaves it as it is."""


@dataclass(frozen=True, slots=True)
class Held:
    """A right that is not void, and the player to whom it went. `number` is that of the turn, or of the proposal's entry."""

    pk: int
    game: int
    seat: int
    player: Player
    to_answer: bool
    number: int


@dataclass(frozen=True, slots=True)
class RightPage:
    """`state` of the right: open, waiting while the game is paused, or spent. `page` is the game as the holder may see it by
    this right, None when that is nothing any more.

    `played` is what the seat played in the turn so far. `asked` is the proposal to answer, `answered` the kind of the answer
    that the seat gave.
    """

    state: Literal["open", "paused", "spent"]
    page: GamePage | None
    played: Turn | None
    asked: Proposed | None
    answered: str
    words: Words | None


@sensitive_variables("token")
def right_with(token: str) -> Held | None:
    """The right of the letter that holds the token; None for an unknown one, a void one, and one whose player has lost the seat
    or may not play: nobody can tell these apart."""
    rights = Right.objects.open().with_token(token).select_related("player")
    one = rights.filter(game__seat__number=F("seat"), game__seat__player=F("player")).first()
    if one is None or not may_play(one.player):
        return None
    return Held(one.pk, one.game_id, one.seat, one.player, one.purpose == Right.Purpose.ANSWER, one.turn_number)


def right_page(held: Held, *, chosen: str = "", pieces: Collection[str] | None = None, meant_for: int | None = None) -> RightPage:
    """What the right is good for now; `chosen`, `pieces` and `meant_for` as for a game's page."""
    page = game_page(held.game, held.player, chosen=chosen, pieces=pieces, meant_for=meant_for)
    if page is None:
        raise LookupError(f"right {held.pk} is for a game that its player does not see")
    asked = next((one for one in page.proposed if held.to_answer and one.number == held.number), None)
    if page.over:
        lasts, now = False, False
    elif held.to_answer:
        lasts, now = asked is not None, asked is not None and asked.to_answer
    else:
        lasts, now = page.turn_number == held.number, page.my_turn
    if lasts and (now or page.paused):
        state: Literal["open", "paused"] = "open" if now else "paused"
        words = words_of(held.game, held.player) if now else None
        return RightPage(state, page, _played(page, held), asked, "", words)
    # The right is over: what is hidden from others is hidden from whoever kept an old letter.
    secret = registry.get(page.ruleset).facts.hidden and not page.over
    seen = game_page(held.game, None) if secret else page
    played = _played(page, held)
    if secret and played is not None:
        played = (seen and _played(seen, held)) or replace(played, text=_("a move"), told=(), to_mover=())
    return RightPage("spent", seen, played, None, _answered(held), None)


def _played(page: GamePage, held: Held) -> Turn | None:
    """The first thing that happened in the turn, if it is the seat's own move."""
    if held.to_answer:
        return None
    first = next((turn for turn in page.log if turn.entry > held.number and turn.kind in ENDS), None)
    return first if first is not None and (first.kind, first.seat) == (kinds.MOVE, held.seat) else None


def _answered(held: Held) -> str:
    answers = LogEntry.objects.filter(game=held.game, seat=held.seat, text=str(held.number))
    return answers.filter(kind__in=(kinds.AGREE, kinds.REFUSE)).values_list("kind", flat=True).first() or ""
