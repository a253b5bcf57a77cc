"""Positions of Sprouts without names and drawings: what is left of them for whoever only asks who wins.

Source: Lemoine and Viennot, "Computer analysis of Sprouts with nimbers" (2010). Dead spots and regions without a line are taken
away, spots are told apart only by where they are met, a region may be turned over, and lands, which share no living spot, are
games of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from operator import itemgetter
from typing import Final, TypeAlias

from games.rules.catalogue.sprouts import play
from games.rules.catalogue.sprouts.play import Plan

FREE, ONCE, LAST = 0, 1, 2
"""A spot met once, by the line ends it has, or behaves as if it had: it lives on for three, two or one more."""

NAMED: Final = 3
"""Numbers from here on are names of spots that are met twice; they live on for one line."""

Walk: TypeAlias = tuple[int, ...]
Region: TypeAlias = tuple[Walk, ...]
Land: TypeAlias = tuple[Region, ...]
Lands: TypeAlias = tuple[Land, ...]
"""Sorted lands; nothing where no line can be drawn."""

LIVES: Final = (3, 2, 1)

ROUNDS: Final = 4
"""So often lands are named anew at most: later names hardly change."""


def of_plan(plan: Plan) -> Lands:
    """The lands of a plan."""
    left = play.lives(plan)
    met: dict[int, int] = {}
    for region in plan.regions:
        for walk in region:
            for spot in walk:
                met[spot] = met.get(spot, 0) + 1

    def sign(spot: int) -> int:
        return spot + NAMED if met[spot] > 1 else 3 - left[spot]

    return lands_of([[tuple(sign(spot) for spot in walk if left[spot]) for walk in region] for region in plan.regions])


def lands_of(regions: Iterable[Iterable[Walk]]) -> Lands:
    """The lands of regions whose walks hold no dead spots."""
    alive = [[walk for walk in region if walk] for region in regions]
    while True:
        alive, again = _thinned(alive)
        if not again:
            break
    lands = sorted(canonical(land) for land in _apart(alive))
    return tuple(lands)


def _thinned(regions: list[list[Walk]]) -> tuple[list[list[Walk]], bool]:
    """Without regions in which no line can be drawn, and with names only for spots that are met in two places."""
    alive = [region for region in regions if _is_open(region)]
    met: dict[int, int] = {}
    for region in alive:
        for walk in region:
            for sign in walk:
                if sign >= NAMED:
                    met[sign] = met.get(sign, 0) + 1
    changed = len(alive) != len(regions)
    thin: list[list[Walk]] = []
    for region in alive:
        walks = []
        for walk in region:
            signs = [sign if sign < NAMED or met[sign] > 1 else LAST for sign in walk]
            # A spot that is met twice running is met once for all that matters: nothing lies between.
            at = 0
            while at < len(signs) and len(signs) > 1:
                if signs[at] >= NAMED and signs[at] == signs[at - 1]:
                    signs[at] = LAST
                    del signs[at - 1]
                    at = max(0, at - 2)
                else:
                    at += 1
            new = tuple(signs)
            changed = changed or new != walk
            walks.append(new)
        thin.append(walks)
    return thin, changed


def _is_open(region: Sequence[Walk]) -> bool:
    named: set[int] = set()
    lives = 0
    for walk in region:
        for sign in walk:
            if sign < NAMED:
                lives += LIVES[sign]
            elif sign not in named:
                named.add(sign)
                lives += 1
    return lives > 1


def _apart(regions: list[list[Walk]]) -> list[list[list[Walk]]]:
    """Groups of regions that share no spot."""
    groups: list[tuple[set[int], list[list[Walk]]]] = []
    for region in regions:
        names = {sign for walk in region for sign in walk if sign >= NAMED}
        members = [region]
        rest = []
        for group in groups:
            if names.isdisjoint(group[0]):
                rest.append(group)
            else:
                names |= group[0]
                members = group[1] + members
        groups = [*rest, (names, members)]
    return [members for _names, members in groups]


def canonical(land: Sequence[Sequence[Walk]]) -> Land:
    """A land with new names, in an order that mostly does not depend on the old ones. Equal results are the same game; one game
    may have several."""
    names = {sign: min(sign, NAMED) for region in land for walk in region for sign in walk}
    before: Land = ()
    for _round in range(ROUNDS):
        turned = sorted((_turned(region, names) for region in land), key=itemgetter(0))
        now = tuple(text for text, _walks in turned)
        if now == before or max(names) < NAMED:
            return now
        before = now
        order = dict.fromkeys(sign for _text, walks in turned for walk in walks for sign in walk if sign >= NAMED)
        names.update((sign, number) for number, sign in enumerate(order, start=NAMED + 1))
    return before


def _turned(region: Sequence[Walk], names: dict[int, int]) -> tuple[Region, list[Walk]]:
    """A region the right way up: how it reads with these names, and its walks in that order."""
    first, second = ([_least(walk, names) for walk in way] for way in (region, [walk[::-1] for walk in region]))
    first.sort(key=_by_length)
    second.sort(key=_by_length)
    one, other = tuple(text for text, _walk in first), tuple(text for text, _walk in second)
    return (one, [walk for _text, walk in first]) if one <= other else (other, [walk for _text, walk in second])


def _by_length(read: tuple[Walk, Walk]) -> tuple[int, Walk]:
    return len(read[0]), read[0]


def _least(walk: Walk, names: dict[int, int]) -> tuple[Walk, Walk]:
    """How a walk reads from where it reads least."""
    text = tuple(map(names.__getitem__, walk))
    if len(walk) == 1:
        return text, walk
    best, at = _turn(text)
    return best, walk[at:] + walk[:at]


@lru_cache(maxsize=1 << 16)
def _turn(text: Walk) -> tuple[Walk, int]:
    least = min(text)
    return min((text[at:] + text[:at], at) for at, sign in enumerate(text) if sign == least)


def after(land: Land) -> Iterator[Lands]:
    """What every line in a land makes of it; the same may come more than once."""
    name = 1 + max(NAMED, *(sign for region in land for walk in region for sign in walk))
    for number, region in enumerate(land):
        if number and region == land[number - 1] and not any(sign >= NAMED for walk in region for sign in walk):
            continue
        others = [*land[:number], *land[number + 1 :]]
        for made, dead in _lines(region, name):
            yield lands_of([*(_without(one, dead) for one in made), *(_without(one, dead) for one in others)])


def _without(region: Sequence[Walk], dead: tuple[int, ...]) -> list[Walk]:
    if not dead:
        return [walk for walk in region if walk]
    return [left for walk in region if (left := tuple(sign for sign in walk if sign not in dead))]


Made: TypeAlias = tuple[list[list[Walk]], tuple[int, ...]]
"""The regions that a line makes of one, and the names of the spots that it kills."""


def _lines(region: Region, name: int) -> Iterator[Made]:
    """Every line in a region; `name` and what follows are free for new spots."""
    walks = list(region)
    for i, walk in enumerate(walks):
        if i and walk == walks[i - 1] and all(sign < NAMED for sign in walk):
            continue
        yield from _partings(walk, walks[:i] + walks[i + 1 :], name)
    for i, j in _pairs(walks):
        others = walks[:i] + walks[i + 1 : j] + walks[j + 1 :]
        for at, to in product(range(len(walks[i])), range(len(walks[j]))):
            one, two = _opened(walks[i], at, name + 1), _opened(walks[j], to, name + 2)
            dead = tuple(sign for sign in (walks[i][at], walks[j][to]) if sign >= NAMED)
            yield [[(*one, name, *two, name), *others]], dead


def _pairs(walks: list[Walk]) -> Iterator[tuple[int, int]]:
    """Every two walks, those that look the same once."""
    seen = set()
    for i, j in combinations(range(len(walks)), 2):
        plain = all(sign < NAMED for sign in (*walks[i], *walks[j]))
        if not plain or (walks[i], walks[j]) not in seen:
            seen.add((walks[i], walks[j]))
            yield i, j


def _opened(walk: Walk, at: int, name: int) -> Walk:
    """A walk from a spot round to it again, when a line ends there; a spot of two lives gets a name, for it is met twice."""
    sign, rest = walk[at], walk[at + 1 :] + walk[:at]
    if sign == FREE:
        return (ONCE,)
    return (name, *rest, name) if sign == ONCE else rest


def _partings(walk: Walk, others: list[Walk], name: int) -> Iterator[Made]:
    """Every line from a walk to itself, with the others on either side of it."""
    for first, second, dead in _arcs(walk, name):
        for near, far in _shared_out(others):
            yield [[first, *near], [second, *far]], dead


def _arcs(walk: Walk, name: int) -> Iterator[tuple[Walk, Walk, tuple[int, ...]]]:
    """The two walks along both sides of every line, and what it kills."""
    for at, sign in enumerate(walk):
        if sign == FREE:
            yield (name + 1, name), (name + 1, name), ()
        elif sign == ONCE:
            yield (name,), (*walk[at + 1 :], *walk[:at], name), ()
    for at, to in combinations(range(len(walk)), 2):
        if walk[at] == walk[to] >= NAMED:
            continue
        one, two = ((name + step,) if walk[end] == ONCE else () for step, end in ((1, at), (2, to)))
        dead = tuple(sign for sign in (walk[at], walk[to]) if sign >= NAMED)
        yield (*one, *walk[at + 1 : to], *two, name), (*two, *walk[to + 1 :], *walk[:at], *one, name), dead


def _shared_out(walks: list[Walk]) -> Iterator[tuple[list[Walk], list[Walk]]]:
    """Every way to lay walks on two sides; those that look the same are not told apart."""
    counted: dict[Walk, int] = {}
    for walk in walks:
        counted[walk] = counted.get(walk, 0) + 1
    # Walks with names may look the same only within one region, where the names make them different.
    for choice in product(*(range(many + 1) for many in counted.values())):
        near = [walk for walk, many in zip(counted, choice, strict=True) for _ in range(many)]
        far = [walk for (walk, all_of), many in zip(counted.items(), choice, strict=True) for _ in range(all_of - many)]
        yield near, far
