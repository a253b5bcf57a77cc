"""The moves in a letter: one link for each, with what it would do; of many, one link to the page that shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounts.models import Player
from games.letters import links
from games.letters.words import wrapped
from games.models import Right
from games.selectors import GamePage
from games.selectors.choices import FEW


@dataclass(frozen=True, slots=True)
class Offered:
    """A legal move: what it would do (nothing where things are hidden), both `wrapped` for a text letter, and its link."""

    move: str
    told: str
    wrapped: tuple[str, ...]
    url: str


def context_of(page: GamePage, reader: Player) -> dict[str, Any]:
    """`moves`; the `board_url` where there are too many, or one may be chosen step by step as well; and `examples` of how one is
    written. Mints the right behind them: the one write that letters make.

    Nothing for whoever is not to move.
    """
    if page.seat is None or not page.may_choose:
        return {}
    token = Right.objects.mint(
        game=page.pk, seat=page.seat, player=reader.pk, turn_number=page.turn_number, purpose=Right.Purpose.MOVE
    )
    whole = [one for one in page.choices if one.whole]
    if not 0 < len(whole) <= FEW:
        return {"board_url": links.page(token), "examples": page.examples}
    offered = [
        Offered(
            one.move,
            one.told,
            wrapped(f"{one.move}: {one.told}" if one.told else one.move),
            links.move(token, page.position_number, one.move),
        )
        for one in whole
    ]
    step_by_step = {"board_url": links.page(token)} if len(whole) < len(page.choices) else {}
    return {"moves": offered, "examples": page.examples, **step_by_step}
