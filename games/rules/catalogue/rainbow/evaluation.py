"""Rainbow for search: what a hand still costs its rainbow, and how a sensible player goes on by what they may know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import exp
from typing import TYPE_CHECKING, ClassVar, Final

from games.rules.catalogue.rainbow import RULESET, notation, play
from games.rules.catalogue.rainbow.notation import ACCEPT, PASS, POUR, REFUSE, SEND
from games.rules.catalogue.rainbow.play import ASKED, COLOURS, RainbowPosition
from games.rules.evaluation import Guessing, Skill

if TYPE_CHECKING:
    from random import Random

LACKING: Final = 4.0
"""Turns that it takes about to come by a colour of which one has nothing."""

SURPLUS: Final = 1.6
"""Turns that it takes about to get rid of one drop too many."""

LATER: Final = 0.85
"""What is due one colour later weighs so much less: there is time to mend it meanwhile."""

TAKEN: Final = 0.45
"""How likely it is that somebody takes a drop which their rainbow still needs; nobody else does without being forced."""

PATIENCE: Final = 3.0
"""So many turns less make a win e times as likely."""


class RainbowEvaluation(Guessing[RainbowPosition]):
    """Counts turns: those of the drops to send, of the colours that lack, and of drops too many. A `blur` of 100 is a turn."""

    # Search within a thousand nodes was not measurably better than this glance, at hundreds of times its cost.
    skills: ClassVar[tuple[Skill, ...]] = (
        Skill(nodes=1, blur=10_000),
        Skill(nodes=1, blur=1_100),
        Skill(nodes=1, blur=450),
        Skill(nodes=1, blur=190),
        Skill(nodes=1, blur=80),
        Skill(nodes=1, blur=20),
    )
    blur: ClassVar[int] = 25
    horizon: ClassVar[int] = 16

    def promising(self, position: RainbowPosition) -> Iterable[str]:
        """The moves by what they cost the own rainbow, as it looks now."""
        return sorted(notation.moves(position), key=lambda move: outlook(position, move))

    def reply(self, position: RainbowPosition, random: Random, blur: int) -> str:
        """The move that costs least, by the own hand and what all may see."""
        off = blur / 100
        return min(notation.moves(position), key=lambda move: outlook(position, move) + random.uniform(-off, off))

    def hopes(self, position: RainbowPosition) -> tuple[int, ...]:
        """Who needs fewer turns has better hopes; who left has none."""
        living = position.living
        turns = {seat: cost(position.hands[seat], position.rainbows[seat]) for seat in living}
        least = min(turns.values())
        weights = {seat: exp((least - turns[seat]) / PATIENCE) for seat in living}
        total = sum(weights.values())
        return tuple(round(1_000 * weights.get(seat, 0) / total) for seat in range(len(position.hands)))


def cost(hand: str, sent: int) -> float:
    """About how many turns a rainbow with `sent` drops still takes from this hand."""
    return _cost(tuple(map(hand.count, COLOURS)), sent)


@lru_cache(maxsize=1 << 15)
def _cost(counts: Sequence[int], sent: int) -> float:
    turns, weight = 0.0, 1.0
    for held in counts[sent:]:
        turns += 1
        if not held:
            turns += LACKING * weight
        elif held > 1:
            # Three of four and more are poured for nothing.
            turns += SURPLUS * weight * ((held - 1) % play.POURED)
        weight *= LATER
    return turns


def outlook(position: RainbowPosition, move: str) -> float:
    """What the rainbow of the seat that decides costs after a move, as far as the seat can know."""
    verb, _, colour = move.partition(" ")
    if verb in (ACCEPT, REFUSE):
        seat = position.receiver
        own, sent = position.hands[seat], position.rainbows[seat]
        if verb == ACCEPT:
            return cost(own + position.offer, sent)
        # Whoever offered draws then, and comes nearer to their goal.
        return cost(own, sent) + 0.3
    seat = position.mover or 0
    own, sent = position.hands[seat], position.rainbows[seat]
    if verb == SEND:
        return cost(own, sent) - LACKING
    if verb == POUR:
        return cost(own.replace(colour, "", play.POURED), sent) - LACKING - 1
    if verb == PASS:
        return cost(own, sent)
    return _offered(position, seat, colour)


def _offered(position: RainbowPosition, seat: int, colour: str) -> float:
    own, sent = position.hands[seat], position.rainbows[seat]
    given = cost(play.without(own, colour), sent)
    if play.fate(position) != ASKED:
        return given
    wants = position.rainbows[position.receiver] <= COLOURS.index(colour)
    taken = TAKEN if wants else 0.0
    return taken * (given + 0.5) + (1 - taken) * _drawn(tuple(map(own.count, COLOURS)), sent)


@lru_cache(maxsize=1 << 15)
def _drawn(counts: tuple[int, ...], sent: int) -> float:
    """What a hand costs on average when one drop more has fallen to it."""
    return sum(_cost((*counts[:at], held + 1, *counts[at + 1 :]), sent) for at, held in enumerate(counts)) / len(counts)


EVALUATION: Final = RainbowEvaluation(RULESET)
