"""Choosing a line of Sprouts without writing it: a spot, a spot, the way where there are several, what lies on which side."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice
from typing import Final

from games.rules.catalogue.sprouts import notation, play
from games.rules.catalogue.sprouts.enclosure import one_sided, parted
from games.rules.catalogue.sprouts.play import Line, Plan, Walk
from games.rules.catalogue.sprouts.words import listed, parting
from games.rules.phrase import Phrase, phrase
from games.rules.position import IllegalMove
from games.rules.ruleset import Beginning, Division, Piece

FEW: Final = 4
"""So many lines between two spots are offered as they are; of more, one for each way, and then what lies on which side."""

_BEGUN: Final = re.compile(r"(?:([1-9][0-9]{0,3})\s*(?:[-‐‑–—]\s*([1-9][0-9]{0,3}))?)?", re.ASCII)


def asked(text: str) -> Phrase | None:
    """The question that comes after a text that begins a line."""
    found = _BEGUN.fullmatch(text.strip())
    if found is None:
        return None
    first, second = found.groups()
    if first is None:
        return phrase("From which spot does the line start?")
    if second is None:
        return phrase("To which spot does the line from %(spot)s go?", spot=first)
    if first == second:
        return phrase("How does the loop at %(spot)s go?", spot=first)
    return phrase("How does the line from %(one)s to %(other)s go?", one=first, other=second)


def beginnings(plan: Plan, text: str) -> tuple[Beginning, ...]:
    """A line step by step: the spot where it starts (`3`), where it ends (`3-5`), and how it goes, as few whole moves; `divided`
    makes every other line between the two spots of one of these. In polynomial time."""
    found = _BEGUN.fullmatch(text.strip())
    if found is None:
        return ()
    first, second = (int(spot) if spot else 0 for spot in found.groups())
    if second:
        lines = _ways(plan, min(first, second), max(first, second))
        return tuple(Beginning(_written(plan, line), parting(parted(plan, line)), whole=True) for line in lines)
    ends = [(line.first.spot, line.second.spot) for line in play.courses(plan)]
    if not first:
        spots = sorted({spot for pair in ends for spot in pair})
        return tuple(Beginning(str(spot), phrase("from spot %(spot)s", spot=spot), str(spot)) for spot in spots)
    spots = sorted({pair[1 - at] for pair in ends for at in (0, 1) if pair[at] == first})
    return tuple(Beginning(f"{first}-{spot}", _onward(first, spot), str(spot)) for spot in spots)


def _onward(first: int, spot: int) -> Phrase:
    if first == spot:
        return phrase("a loop, back to spot %(spot)s", spot=spot)
    return phrase("from spot %(one)s to spot %(other)s", one=first, other=spot)


def _ways(plan: Plan, first: int, second: int) -> list[Line]:
    """All lines if they are few, else those with nothing more than they must on the first side."""
    lines = list(islice(play.lines(plan, first, second), FEW + 1))
    return lines if len(lines) <= FEW else list(play.courses(plan, first, second))


def division(plan: Plan, text: str, chosen: Collection[str] = ()) -> Division | None:
    """The other boundaries of the region that a line parts, but for dead ones, those on one side of it marked.

    The side is the one with fewer living spots of the boundary that the line itself divides. Of a loop at a spot that stood
    alone it is that of the `chosen`, else the smaller one. Raises as `notation.read`.
    """
    line = notation.read(plan, text)
    free = _free(plan, line)
    if not free:
        return None
    here = _here(plan, line)
    if _is_lonely(line) and _names(plan, _on(line, 1 - here, free)) == {*chosen}:
        here = 1 - here
    mine = _on(line, here, free)
    return Division(
        _which(plan, line, here),
        tuple(Piece(_name(plan, walk), listed(_living(plan, walk)), _places(plan, walk), walk in mine) for walk in free),
    )


def divided(plan: Plan, text: str, chosen: Collection[str]) -> str:
    """The line with just the chosen boundaries on the side that `division` marks. Raises as `notation.read`, and IllegalMove for
    what is no boundary that may lie on either side."""
    line = notation.read(plan, text)
    free = _free(plan, line)
    for name in chosen:
        if name not in _names(plan, free):
            raise IllegalMove(phrase("The line cannot part spot %(spot)s from others.", spot=name[:20]))
    if not free:
        return _written(plan, line)
    mine = tuple(walk for walk in free if _name(plan, walk) in chosen)
    dead = tuple(walk for walk in line.near if walk not in free)
    first = mine if _here(plan, line) == 0 else tuple(walk for walk in free if walk not in mine)
    return _written(plan, line._replace(near=tuple(sorted((*first, *dead)))))


def _written(plan: Plan, line: Line) -> str:
    """A line in the spelling that asks for nothing about dead boundaries."""
    return next(text for text, _ in notation.spellings(plan, line))


def _free(plan: Plan, line: Line) -> tuple[Walk, ...]:
    """The living boundaries that may lie on either side, in order of their smallest living spots."""
    living = [walk for walk in line.others if not play.is_dead(plan, walk)] if line.parts else []
    return tuple(sorted(living, key=lambda walk: _living(plan, walk)))


def _on(line: Line, side: int, free: tuple[Walk, ...]) -> tuple[Walk, ...]:
    return tuple(walk for walk in free if (walk in line.near) == (side == 0))


def _here(plan: Plan, line: Line) -> int:
    """The side whose boundaries are marked. It follows from the way alone, not from what lies where, but for a lonely loop, whose
    sides are alike."""
    if _is_lonely(line):
        return one_sided(plan, line).index(parted(plan, line))
    return min((0, 1), key=lambda side: (len(_bound(plan, line)[side]), _bound(plan, line)[side]))


def _is_lonely(line: Line) -> bool:
    return len(line.first.walk) == 1


def _bound(plan: Plan, line: Line) -> list[tuple[int, ...]]:
    """Of each side the living spots that cannot lie on the other one."""
    elsewhere = {spot for walk in line.others for spot in walk}
    return [tuple(spot for spot in side if spot not in elsewhere) for side in one_sided(plan, line)]


def _which(plan: Plan, line: Line, here: int) -> Phrase:
    bound = _bound(plan, line)
    if bound[here]:
        return phrase("Which spots lie on the same side of the line as %(spots)s?", spots=listed(bound[here]))
    if bound[1 - here]:
        return phrase("Which spots does the line part from %(spots)s?", spots=listed(bound[1 - here]))
    return phrase("Which spots does the line part from the others?")


def _living(plan: Plan, walk: Walk) -> tuple[int, ...]:
    left = play.lives(plan)
    return tuple(sorted({spot for spot in walk if left[spot]}))


def _places(plan: Plan, walk: Walk) -> tuple[str, ...]:
    return tuple(map(str, _living(plan, walk)))


def _name(plan: Plan, walk: Walk) -> str:
    return _places(plan, walk)[0]


def _names(plan: Plan, walks: Collection[Walk]) -> set[str]:
    return {_name(plan, walk) for walk in walks}
