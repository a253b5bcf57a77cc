"""What every position has in common: who decides, how a game ends, what a move did, what may be wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final

from games.rules.phrase import Phrase, in_english, phrase

CHANCE: Final = -1
"""The decider of a position in which a die, a deal or a draw must fall. Seats are numbered from 0."""

WIN: Final = Fraction(1)
DRAW: Final = Fraction(1, 2)
LOSS: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    `termination` says why (an id such as `side_empty`, `agreement`, `time_forfeit`), `points` who won: by seat 1, 1/2
    or 0; empty when the game counts for nobody (aborted). `scores` are the game's own counts by seat (stones), if any.
    """

    termination: str
    points: tuple[Fraction, ...]
    scores: tuple[Fraction, ...] = ()


def in_halves(score: Fraction) -> str:
    """A score, in halves at the finest, as it is written: `24`, `23½`, `½`."""
    whole, half = divmod(int(score * 2), 2)
    return f"{whole or ''}½" if half else str(whole)


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The answer of `time_out` or `leave` where the game cannot go on without this seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Event:
    """One step of what a move does.

    `kind` is an id (`sown`, `captured`, `moves_again`, `swept`, `over` ...), `places` name what it touches in the
    ruleset's own terms and in the order it happens (`S4`, `N1`, `store S`), `count` the pieces concerned, `said` the words: a
    sentence about whoever moves. `to_mover` tells the mover the same, as a clause of a list that follows the move: short enough
    for a link, no capital, no full stop. Only where nobody moves, or effects are hidden, it is None.
    """

    kind: str
    said: Phrase
    places: tuple[str, ...] = ()
    count: int = 0
    to_mover: Phrase | None = None


class Moment(Enum):
    """What one looks at: the game going on (only then somebody is to move), a pause of it, an earlier position, or its end.

    A game may be OVER where its position would go on: somebody resigned.
    """

    NOW = "now"
    PAUSED = "paused"
    PAST = "past"
    OVER = "over"


def numbered(seat: int) -> Phrase:
    """A seat of a game that has no titles for its seats. Whoever knows the players says their names instead (`speech.naming`)."""
    return phrase("Seat %(number)s", number=seat + 1)


def whose_turn(moment: Moment, seat: Phrase, *, own: bool = False) -> Phrase:
    """Who is to move, or why nobody is. `seat` is the title of whoever decides in the position, `own`: it is the reader's."""
    if moment is Moment.OVER:
        return phrase("The game is over.")
    if moment is Moment.PAUSED:
        return phrase("The game is paused; %(seat)s is to move when it goes on.", seat=seat)
    if moment is Moment.PAST:
        return phrase("%(seat)s was to move.", seat=seat)
    return phrase("It is your turn.") if own else phrase("%(seat)s is to move.", seat=seat)


class MoveRefused(ValueError):
    """A move that cannot be played; `said` tells why in the player's language."""

    def __init__(self, said: Phrase) -> None:
        super().__init__(in_english(said))
        self.said = said


class InvalidNotation(MoveRefused):
    """The text is no move of this game."""


class IllegalMove(MoveRefused):
    """The text is a move, but the rules forbid it here."""


class AmbiguousMove(MoveRefused):
    """The text fits several moves; `candidates` are the canonical texts of each."""

    def __init__(self, said: Phrase, candidates: tuple[str, ...]) -> None:
        super().__init__(said)
        self.candidates = candidates


class BadOptions(ValueError):
    """Options that a ruleset does not have or values it does not take; `said` tells which."""

    def __init__(self, said: Phrase) -> None:
        super().__init__(in_english(said))
        self.said = said


class BadPosition(ValueError):
    """JSON that is no position of the ruleset."""
