"""The analysis of a game that is over, as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.engines.finding import Finding
from games.models import Analysis, Game
from games.selectors.graph import graph, swatch
from games.selectors.line import Line, line_of
from games.selectors.worth import Grade, Worth, in_words, move_in_words, remark, worth


class Ply(NamedTuple):
    """A move of the game: the number of its step, its place among all, who made it, and what; in words what the position after it
    is worth, what was missed, and what would have been better. `grade` is a number of `worth.Grade`."""

    number: int
    place: int
    who: str
    text: str
    worth: str
    said: str
    better: str
    grade: int


class Tally(NamedTuple):
    """How a player did: how many moves, and how many of them were mistakes, and inaccuracies; `swatch` is a piece of the line in
    a graph that has one for each player."""

    name: str
    swatch: str
    moves: int
    mistakes: int
    inaccuracies: int


@dataclass(frozen=True, slots=True)
class AnalysisPage:
    """How far an analysis has come, `done` of `total` positions, and what it says; `at_first` is what the beginning is worth.
    `given_up` says how many positions could not be looked at. Not `asked`: nobody has asked for it."""

    asked: bool
    done: int
    total: int
    finished: bool
    at_first: str
    plies: tuple[Ply, ...]
    tallies: tuple[Tally, ...]
    svg: str
    given_up: int = 0

    @property
    def version(self) -> str:
        """Another text whenever there is more to see."""
        return f"{self.asked:d}.{self.done}.{self.finished:d}"


def analysis_page(game_id: int) -> AnalysisPage | None:
    """The analysis of a game that is over, whoever may see it; None for one that goes on."""
    game = Game.objects.filter(pk=game_id).select_related("analysis").first()
    line = line_of(game) if game is not None else None
    if game is None or line is None:
        return None
    row = _kept(game)
    if row is None:
        return AnalysisPage(asked=False, done=0, total=len(line.stops), finished=False, at_first="", plies=(), tallies=(), svg="")
    known = known_of(line, row)
    plies = tuple(_plies(line, known)) if row.done_at is not None else ()
    return AnalysisPage(
        asked=True,
        done=len(row.findings),
        total=row.total,
        finished=row.done_at is not None,
        at_first=in_words(line.ruleset, known[0], line.names) if known and known[0] is not None else "",
        plies=plies,
        tallies=_tallies(line, plies),
        svg=graph(line.names, [one.shares if one is not None else None for one in known]) if plies else "",
        given_up=sum(data is False for data in row.findings.values()),
    )


def _kept(game: Game) -> Analysis | None:
    """The analysis of the game as it ended; an end that was taken back, and what was found before, count no more."""
    row: Analysis | None = getattr(game, "analysis", None)
    return row if row is not None and row.head == game.head else None


def known_of(line: Line, row: Analysis) -> list[Worth | None]:
    """What is known of each stop of the line."""
    found = {int(number): Finding.from_json(data) for number, data in row.findings.items() if data}
    return [worth(line.ruleset, stop.position, found.get(stop.step.number)) for stop in line.stops]


def worth_at(game: Game, line: Line, index: int) -> Worth | None:
    """What is known of one stop of the line, if somebody has asked."""
    row = _kept(game)
    data = row.findings.get(str(line.stops[index].step.number)) if row is not None else None
    return worth(line.ruleset, line.stops[index].position, Finding.from_json(data) if data else None)


def _plies(line: Line, known: list[Worth | None]) -> list[Ply]:
    told = []
    for index, (stop, before, after) in enumerate(zip(line.stops[1:], known, known[1:], strict=False), 1):
        said = None
        if before is not None and after is not None and stop.seat is not None:
            said = remark(line.ruleset, line.stops[index - 1].position, before, after, stop.seat, stop.step.text)
        told.append(
            Ply(
                number=stop.step.number,
                place=index,
                who=stop.step.who,
                text=move_in_words(line.ruleset, stop.step.text),
                worth=in_words(line.ruleset, after, line.names) if after is not None else "",
                said=said.said if said is not None else "",
                better=said.better if said is not None else "",
                grade=int(said.grade) if said is not None else 0,
            )
        )
    return told


def _tallies(line: Line, plies: tuple[Ply, ...]) -> tuple[Tally, ...]:
    seats = [stop.seat for stop in line.stops[1:]]
    return tuple(
        Tally(
            name,
            swatch(seat) if len(line.names) > 2 else "",
            sum(own == seat for own in seats),
            *(
                sum(own == seat and one.grade == grade for own, one in zip(seats, plies, strict=False))
                for grade in (Grade.MISTAKE, Grade.INACCURACY)
            ),
        )
        for seat, name in enumerate(line.names)
        if plies
    )
