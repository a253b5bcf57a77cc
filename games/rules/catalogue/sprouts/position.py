"""A position of Sprouts: the plan, and a drawing of it that is made when somebody looks.

What draws is imported then, too: the geometry takes 28 MB, and most processes never need it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.rules.catalogue.sprouts import drawing as drawings
from games.rules.catalogue.sprouts import notation, play
from games.rules.catalogue.sprouts.drawing import Drawing, Unstorable
from games.rules.catalogue.sprouts.play import Line, Plan
from games.rules.phrase import phrase
from games.rules.position import IllegalMove, Moment


class SproutsPosition:
    """A plan with its drawing. Positions are equal if both are; the hash is that of the plan.

    A line that comes without a drawing is laid when the drawing is asked for: rules and searches never wait for it.
    """

    __slots__ = ("_before", "_drawing", "_line", "plan")

    def __init__(
        self, plan: Plan, drawing: Drawing | None = None, *, before: SproutsPosition | None = None, line: Line | None = None
    ) -> None:
        self.plan = plan
        self._drawing, self._before, self._line = drawing, before, line

    @property
    def drawing(self) -> Drawing:
        """The drawing; lines that wait are laid in their order. Raises IllegalMove if no way is found for one."""
        if self._drawing is None:
            self._lay()
        return self._drawing or drawings.start(self.plan.n)

    def _lay(self) -> None:
        waiting: list[SproutsPosition] = []
        position = self
        while position._drawing is None and position._before is not None:
            waiting.append(position)
            position = position._before
        for one in reversed(waiting):
            if one._before is not None and one._line is not None:
                one._drawing = _laid(one._before, one._line)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, SproutsPosition) or self.plan != other.plan:
            return False
        if self._drawing is None and other._drawing is None and self._line == other._line and self._before == other._before:
            return True
        return self.drawing == other.drawing

    def __hash__(self) -> int:
        return self.plan.__hash__()


@dataclass(frozen=True, slots=True)
class SproutsView:
    """What a seat or a spectator (None) sees: everything."""

    position: SproutsPosition
    seat: int | None
    moment: Moment = Moment.NOW


def start(n: int, *, misere: bool) -> SproutsPosition:
    """The spots at the start."""
    return SproutsPosition(play.start(n, misere=misere), drawings.start(n))


def after(position: SproutsPosition, text: str) -> SproutsPosition:
    """The position after a move, which may bring its line or a whole drawing with it. Raises as `notation.read`, and IllegalMove
    for a drawing that does not show it."""
    move, sign, drawn = text.partition(notation.DRAWN)
    line = notation.read(position.plan, move)
    plan = play.draw(position.plan, line)
    if not sign:
        return SproutsPosition(plan, before=position, line=line)
    drawing = _read(position.drawing, line, sign + drawn)
    if not _shows(drawing, plan):
        raise IllegalMove(phrase("The line as it is drawn is not %(move)s.", move=move.strip()[:40]))
    return SproutsPosition(plan, drawing)


def stored(position: SproutsPosition, move: str) -> str:
    """A canonical move with its line, or with the whole drawing where others gave way. Raises IllegalMove if no way is found."""
    before, line = position.drawing, notation.read(position.plan, move)
    drawing = _laid(position, line)
    stroke, middle = drawing.strokes[-1], drawing.spots[-1]
    moved = drawing != before.with_line(stroke, middle)
    return move + (drawings.whole_text(drawing) if moved else drawings.line_text(stroke, middle))


def _laid(position: SproutsPosition, line: Line) -> Drawing:
    from games.rules.catalogue.sprouts import laying

    try:
        return laying.laid(position.drawing, position.plan, line)
    except laying.NotLaid as no:
        move = notation.written(position.plan, line)
        raise IllegalMove(phrase("No room was found to draw %(move)s.", move=move[:40])) from no


def _read(before: Drawing, line: Line, drawn: str) -> Drawing:
    ends = (line.first.spot, line.second.spot)
    try:
        if drawn.startswith("//"):
            return drawings.read_whole(drawn, [*((one.first, one.second) for one in before.strokes), ends])
        return before.with_line(*drawings.read_line(drawn, *ends))
    except Unstorable as wrong:
        raise IllegalMove(phrase("The drawing of the line cannot be read: %(why)s.", why=str(wrong))) from wrong


@lru_cache(maxsize=256)
def _shows(drawing: Drawing, plan: Plan) -> bool:
    from games.rules.catalogue.sprouts import laying

    return len(drawing.spots) == plan.spots and laying.shows(drawing, plan.regions)
