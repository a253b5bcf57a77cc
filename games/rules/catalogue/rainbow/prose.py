"""How a table of Rainbow stands, in words for the ear and as text of fixed width."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from games.rules.catalogue.rainbow import play, words
from games.rules.catalogue.rainbow.colours import COLOUR_NAMES, counted, listed
from games.rules.catalogue.rainbow.play import COLOURS
from games.rules.catalogue.rainbow.view import RainbowView
from games.rules.phrase import Phrase, Say, phrase, phrases
from games.rules.position import CHANCE, Moment, numbered, whose_turn

COLUMNS: Final = 40
"""The widest diagram that a letter holds."""


def describe(view: RainbowView, say: Say) -> str:
    """Who decides about what, one's own drops and rainbow, the rain, and the others in the order of play."""
    return " ".join(map(say, _sentences(view)))


def state(view: RainbowView, *, mine: bool = True) -> Phrase:
    """Who is to move, or that the game is over."""
    decides = view.decider
    chance = decides is None or decides == CHANCE
    return whose_turn(view.moment, phrase("Chance") if chance else numbered(decides or 0), own=mine and view.seat == decides)


def _sentences(view: RainbowView) -> Iterator[Phrase]:
    yield state(view)
    if view.offer:
        yield _waiting(view)
    if view.seat is not None and view.seat not in view.out:
        yield _rainbow(view, view.seat)
        held = len(view.hand)
        drops = counted(view.hand)
        yield phrases("You hold %(count)s drop: %(drops)s.", "You hold %(count)s drops: %(drops)s.", held, drops=drops)
        if view.moment is not Moment.OVER:
            yield phrase("What you offer goes to %(seat)s.", seat=numbered(play.receiver(view.seats, view.out, view.seat)))
    elif view.seat is not None:
        yield phrase("You have left the game.")
    yield _rain(view)
    for seat in view.others:
        yield _other(view, seat)


def _waiting(view: RainbowView) -> Phrase:
    giver = view.mover or 0
    taker = play.receiver(view.seats, view.out, giver)
    return words.asked(giver, taker, view.offer if view.knows_offer else "", words.Ear(view.seat, open=view.knows_offer))


def _rainbow(view: RainbowView, seat: int) -> Phrase:
    length = view.rainbows[seat]
    lying, coming = COLOURS[:length], COLOURS[length : length + 1]
    if not coming:
        return phrase("Your rainbow is complete.")
    if not lying:
        return phrase("Your rainbow is empty; it begins with red.")
    drops = listed([COLOUR_NAMES[colour] for colour in lying])
    return phrase("Your rainbow: %(drops)s; next comes %(colour)s.", drops=drops, colour=COLOUR_NAMES[coming])


def _rain(view: RainbowView) -> Phrase:
    if view.moment is Moment.OVER:
        return phrase("In the rain: %(drops)s.", drops=counted(view.rain_drops))
    return phrases("The rain holds %(count)s drop.", "The rain holds %(count)s drops.", view.rain)


def _other(view: RainbowView, seat: int) -> Phrase:
    if seat in view.out:
        return phrase("%(seat)s has left the game.", seat=numbered(seat))
    reach = _reach(view.rainbows[seat])
    if view.moment is Moment.OVER:
        drops = counted(view.hands[seat])
        return phrase("%(seat)s: %(drops)s; %(rainbow)s.", seat=numbered(seat), drops=drops, rainbow=reach)
    return phrases(
        "%(seat)s holds %(count)s drop; %(rainbow)s.",
        "%(seat)s holds %(count)s drops; %(rainbow)s.",
        view.sizes[seat],
        seat=numbered(seat),
        rainbow=reach,
    )


def _reach(length: int) -> Phrase:
    if not length:
        return phrase("no rainbow yet")
    return phrase("rainbow up to %(colour)s", colour=COLOUR_NAMES[COLOURS[length - 1]])


def diagram(view: RainbowView) -> str:
    """A line for each seat: > decides, * the reader, - who left; its number, how many drops, its rainbow, at the end its drops.

    Then ~ the rain, = the reader's drops, ? the drop on offer.
    """
    lines = [_line(view, seat) for seat in range(view.seats)]
    lines += wrap(f"~ {view.rain_drops or view.rain}", COLUMNS)
    if view.seat is not None and view.hand:
        lines.append(f"= {' '.join(view.hand)}")
    if view.knows_offer:
        lines.append(f"? {view.offer}")
    return "\n".join(lines)


def _line(view: RainbowView, seat: int) -> str:
    decides = ">" if view.moment is Moment.NOW and view.decider == seat else " "
    who = "-" if seat in view.out else "*" if seat == view.seat else " "
    hand = f" {view.hands[seat]}" if view.hands else ""
    return f"{decides}{who}{seat + 1:>2} {view.sizes[seat]:>2} {COLOURS[: view.rainbows[seat]]:.<7}{hand}".rstrip()
