"""Letters about proposals: an offer to whoever must answer it, and the answer to whoever made it (N23).

So that nobody gets a letter too many: an agreement that ends the game or begins a turn is told by the letter of that; an offer
that was taken back, by nothing; one that lapsed because somebody moved on, by the line of the move that ended it.
"""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from accounts.models import Player
from games import selectors
from games.letters import links
from games.letters.table import context_of, written
from games.models import Game, LogEntry, Proposal, Right
from games.rules import entry as kinds
from games.selectors import GamePage
from notifications.message import one_line
from notifications.sources import Rendered, Waiting

SOURCE: Final = "proposals"
PROPOSAL: Final = "proposal"
ANSWER: Final = "answer"
REMOVED: Final = "removed"


class ProposalLetters:
    """`proposal` to a seat that must answer the proposal of entry `number`; `answer`, of entry `number`, to who proposed;
    `removed` to whom the others agreed to go on without."""

    kinds = (PROPOSAL, ANSWER, REMOVED)

    def still_wanted(self, letter: Waiting) -> bool:
        """An offer while it waits for the reader; an answer until the reader's next turn, whose letter tells it, or act."""
        about, reader = letter.about, letter.recipient
        games = Game.objects.running().filter(
            pk=about["game"], seat__number=about["seat"], seat__player=reader.pk if reader else None
        )
        if letter.kind == REMOVED:
            return games.exists()
        later = LogEntry.objects.filter(game=about["game"], number__gt=about["number"], seat=about["seat"])
        if letter.kind == PROPOSAL:
            waits = games.filter(proposals__number=about["number"], proposals__state=Proposal.State.OPEN)
            return waits.exists() and not later.filter(kind=kinds.AGREE, text=str(about["number"])).exists()
        turn_came = games.filter(to_move=about["seat"], turn_number__gt=about["number"])
        return games.exists() and not turn_came.exists() and not later.exists()

    def render(self, letter: Waiting) -> Rendered:
        """The letter in the recipient's language and time zone."""
        if letter.kind == REMOVED:
            return written(letter, REMOVED, context_of)
        context = _offer if letter.kind == PROPOSAL else _answer
        return written(letter, letter.kind, lambda page, seat: context(letter, page, seat), with_moves=letter.kind == ANSWER)


def _offer(letter: Waiting, page: GamePage, seat: int) -> dict[str, Any]:
    number, reader = letter.about["number"], letter.recipient
    offered = next(one for one in page.proposed if one.number == number)
    if not isinstance(reader, Player):
        raise TypeError("letters of games go to players")
    token = Right.objects.mint(game=page.pk, seat=seat, player=reader.pk, turn_number=number, purpose=Right.Purpose.ANSWER)
    return {
        **context_of(page, seat, without=number),
        "who": one_line(offered.who),
        "what": offered.title,
        "agree_url": links.answer(token, number, "agree"),
        "refuse_url": links.answer(token, number, "refuse"),
        "lapses": _until(page, number),
    }


def _until(page: GamePage, number: int) -> str:
    """How long the proposal waits."""
    kind = Proposal.objects.get(game=page.pk, number=number).kind
    if kind == kinds.TAKEBACK:
        return _("The proposal waits until you answer it, or until somebody moves.")
    if kind.startswith(kinds.REMOVE):
        return _("The proposal waits until you answer it, or until that player acts.")
    if len(page.players) == 2:
        return _("The proposal waits until you answer it, or until you move: that refuses it, too.")
    return _("The proposal waits until you answer it; moves change nothing about it.")


def _answer(letter: Waiting, page: GamePage, seat: int) -> dict[str, Any]:
    number = letter.about["number"]
    line = next(turn for turn in page.log if turn.entry == number)
    proposal = Proposal.objects.get(game=page.pk, number=letter.about["proposal"])
    return {
        **context_of(page, seat, without=number),
        "who": one_line(line.who),
        "what": selectors.proposal_title(proposal.kind, own=True, names=[one.name for one in page.players]),
        "agreed": line.kind == kinds.AGREE,
    }
