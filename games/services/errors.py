"""Why a service refuses: each with words for the player and the HTTP status that fits. Nothing was changed."""

from __future__ import annotations

from typing import ClassVar

from games.rules.phrase import Phrase, in_english, phrase


class Refused(Exception):
    """The base of all refusals; `said` is what the player is told."""

    status: ClassVar[int] = 400
    reason: ClassVar[Phrase] = phrase("That is not possible.")

    def __init__(self, said: Phrase | None = None) -> None:
        self.said = said or self.reason
        super().__init__(in_english(self.said))


class Gone(Refused):
    """There is no such thing, or it is not for this player to see."""

    status = 404
    reason = phrase("This does not exist, or it is not yours to see.")


class NotAllowed(Refused):
    """Somebody else may do this, or the terms do not fit."""

    status = 403
    reason = phrase("You may not do this.")


class BadTerms(Refused):
    """A challenge that no game could follow."""


class StalePosition(Refused):
    """The submission was meant for another position."""

    status = 409
    reason = phrase("This was meant for another position. Here is the present one; nothing was played.")


class TakenBack(StalePosition):
    """What was submitted was played, and was taken back since."""

    reason = phrase("This move was played and taken back since. Here is the present position; nothing was played now.")


class KeyReused(Refused):
    """The key of a form came a second time with other contents (C16)."""

    status = 409
    reason = phrase("This form was already sent with another choice. Here is the present position.")


class NotYourTurn(Refused):
    """Somebody else is to decide."""

    status = 409
    reason = phrase("It is not your turn.")


class GameIsOver(Refused):
    """The game has ended."""

    status = 409
    reason = phrase("The game is already over.")


class TimeIsOver(Refused):
    """The reflection time ran out before the submission arrived; the sweep is about to say so in the log."""

    status = 409
    reason = phrase("The time for this turn is over.")


class GamePaused(Refused):
    """The game stands still: somebody at the table may not play for now."""

    status = 409
    reason = phrase("This game is paused.")


class ProposedOften(Refused):
    """The same proposal one time more than a seat may make it in one turn."""

    status = 429
    reason = phrase("You have proposed this several times in this turn: please wait for the next one.")


class ProposalClosed(Refused):
    """The proposal was answered, taken back, or lapsed before."""

    status = 409
    reason = phrase("This proposal no longer waits for your answer.")


class ChallengeClosed(Refused):
    """The challenge was taken, declined or withdrawn before."""

    status = 409
    reason = phrase("This challenge is no longer open.")
