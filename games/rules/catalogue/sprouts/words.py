"""Sprouts in words: what a move does, the regions of a position for the ear, and as text of fixed width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from textwrap import wrap
from typing import Final

from games.rules.catalogue.sprouts import enclosure, notation, play
from games.rules.catalogue.sprouts.enclosure import Asked
from games.rules.catalogue.sprouts.play import Line, Plan, Region, Walk
from games.rules.catalogue.sprouts.position import SproutsView
from games.rules.phrase import Phrase, Say, phrase, phrases
from games.rules.position import Event, whose_turn

SEAT_TITLES: Final = (phrase("First player"), phrase("Second player"))
SHORT: Final = 5
"""So many spots of a boundary are named where it has to be short."""

EXAMPLES: Final = 2
LOOKED_AT: Final = 20
"""So many examples are given, each chosen of so many lines."""

COLUMNS: Final = 40
"""The widest diagram that a letter holds."""


def listed(spots: Sequence[int]) -> str:
    """Ascending numbers as they are read: `1, 2, 4–6`. A comma alone makes a fraction of them in many languages."""
    return notation.ranges(spots).replace(",", ", ").replace("-", "–")


def winner(plan: Plan) -> int:
    """The seat that wins where no line can be drawn any more."""
    return plan.mover if plan.misere else 1 - plan.mover


def events(plan: Plan, line: Line) -> tuple[Event, ...]:
    """A line, what it parts, perhaps the end."""
    seat, one, other, new = SEAT_TITLES[plan.mover], line.first.spot, line.second.spot, plan.spots + 1
    places = tuple(dict.fromkeys((str(one), str(other))))
    if one == other:
        said = phrase("%(seat)s draws a loop at %(one)s and puts spot %(new)s on it.", seat=seat, one=one, new=new)
        to_mover = phrase("a loop at %(one)s with spot %(new)s on it", one=one, new=new)
    else:
        said = phrase(
            "%(seat)s joins %(one)s and %(other)s and puts spot %(new)s between them.", seat=seat, one=one, other=other, new=new
        )
        to_mover = phrase("a line from %(one)s to %(other)s with spot %(new)s on it", one=one, other=other, new=new)
    told = [Event("drawn", said, places, 1, to_mover), *_where(plan, line)]
    if apart := enclosure.parted(plan, line):
        spots = listed(apart)
        told.append(
            Event(
                "parted",
                phrases(
                    "This parts %(spots)s from the others.",
                    "These are parted from the others: %(spots)s.",
                    len(apart),
                    spots=spots,
                ),
                to_mover=parting(apart),
            )
        )
    after = play.draw(plan, line)
    if not play.has_line(after):
        said = phrase("No line can be drawn any more: %(seat)s wins.", seat=SEAT_TITLES[winner(after)])
        wins = winner(after) == plan.mover
        short = phrase("no line can follow, you win") if wins else phrase("no line can follow, you lose")
        told.append(Event("over", said, to_mover=short))
    return tuple(told)


def _where(plan: Plan, line: Line) -> Iterable[Event]:
    """What tells a line from others with the same spots and the same list: the boundaries that it gets."""
    apart = enclosure.parted(plan, line)
    if len(enclosure.firsts(enclosure.meanings(plan, Asked(line.first.spot, line.second.spot, frozenset(apart))))) < 2:
        return
    one, *others = (_from(plan.spots + 1, side) for side in play.sides(plan, line))
    if not others:
        said = phrase("Around it lie %(walk)s.", walk=_walk(one))
        yield Event("where", said, to_mover=phrase("with %(walk)s around it", walk=_walk(one, SHORT)))
        return
    small, large = (one, *others) if enclosure.one_sided(plan, line)[0] == apart else (*others, one)
    said = phrase(
        "Around its smaller side lie %(small)s, around the larger one %(large)s.", small=_walk(small), large=_walk(large)
    )
    to_mover = phrase("with %(walk)s around its smaller side", walk=_walk(small, SHORT))
    yield Event("where", said, to_mover=to_mover)


def _from(spot: int, side: Region) -> Walk:
    """The boundary on which the spot lies, from it on."""
    walk = next(walk for walk in side if spot in walk)
    return (*walk[walk.index(spot) :], *walk[: walk.index(spot)])


def examples(plan: Plan) -> tuple[str, ...]:
    """A line that joins and one that parts something from the rest, or whatever there is; without `#` if that is possible."""
    courses = list(play.courses(plan))
    joining = (line for line in courses if not line.parts)
    parting = (line._replace(near=line.others[:1]) for line in courses if line.parts and len(line.others) > 1)
    found: list[str] = []
    for lines in (joining, parting, play.lines(plan), play.lines(plan)):
        texts = [notation.written(plan, line) for line in islice(lines, LOOKED_AT)]
        fresh = sorted((text for text in texts if text not in found), key=lambda text: "#" in text)
        found += fresh[: len(found) < EXAMPLES]
    return tuple(found)


def parting(apart: tuple[int, ...]) -> Phrase:
    """What a line parts, in a clause."""
    if not apart:
        return phrase("parts no living spots from others")
    return phrases(
        "parts spot %(spots)s from the others", "parts spots %(spots)s from the others", len(apart), spots=listed(apart)
    )


def state(view: SproutsView, *, mine: bool) -> Phrase:
    """Who is to move, or why nobody is."""
    mover = view.position.plan.mover
    return whose_turn(view.moment, SEAT_TITLES[mover], own=mine and view.seat == mover)


def describe(view: SproutsView, say: Say) -> str:
    """The lives of the spots, then region by region what lies around it, then who must move."""
    plan = view.position.plan
    said = [phrases("%(count)s line has been drawn.", "%(count)s lines have been drawn.", plan.moves), *_lives(plan)]
    open_, closed = _regions(plan)
    said += [
        phrase("Region %(number)s: %(boundaries)s.", number=number, boundaries=_boundaries(region, say))
        for number, region in enumerate(open_, start=1)
    ]
    if closed:
        said.append(
            phrases("In %(count)s region no line can be drawn.", "In %(count)s regions no line can be drawn.", len(closed))
        )
    return " ".join(map(say, (*said, state(view, mine=True))))


def _lives(plan: Plan) -> Iterable[Phrase]:
    for lives, spots in _by_lives(plan).items():
        named = listed(spots)
        if lives == 0:
            yield phrases("Dead: spot %(spots)s.", "Dead: spots %(spots)s.", len(spots), spots=named)
        elif lives == 1:
            yield phrases("With one life: spot %(spots)s.", "With one life: spots %(spots)s.", len(spots), spots=named)
        elif lives == 2:
            yield phrases("With two lives: spot %(spots)s.", "With two lives: spots %(spots)s.", len(spots), spots=named)
        else:
            yield phrases("With three lives: spot %(spots)s.", "With three lives: spots %(spots)s.", len(spots), spots=named)


def _by_lives(plan: Plan) -> dict[int, list[int]]:
    left = play.lives(plan)
    grouped = {lives: [spot for spot in range(1, plan.spots + 1) if left[spot] == lives] for lives in (3, 2, 1, 0)}
    return {lives: spots for lives, spots in grouped.items() if spots}


def _regions(plan: Plan) -> tuple[list[Region], list[Region]]:
    """The regions in which a line can be drawn, and the others."""
    open_ = [region for region in plan.regions if play.is_open(plan, region)]
    return open_, [region for region in plan.regions if region not in open_]


def _boundaries(region: Region, say: Say) -> str:
    alone = [walk[0] for walk in region if len(walk) == 1]
    told = [say(phrase("round it %(walk)s", walk=_walk(walk))) for walk in region if len(walk) > 1]
    if alone:
        told.append(say(phrases("spot %(spots)s alone", "spots %(spots)s alone", len(alone), spots=listed(alone))))
    return "; ".join(told)


def _walk(walk: Walk, most: int | None = None) -> str:
    told = ", ".join(map(str, walk[:most]))
    return told if len(walk[:most]) == len(walk) else f"{told} …"


def diagram(view: SproutsView) -> str:
    """The spots by their lives, a sign for each, then a row for each region."""
    plan = view.position.plan
    rows = [f"{'*' * lives or '-':<3} {notation.ranges(spots)}" for lives, spots in _by_lives(plan).items()]
    rows += [" ".join(f"({' '.join(map(str, walk))})" for walk in region) for region in plan.regions]
    return "\n".join(line for row in rows for line in wrap(row, COLUMNS, subsequent_indent="    "))
