"""Positions of Sprouts as JSON: the drawing says it all, and short forms say which moves were made, or what Hoey writes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.rules.catalogue.sprouts import drawing as drawings
from games.rules.catalogue.sprouts import play, position, unplaying
from games.rules.catalogue.sprouts.drawing import Drawing, Unstorable
from games.rules.catalogue.sprouts.enclosure import string
from games.rules.catalogue.sprouts.play import ENDS, Plan
from games.rules.catalogue.sprouts.position import SproutsPosition
from games.rules.entry import Json
from games.rules.position import BadPosition, MoveRefused

LARGEST = 999


def dump(standing: SproutsPosition) -> Json:
    """The options, the spots that each line joins, the drawing, and for the eye the position as Hoey writes it."""
    plan, drawing = standing.plan, standing.drawing
    return {
        "n": plan.n,
        "misere": plan.misere,
        "lines": [[stroke.first, stroke.second] for stroke in drawing.strokes],
        "drawing": drawings.whole_text(drawing),
        "position": string(plan),
    }


def load(data: Json) -> SproutsPosition:
    """Inverse of `dump`; or `n`, perhaps `misere`, and `moves`; or `position` alone, perhaps with `misere`, as Hoey writes it: a
    drawing is made for it then. Raises BadPosition."""
    if not isinstance(data, dict):
        raise BadPosition("a position is a JSON object")
    n, misere = data.get("n"), data.get("misere", False)
    if isinstance(data.get("position"), str) and data.keys() <= {"position", "misere"} and isinstance(misere, bool):
        return _unplayed(data["position"], misere=misere)
    if type(n) is not int or not 1 <= n <= LARGEST or not isinstance(misere, bool):
        raise BadPosition("n is a whole number from 1, misere true or false")
    if "drawing" not in data:
        return _played(n, data.get("moves", []), misere=misere)
    drawing = _drawing(n, data)
    plan = Plan(n, misere, len(drawing.spots), _regions(drawing))
    if data.get("position", string(plan)) != string(plan):
        raise BadPosition("the drawing shows another position")
    return SproutsPosition(plan, drawing)


def _played(n: int, moves: Any, *, misere: bool) -> SproutsPosition:
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise BadPosition("moves is a list of texts")
    standing = position.start(n, misere=misere)
    try:
        for move in moves:
            standing = position.after(standing, move)
    except MoveRefused as refused:
        raise BadPosition(str(refused)) from refused
    return standing


def _unplayed(string: str, *, misere: bool) -> SproutsPosition:
    try:
        plan = unplaying.plan_of(string, misere=misere)
        if plan.n > LARGEST:
            raise BadPosition("there are too many spots")
        lines = unplaying.lines_to(plan)
    except unplaying.Unreachable as wrong:
        raise BadPosition(str(wrong)) from wrong
    standing = position.start(plan.n, misere=misere)
    for line in lines:
        standing = SproutsPosition(play.draw(standing.plan, line), before=standing, line=line)
    return standing


def _drawing(n: int, data: dict[str, Any]) -> Drawing:
    lines, text = data.get("lines"), data["drawing"]
    if not isinstance(text, str) or not isinstance(lines, list):
        raise BadPosition("lines is a list, drawing a text")
    ends: list[tuple[int, int]] = []
    taken: Counter[int] = Counter()
    for spots in lines:
        if not isinstance(spots, list) or len(spots) != 2 or not all(type(spot) is int for spot in spots):
            raise BadPosition("a line joins two spots")
        if not all(1 <= spot <= n + len(ends) for spot in spots):
            raise BadPosition("a line joins spots that are there")
        taken.update((*spots, n + len(ends) + 1, n + len(ends) + 1))
        ends.append((spots[0], spots[1]))
    if any(many > ENDS for many in taken.values()):
        raise BadPosition("a spot has more than three line ends")
    try:
        drawing = drawings.read_whole(text, ends)
    except Unstorable as wrong:
        raise BadPosition(str(wrong)) from wrong
    if len(drawing.spots) != n + len(ends):
        raise BadPosition("the drawing has another number of spots")
    return drawing


def _regions(drawing: Drawing) -> Any:
    from games.rules.catalogue.sprouts import faces

    try:
        return faces.regions(drawing)
    except faces.Crossing as crossing:
        raise BadPosition("lines cross or touch") from crossing
