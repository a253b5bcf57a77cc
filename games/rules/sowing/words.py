"""Sowing games in words: a board for the ear and as text, and what a sowing does."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from games.rules.phrase import Phrase, Say, phrase, phrases
from games.rules.position import Event, in_halves, whose_turn
from games.rules.sowing import PITS, PLACES, SEAT_TITLES, SIDES, STORES
from games.rules.sowing.view import SowingView

AnyView = SowingView[Any]


def describe(view: AnyView, say: Say) -> str:
    """Whose side this is, both sides' pits and stores, and who must move: whole sentences for the ear."""
    near, far = SEAT_TITLES[view.side], SEAT_TITLES[1 - view.side]
    own, other = view.own[:PITS], view.own[PITS + 1 : -1]
    stores = view.stores
    sentences = [
        phrase("The board from the side of %(seat)s.", seat=near),
        *(_own_holdings(own, stores[0]) if view.seat is not None else _holdings(near, own, stores[0])),
        *_holdings(far, other, stores[1]),
        state(view, to_reader=True),
    ]
    return " ".join(map(say, sentences))


def _own_holdings(pits: Sequence[int], store: Fraction) -> tuple[Phrase, Phrase]:
    held = phrase("Your store holds %(stones)s stones.", stones=in_halves(store))
    if store.denominator == 1:
        held = phrases("Your store holds %(count)s stone.", "Your store holds %(count)s stones.", int(store))
    return phrase("Your pits 1 to 6 hold %(pits)s.", pits=_row(pits)), held


def _holdings(seat: Phrase, pits: Sequence[int], store: Fraction) -> tuple[Phrase, Phrase]:
    held = phrase("%(seat)s: the store holds %(stones)s stones.", seat=seat, stones=in_halves(store))
    if store.denominator == 1:
        held = phrases(
            "%(seat)s: the store holds %(count)s stone.", "%(seat)s: the store holds %(count)s stones.", int(store), seat=seat
        )
    return phrase("%(seat)s: pits 1 to 6 hold %(pits)s.", seat=seat, pits=_row(pits)), held


def _row(pits: Sequence[int]) -> Phrase:
    return phrase("%(p1)s, %(p2)s, %(p3)s, %(p4)s, %(p5)s and %(p6)s", **{f"p{pit}": held for pit, held in enumerate(pits, 1)})


def state(view: AnyView, *, to_reader: bool) -> Phrase:
    """Who is to move, or why nobody is; `to_reader`: the viewer's own turn is called that."""
    mover = view.position.mover
    return whose_turn(view.moment, SEAT_TITLES[mover], own=to_reader and view.seat == mover)


def diagram(view: AnyView) -> str:
    """Seven lines, 38 columns: the far side's numbers and pits, the stores, the near side's pits and numbers."""
    own, (near_store, far_store) = view.own, map(in_halves, view.stores)
    near, far = SIDES[view.side], SIDES[1 - view.side]
    indent = " " * 6
    return "\n".join(
        (
            indent + "".join(f"{number:>4}" for number in range(6, 0, -1)) + f"    {far}",
            indent + "+" + "-" * 25 + "+",
            indent + "|" + "".join(f"{stones:>4}" for stones in reversed(own[7:13])) + " |",
            f"{far} {far_store:>2}".ljust(6) + f"|{'':25}|  {near} {near_store:>2}",
            indent + "|" + "".join(f"{stones:>4}" for stones in own[:6]) + " |",
            indent + "+" + "-" * 25 + "+",
            indent + "".join(f"{number:>4}" for number in range(1, 7)) + f"    {near}",
        )
    )


def sown(seat: int, pit: str, path: Sequence[int]) -> Event:
    """A seat sows a pit; `path` are the holes that get a stone, in order."""
    last, stones = path[-1], len(path)
    words: dict[str, Any] = {"seat": SEAT_TITLES[seat], "pit": pit}
    to_mover = phrase("last stone in your opponent's pit %(last)s", last=last % 7 + 1)
    if last in STORES:
        said = phrases(
            "%(seat)s sows one stone from pit %(pit)s; it falls in the store.",
            "%(seat)s sows %(count)s stones from pit %(pit)s; the last one falls in the store.",
            stones,
            **words,
        )
        to_mover = phrase("last stone in your store")
    elif last // 7 == seat:
        said = phrases(
            "%(seat)s sows one stone from pit %(pit)s; it falls in pit %(last)s on the same side.",
            "%(seat)s sows %(count)s stones from pit %(pit)s; the last one falls in pit %(last)s on the same side.",
            stones,
            last=last % 7 + 1,
            **words,
        )
        to_mover = phrase("last stone in your pit %(last)s", last=last % 7 + 1)
    else:
        said = phrases(
            "%(seat)s sows one stone from pit %(pit)s; it falls in pit %(last)s on the other side.",
            "%(seat)s sows %(count)s stones from pit %(pit)s; the last one falls in pit %(last)s on the other side.",
            stones,
            last=last % 7 + 1,
            **words,
        )
    return Event("sown", said, tuple(PLACES[hole] for hole in path), stones, to_mover)


def you_capture(stones: int) -> Phrase:
    """To the mover: so many stones are captured."""
    return phrases("you capture %(count)s stone", "you capture %(count)s stones", stones)


def over(scores: Sequence[Fraction], mover: int) -> Event:
    """The game is over, with so many stones for South and North."""
    south, north = map(in_halves, scores)
    said = phrase("The game is over, %(south)s to %(north)s.", south=south, north=north)
    own, other = scores[mover], scores[1 - mover]
    held = {"own": in_halves(own), "other": in_halves(other)}
    if own == other:
        to_mover = phrase("a draw, %(own)s to %(other)s", **held)
    elif own > other:
        to_mover = phrase("you win, %(own)s to %(other)s", **held)
    else:
        to_mover = phrase("you lose, %(own)s to %(other)s", **held)
    return Event("over", said, to_mover=to_mover)
