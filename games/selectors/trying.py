"""The trying board: a position of a game that is over, and the moves that somebody tries from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from games.models import Game
from games.rules.phrase import phrase
from games.rules.position import CHANCE, AmbiguousMove, IllegalMove, Moment, MoveRefused
from games.rules.ruleset import AnyRuleset, Marks
from games.rules.standing import Standing
from games.selectors.analysis import worth_at
from games.selectors.boards import board
from games.selectors.choices import Choice, Group, begun, choices, pictured, sketched
from games.selectors.line import Line, line_of
from games.selectors.log import in_words
from games.selectors.wanted import question
from games.selectors.words import title_of
from games.selectors.worth import in_words as worth_in_words
from games.selectors.worth import line_in_words
from games.speech import naming, say

MOST: Final = 100
"""So many moves are tried in a row,"""
MOST_DRAWN: Final = 20
"""and so many where the service has to find the line of each, which may take most of a second."""


class Tried(NamedTuple):
    """A move that was tried: by whom, its notation, what it did in words."""

    who: str
    text: str
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """A position of game `pk`: of step `at`, of `places` from 0 the `place`, and after the moves that were `tried`; `before` and
    `after` are the steps around it.

    `who` decides, empty after the end. `query` names the position in an address, `back` the one before the last try. `worth` and
    `best` tell what an analysis found, if nothing was tried. `asked` is the question that the `groups` answer, if there is
    one, and `begun` whether a move has just begun. `refused` says why the last try cannot be played.
    """

    pk: int
    title: str
    ruleset: str
    at: int
    place: int
    places: int
    before: int | None
    after: int | None
    moves: tuple[str, ...]
    tried: tuple[Tried, ...]
    svg: str
    diagram: str
    description: str
    wide: bool
    who: str
    chance: bool
    groups: tuple[Group, ...]
    examples: tuple[str, ...]
    joiner: str | None
    worth: str
    best: str
    asked: str
    begun: bool
    refused: str

    @property
    def query(self) -> str:
        """What an address of this position ends with."""
        return _query(self.at, self.moves)

    @property
    def back(self) -> str:
        """The same of the position before the last try."""
        return _query(self.at, self.moves[:-1])


def _query(at: int, moves: Sequence[str]) -> str:
    return urlencode([("at", at), *(("move", text) for text in moves)])


@dataclass(slots=True)
class _Board:
    """A position while moves are tried on it."""

    line: Line
    position: Any
    marks: Marks
    moves: list[str]
    tried: list[Tried]

    @property
    def ruleset(self) -> AnyRuleset:
        return self.line.ruleset

    def play(self, text: str) -> None:
        """Plays what somebody writes or chooses, plies of one turn or what chance may bring. Raises MoveRefused."""
        ruleset, seat = self.ruleset, self.ruleset.to_move(self.position)
        if seat is None:
            raise IllegalMove(phrase("The game is over here."))
        if seat == CHANCE:
            if text not in {outcome for outcome, weight in ruleset.chance(self.position) if weight}:
                raise IllegalMove(phrase("Chance cannot bring this here."))
            self._make(_("Chance"), text, text)
            return
        position = self.position
        for before, ply in list(ruleset.plies(position, text)):
            self.position = before
            self._make(self.line.names[seat], ply, ruleset.stored(before, ply))

    def _make(self, who: str, ply: str, stored: str) -> None:
        events = self.ruleset.events(self.position, stored)
        speak = say if self.ruleset.facts.seat_titles else naming(self.line.names)
        self.position = self.ruleset.play(self.position, stored)
        self.marks = self.ruleset.marks(events)
        self.moves.append(ply)
        self.tried.append(Tried(who, ply, in_words(events, speak)))


class _Rest(NamedTuple):
    """What could not be played of the moves: why not, or with what a move has `begun`; and what is to be chosen then."""

    refused: str = ""
    groups: tuple[Group, ...] | None = None
    begun: str = ""


def trial(
    game_id: int, *, at: int | None = None, moves: Sequence[str] = (), expired: Callable[[], bool] = lambda: False
) -> Trial | None:
    """The position of a step (the last one, if it is not said) with these moves after it, as far as they can be played; None for
    a game that goes on, or has no such step. Who may see the game is asked before. `expired` tells that there is no time to find
    more lines; those that were found are at hand when somebody asks again."""
    game = Game.objects.filter(pk=game_id).select_related("analysis").first()
    line = line_of(game) if game is not None else None
    if game is None or line is None or not line.stops:
        return None
    place = line.at(at) if at is not None else len(line.stops) - 1
    if place is None:
        return None
    stop = line.stops[place]
    tried = _Board(line, stop.position, Marks(), [], [])
    rest = _try(tried, moves, expired)
    ruleset, seat = line.ruleset, line.ruleset.to_move(tried.position)
    # Everything lies open after the end; whose turn it is tells only a board on which nothing was hidden.
    view = ruleset.view(tried.position, None, moment=Moment.OVER if ruleset.facts.hidden else Moment.NOW)
    groups = rest.groups if rest.groups is not None else _choices(line, tried.position, seat)
    marks = Marks(
        tried.marks.last,
        tried.marks.captured,
        tuple(one.place for group in groups for one in group.choices if one.place),
        chosen=ruleset.place_of(view, rest.begun) if rest.begun else None,
    )
    seen = board(ruleset, view, marks, line.names)
    known = worth_at(game, line, place) if not tried.moves else None
    return Trial(
        pk=game.pk,
        title=title_of(game.ruleset),
        ruleset=game.ruleset,
        at=stop.step.number,
        place=place,
        places=len(line.stops) - 1,
        before=line.stops[place - 1].step.number if place else None,
        after=line.stops[place + 1].step.number if place + 1 < len(line.stops) else None,
        moves=tuple(tried.moves),
        tried=tuple(tried.tried),
        svg=seen.svg,
        diagram=seen.diagram,
        description=seen.description,
        wide=ruleset.is_wide(view),
        who="" if seat is None else _("Chance") if seat == CHANCE else line.names[seat],
        chance=seat == CHANCE,
        groups=groups,
        examples=ruleset.examples(view) if groups and seat != CHANCE and not ruleset.facts.hidden else (),
        joiner=ruleset.facts.joiner,
        worth=worth_in_words(ruleset, known, line.names) if known is not None else "",
        best=line_in_words(ruleset, stop.position, known.best) if known is not None else "",
        asked=question(ruleset, view, rest.begun) if groups and seat is not None and seat >= 0 else "",
        begun=bool(rest.begun),
        refused=rest.refused,
    )


def _try(tried: _Board, moves: Sequence[str], expired: Callable[[], bool]) -> _Rest:
    """Plays the moves, until one of them cannot be played, has just begun, or may mean several."""
    most = MOST_DRAWN if tried.ruleset.facts.drawn else MOST
    for number, text in enumerate(moves):
        if number == most:
            return _Rest(_("You have tried %(most)s moves in a row: this board goes no further.") % {"most": most})
        if number and tried.ruleset.facts.drawn and expired():
            return _Rest(_("To draw these moves takes a while. Load this page again: it then goes further."))
        ruleset, position = tried.ruleset, tried.position
        seat = ruleset.to_move(position)
        view = ruleset.view(position, None)
        next_ = begun(ruleset, view, text) if seat is not None and seat >= 0 and not ruleset.facts.hidden else ()
        if next_:
            return _Rest(groups=sketched(ruleset, position, next_), begun=text)
        try:
            tried.play(text)
        except AmbiguousMove as no:
            return _Rest(say(no.said), pictured(ruleset, position, no.candidates))
        except MoveRefused as no:
            return _Rest(say(no.said))
    return _Rest()


def _choices(line: Line, position: Any, seat: int | None) -> tuple[Group, ...]:
    """What whoever decides may play, or what chance may bring; nothing after the end."""
    if seat is None:
        return ()
    if seat == CHANCE:
        fall = [Choice(outcome, "", None) for outcome, weight in line.ruleset.chance(position) if weight]
        return (Group("", tuple(fall), few=False),)
    return choices(line.ruleset, Standing(position, len(line.names)), line.ruleset.view(position, seat))
