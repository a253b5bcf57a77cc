"""Worth: what is known of a position, and what is to be said of it and of the move that led to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from games.engines.finding import CERTAIN, Finding, is_decided
from games.rules import registry
from games.rules.evaluation import WON
from games.rules.phrase import Phrase, phrase
from games.rules.ruleset import AnyRuleset
from games.speech import say

EVEN: Final = 50
"""Half a unit, in hundredths: less is no advantage."""


class Grade(IntEnum):
    """How much of what could be expected a move gave away."""

    GOOD = 0
    NOT_THE_BEST = 40
    INACCURACY = 100
    MISTAKE = 250


REMARKS: Final[dict[Grade, Phrase]] = {
    Grade.NOT_THE_BEST: phrase("Not the best."),
    Grade.INACCURACY: phrase("An inaccuracy."),
    Grade.MISTAKE: phrase("A mistake."),
}
LONGEST_LINE: Final = 8
"""So many plies of a best line are told."""


class Worth(NamedTuple):
    """What is known of a position: the `value` for `seat`, the `shares` that seats may expect, per mille; `exact` says that this
    is the truth. `best` is the best line from there; `over`: the game has ended, and there is none."""

    value: int
    seat: int
    shares: tuple[int, ...]
    exact: bool
    best: tuple[str, ...] = ()
    over: bool = False

    def value_to(self, seat: int) -> int:
        """The value for one of two seats."""
        return self.value if seat == self.seat else -self.value


class Remark(NamedTuple):
    """What is said of a move: how good it was, in words, and the best line instead where another was better."""

    grade: Grade
    said: str
    better: str


def worth(ruleset: AnyRuleset, position: Any, found: Finding | None) -> Worth | None:
    """What is known of a position, by the rules if they have ended the game, else by what was found; None for nothing."""
    outcome = ruleset.outcome(position)
    if outcome is not None and outcome.points:
        shares = tuple(int(points * CERTAIN) for points in outcome.points)
        value = WON if shares[0] == CERTAIN else -WON if not shares[0] else 0
        return Worth(value, 0, shares, exact=True, over=True)
    seat = ruleset.to_move(position)
    if found is None or seat is None or seat < 0 or not found.shares:
        return None
    return Worth(found.value, seat, found.shares, found.exact, found.best)


def in_words(ruleset: AnyRuleset, one: Worth, names: Sequence[str]) -> str:
    """Who stands better, by how much, and how sure that is; empty after the end."""
    if one.over:
        return ""
    if len(one.shares) > 2:
        return _of_many(one, names)
    leader = 0 if one.value_to(0) > 0 else 1
    who = {"who": names[leader]}
    if is_decided(one.value):
        return (_("Exact: %(who)s wins.") if one.exact else _("%(who)s wins, as far as one can see.")) % who
    if one.exact:
        return _("Exact: a draw.")
    unit = registry.evaluation_of(ruleset).unit
    if abs(one.value) < EVEN:
        return _("Even.")
    if unit is not None:
        return _("%(who)s stands better by about %(amount)s.") % {**who, "amount": _amount(unit, abs(one.value))}
    return _("%(who)s stands better (chances: %(percent)s %%).") % {**who, "percent": _percent(one.shares[leader])}


def _of_many(one: Worth, names: Sequence[str]) -> str:
    best = max(range(len(one.shares)), key=one.shares.__getitem__)
    return _("%(who)s stands best (%(percent)s %% of the points).") % {"who": names[best], "percent": _percent(one.shares[best])}


def remark(ruleset: AnyRuleset, position: Any, before: Worth, after: Worth, seat: int, played: str) -> Remark:
    """What is to be said of the move of a seat in a position, worth `before`, that led to one that is worth `after`."""
    lost = before.shares[seat] - after.shares[seat]
    best = ruleset.told(before.best[0]) if before.best else ""
    if best == played or lost < Grade.NOT_THE_BEST:
        return Remark(Grade.GOOD, "", "")
    grade = max(one for one in Grade if lost >= one)
    given_away = _given_away(before, after, seat) if before.exact and after.exact and len(before.shares) == 2 else ""
    said = given_away or " ".join(filter(None, (say(REMARKS[grade]), _cost(ruleset, before, after, seat, lost))))
    return Remark(Grade.MISTAKE if given_away else grade, said, line_in_words(ruleset, position, before.best))


def _given_away(before: Worth, after: Worth, seat: int) -> str:
    """What a move did to a result that was certain."""
    had, has = before.value_to(seat), after.value_to(seat)
    if had > 0:
        return _("This gave a win away: it became a draw.") if has == 0 else _("This gave a win away, and was lost.")
    return _("This lost a drawn position.") if had == 0 else ""


def _cost(ruleset: AnyRuleset, before: Worth, after: Worth, seat: int, lost: int) -> str:
    unit = registry.evaluation_of(ruleset).unit
    decided = any(map(is_decided, (before.value, after.value)))
    if unit is not None and not decided and len(before.shares) == 2:
        missed = before.value_to(seat) - after.value_to(seat)
        return _("It cost about %(amount)s.") % {"amount": _amount(unit, missed)}
    return _("It cost %(percent)s %% of the points.") % {"percent": _percent(lost)}


def line_in_words(ruleset: AnyRuleset, position: Any, line: Sequence[str]) -> str:
    """The first plies of a line from a position, in notation; plies of one turn are joined, so that one sees whose they are.
    Where things are hidden only what the first move means: what follows is one of many ways that it may go."""
    if ruleset.facts.hidden:
        return move_in_words(ruleset, line[0]) if line else ""
    turns: list[list[str]] = []
    joiner, mover = ruleset.facts.joiner, None
    for ply in line[:LONGEST_LINE]:
        if joiner is None or (seat := ruleset.to_move(position)) != mover:
            turns.append([])
        turns[-1].append(ruleset.told(ply))
        if joiner is not None:
            mover, position = seat, ruleset.play(position, ply)
    told = " ".join((joiner or "").join(turn) for turn in turns)
    return f"{told} …" if len(line) > LONGEST_LINE else told


def move_in_words(ruleset: AnyRuleset, move: str) -> str:
    """A move as its player would say it, where the rules have words for it; else in notation."""
    meaning = ruleset.meaning(move)
    return say(meaning) if meaning is not None else ruleset.told(move)


def _percent(share: int) -> int:
    return round(share / 10)


def _amount(unit: Phrase, value: int) -> str:
    """Hundredths in halves, as players count. Of a half there is as of two: so have it languages with more than one plural."""
    whole, half = divmod(round(value / 50), 2)
    written = f"{whole or ''}½" if half else str(whole)
    return say(replace(unit, params={"amount": written}, count=2 if half else whole))
