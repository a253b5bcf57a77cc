"""How moves of Sprouts are written, as in the World Game of Sprouts Association.

`1(6)2` draws from 1 to 2 and makes 6; `1(6)1[3-5]` also parts 3, 4 and 5 from the rest; `1(7@4)2`: the new spot can reach 4;
`#2`: the second, in the order of the positions' strings, of all positions that the text before it may mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from games.rules.catalogue.sprouts import play
from games.rules.catalogue.sprouts.enclosure import Asked, firsts, meanings, parted
from games.rules.catalogue.sprouts.play import Line, Plan
from games.rules.phrase import Phrase, phrase, phrases
from games.rules.position import AmbiguousMove, IllegalMove, InvalidNotation

DRAWN: Final = "/"
"""Stands between a move and what is stored of its drawing."""

_NUMBER: Final = r"([1-9][0-9]{0,3})"
_MOVE: Final = re.compile(
    rf"{_NUMBER}\s*\(\s*{_NUMBER}\s*(?:@\s*{_NUMBER}\s*)?\)\s*{_NUMBER}\s*(?:\[([^\[\]#]{{0,400}})\]\s*)?(?:#\s*([1-9][0-9]{{0,8}}))?",
    re.ASCII,
)
_NAMED: Final = re.compile(rf"{_NUMBER}(?:[-‐‑–—]{_NUMBER})?", re.ASCII)
_BETWEEN: Final = re.compile(r"\s*[,;]\s*|\s+", re.ASCII)
_DASH: Final = re.compile(r"\s*([-‐‑–—])\s*", re.ASCII)


def read(plan: Plan, text: str) -> Line:
    """The line that a text means. Raises InvalidNotation, IllegalMove, or AmbiguousMove with the candidates' texts."""
    asked, rank = _read(plan, text)
    found = meanings(plan, asked)
    if not found:
        raise IllegalMove(_why_not(plan, asked))
    if rank is not None:
        if rank > len(found):
            raise IllegalMove(
                phrases(
                    "“%(move)s” can be drawn in %(count)s way only.",
                    "“%(move)s” can be drawn in %(count)s ways only.",
                    len(found),
                    move=_text(plan, asked),
                )
            )
        return found[rank - 1].line
    different = firsts(found)
    if len(different) > 1:
        said = phrase("“%(move)s” can be drawn in several ways: choose one of them.", move=_text(plan, asked))
        raise AmbiguousMove(said, tuple(written(plan, one.line) for one in different))
    return different[0].line


def written(plan: Plan, line: Line) -> str:
    """A line in its one spelling: the shorter list of parted spots, and `#` only where it is needed. Among more dead boundaries
    than can be told apart it is the first spelling of its effect."""
    goal = play.draw(plan, line)
    exact = (text for text, one in spellings(plan, line) if play.draw(plan, one) == goal)
    return next(exact, None) or next(text for text, _ in spellings(plan, line))


def spellings(plan: Plan, line: Line) -> Iterator[tuple[str, Line]]:
    """The texts of all lines of one `effect`, which differ in where they leave dead boundaries; the first is what is drawn where
    nobody asks for another."""
    asked = Asked(line.first.spot, line.second.spot, frozenset(parted(plan, line)))
    found, effect, text = meanings(plan, asked), play.effect(plan, line), _text(plan, asked)
    alone = len(firsts(found)) == 1
    for rank, meaning in enumerate(found, start=1):
        if meaning.effect == effect:
            yield text if alone and rank == 1 else f"{text}#{rank}", meaning.line


def ranges(spots: Sequence[int]) -> str:
    """Ascending numbers, three or more in a row as a range: `1,2,4-6`."""
    rows: list[list[int]] = []
    for spot in spots:
        if rows and rows[-1][-1] == spot - 1:
            rows[-1].append(spot)
        else:
            rows.append([spot])
    return ",".join(f"{row[0]}-{row[-1]}" if len(row) > 2 else ",".join(map(str, row)) for row in rows)


def _text(plan: Plan, asked: Asked) -> str:
    named = f"[{ranges(sorted(asked.named))}]" if asked.named else ""
    reaches = f"@{asked.reaches}" if asked.reaches else ""
    return f"{asked.first}({plan.spots + 1}{reaches}){asked.second}{named}"


def _read(plan: Plan, text: str) -> tuple[Asked, int | None]:
    found = _MOVE.fullmatch(text.strip())
    if found is None:
        said = phrase("“%(move)s” is no move: write two spots and the new one between them, as in 1(6)2.", move=text.strip()[:20])
        raise InvalidNotation(said)
    first, new, reached, second, listed, rank = found.groups()
    named = _list(plan, listed or "")
    if int(new) != plan.spots + 1:
        raise IllegalMove(phrase("The new spot is number %(right)s here, not %(given)s.", right=plan.spots + 1, given=new))
    one, other = sorted((_spot(plan, first), _spot(plan, second)))
    left = play.lives(plan)
    for spot in (one, other):
        if not left[spot]:
            raise IllegalMove(phrase("Spot %(spot)s has three line ends already.", spot=spot))
    if one == other and left[one] < 2:
        raise IllegalMove(phrase("A loop takes two line ends, and spot %(spot)s can get only one more.", spot=one))
    asked = Asked(
        first=one,
        second=other,
        named=frozenset(spot for spot in named if left[spot] > (one, other).count(spot)),
        reaches=_spot(plan, reached) if reached else None,
    )
    return asked, int(rank) if rank else None


def _spot(plan: Plan, number: str) -> int:
    if int(number) > plan.spots:
        raise IllegalMove(phrase("There is no spot %(spot)s.", spot=number))
    return int(number)


def _list(plan: Plan, listed: str) -> list[int]:
    named: list[int] = []
    for part in _BETWEEN.split(_DASH.sub(r"\1", listed.strip())) if listed.strip() else ():
        found = _NAMED.fullmatch(part)
        if found is None:
            raise InvalidNotation(phrase("“%(list)s” is no list of spots: write it as in [3,5-7].", list=listed.strip()[:20]))
        low, high = (_spot(plan, number) for number in (found[1], found[2] or found[1]))
        named += range(low, high + 1)
    return named


def _why_not(plan: Plan, asked: Asked) -> Phrase:
    one, other = asked.first, asked.second
    if next(play.courses(plan, one, other), None) is None:
        return phrase("Spots %(one)s and %(other)s do not lie on a common region.", one=one, other=other)
    if asked.reaches and meanings(plan, asked._replace(reaches=None)):
        return phrase("After no such line can spot %(new)s reach %(goal)s.", new=plan.spots + 1, goal=asked.reaches)
    if asked.named:
        return phrase("No line from %(one)s to %(other)s parts just these spots from the others.", one=one, other=other)
    return phrase(
        "Every line from %(one)s to %(other)s parts spots: name those on one side, as in [3,5-7].", one=one, other=other
    )
