"""The contract of a ruleset: facts about a kind of game, and pure functions over immutable positions."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Protocol, TypeAlias, TypeVar

from games.rules.entry import Json, Options, OptionValue, Record
from games.rules.phrase import Phrase, Say, phrase
from games.rules.position import BadOptions, Event, Forfeit, IllegalMove, Moment, Outcome

if TYPE_CHECKING:
    from random import Random

P = TypeVar("P")
V = TypeVar("V")

_BETWEEN_PLIES: Final = re.compile(r"\s*[-‐‑–—−,;]\s*|\s+")


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made in the challenge. `start` takes every value the theory allows; `offered` is what a form offers."""

    name: str
    title: Phrase
    default: OptionValue
    offered: tuple[tuple[OptionValue, Phrase], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a ruleset before any game: `seats` is (fewest, most); `joiner` joins the plies of one turn in a text."""

    name: str
    version: int
    title: Phrase
    seats: tuple[int, int]
    seat_titles: tuple[Phrase, ...] = ()
    options: tuple[Option, ...] = ()
    hidden: bool = False
    chance: bool = False
    drawn: bool = False
    """Whether moves are drawn: `stored` finds the drawing, which takes its time."""
    joiner: str | None = None
    terminations: Mapping[str, Phrase] | None = None
    """Ids of the ways to end that are this ruleset's own (not resignation, time_forfeit, agreement, adjudication, aborted)."""
    showcase: str = ""
    """The bundled record that the front page plays: the name of its file, without `.game`; none where it is empty."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What a picture points out: places of the last move in order, places captured, and the moves that may be chosen now."""

    last: tuple[str, ...] = ()
    captured: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    chosen: str | None = None


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a move may begin: what is written so far, what that means, and its place on the picture, if it is one. `whole`: it is
    a move already."""

    text: str
    said: Phrase
    place: str | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """What may lie on either side of a move that divides the board: its name in a form, how it is called, its places on the
    picture, and whether it lies on the side that is asked for."""

    name: str
    called: str
    places: tuple[str, ...]
    here: bool


@dataclass(frozen=True, slots=True)
class Division:
    """What a move divides: the question which of the pieces lie on one side of it."""

    asked: Phrase
    pieces: tuple[Piece, ...]


class Dialect(Protocol):
    """Another notation of whole games: a line or text that other people or programs write."""

    def reads(self, text: str) -> bool:
        """Whether the text looks like this dialect (a cheap test; `read` may still refuse it)."""

    def read(self, text: str) -> Record:
        """The record of the written game. Raises `entry.Unreadable` with line and column."""

    def write(self, record: Record) -> str:
        """The game in this dialect."""


class Ruleset(ABC, Generic[P, V]):
    """One kind of game. `P` is its position, `V` what a seat may know of one; both can be hashed. Instances keep no state."""

    facts: ClassVar[Facts]

    # -- the course of a game ------------------------------------------------------------------------------------

    @abstractmethod
    def start(self, options: Options, seats: int) -> P:
        """The first position. Raises BadOptions for an unknown option, a value or a number of seats the theory has not."""

    @abstractmethod
    def to_move(self, position: P) -> int | None:
        """The one who decides: a seat from 0, CHANCE, or None when the game is over."""

    @abstractmethod
    def turn(self, position: P) -> int:
        """Number of the current turn, from 1: it grows by one whenever somebody else must decide."""

    @abstractmethod
    def legal_moves(self, position: P) -> Iterator[str]:
        """Canonical texts of the moves of the seat to move, lazily; nothing when the game is over or chance decides."""

    def has_move(self, position: P) -> bool:
        """Whether a legal move exists."""
        return next(iter(self.legal_moves(position)), None) is not None

    @abstractmethod
    def canonical(self, position: P, text: str) -> str:
        """The one spelling of a move. Raises InvalidNotation, IllegalMove or AmbiguousMove."""

    @abstractmethod
    def play(self, position: P, text: str) -> P:
        """The position after a move or, when chance decides, after that outcome. Raises as `canonical`."""

    def stored(self, position: P, move: str) -> str:
        """What the log keeps of a canonical move, so that `play` makes the same of it for ever: the move, and in a game whose
        moves are drawn, how. Raises IllegalMove."""
        return move

    def told(self, text: str) -> str:
        """What is shown of a text that the log keeps: inverse of `stored`."""
        return text

    def chance(self, position: P) -> Sequence[tuple[str, int]]:
        """The outcomes that may fall here with their whole weights; empty unless CHANCE is to move."""
        return ()

    @abstractmethod
    def time_out(self, position: P) -> P | Forfeit:
        """What follows when the seat to move lets its time run out."""

    @abstractmethod
    def leave(self, position: P, seat: int) -> P | Forfeit:
        """What follows when a seat resigns or is removed, whoever is to move."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """How the rules ended the game, or None while it goes on."""

    def scores(self, position: P) -> tuple[Fraction, ...]:
        """The game's own counts by seat at this position (stones in stores); () for a game that counts nothing."""
        return ()

    def proposals(self, position: P) -> tuple[str, ...]:
        """Ids of the agreements that may be proposed here: draw, divide, stop, remove. A takeback is a matter of `replay`."""
        return ()

    def removable(self, position: P) -> tuple[int, ...]:
        """The seats that all others may agree to go on without: `leave` is what follows then."""
        return ()

    def settle(self, position: P, proposal: str) -> Outcome:
        """How the game ends when all have agreed to a proposal that ends it."""
        raise ValueError(f"{self.facts.name} knows no agreement called {proposal}")

    # -- text ----------------------------------------------------------------------------------------------------

    def split(self, text: str) -> tuple[str, ...]:
        """The plies of a text that may hold several plies of one turn. Dashes of every length, commas and blanks are read
        where the rules join plies."""
        if self.facts.joiner is None:
            return (text.strip(),)
        return tuple(_BETWEEN_PLIES.split(text.strip()))

    def join(self, plies: Sequence[str]) -> str:
        """The plies of one turn as one text: inverse of `split`."""
        if self.facts.joiner is None and len(plies) != 1:
            raise ValueError(f"a turn of {self.facts.name} is one ply")
        return (self.facts.joiner or "").join(plies)

    def plies(self, position: P, text: str) -> Iterator[tuple[P, str]]:
        """The plies of one turn in their one spelling, each with the position that it is played in, lazily. Raises as
        `canonical`, and IllegalMove for a ply after the turn is over."""
        decides = (self.to_move(position), self.turn(position))
        played: list[str] = []
        for ply in self.split(text):
            if played:
                position = self.play(position, played[-1])
                if (self.to_move(position), self.turn(position)) != decides:
                    raise IllegalMove(phrase("After %(moves)s your turn is over.", moves=self.join(played)))
            played.append(self.canonical(position, ply))
            yield position, played[-1]

    @abstractmethod
    def events(self, position: P, text: str) -> tuple[Event, ...]:
        """What a move does, step by step, for who may know everything. Raises as `canonical`."""

    def seen(self, position: P, text: str, seat: int | None) -> tuple[Event, ...]:
        """What one seat (None: a spectator) is told of a move, or of an outcome of chance, while the game goes on; the words may
        speak to the seat. A game that hides things tells nothing of its own accord. Raises as `canonical`."""
        return () if self.facts.hidden else self.events(position, text)

    def shown(self, position: P, text: str, seat: int | None) -> str:
        """The notation of a move or an outcome as far as one seat may know it while the game goes on; "" for nothing."""
        return "" if self.facts.hidden else text

    def lapsed(self, position: P, seat: int | None) -> tuple[Event, ...]:
        """What one seat is told of what `time_out` comes to here; nothing where the seat to move forfeits."""
        return ()

    def meaning(self, move: str) -> Phrase | None:
        """A move in the words of whoever makes it, for buttons and links; None where its notation says as much."""
        return None

    @property
    def dialects(self) -> Mapping[str, Dialect]:
        """Other notations by name; `reference` reads the lines of the reference games."""
        return {}

    def respelled(self, record: Record) -> Record:
        """The record with its moves as `canonical` spells them, for a ruleset whose records are also written in another way.
        Raises `entry.Misread`."""
        return record

    # -- storage -------------------------------------------------------------------------------------------------

    @abstractmethod
    def dump(self, position: P) -> Json:
        """The position as JSON values; everything that `load` needs, options included."""

    @abstractmethod
    def load(self, data: Json) -> P:
        """Inverse of `dump`. Raises BadPosition."""

    # -- what may be seen ----------------------------------------------------------------------------------------

    @abstractmethod
    def view(self, position: P, seat: int | None, *, moment: Moment = Moment.NOW) -> V:
        """What one seat may know; None is a spectator, who sees from the first seat's side.

        At any other `moment` than NOW nobody is to move, whatever the position; `position.whose_turn` has the words for it.
        """

    @abstractmethod
    def imagine(self, view: V, random: Random) -> P:
        """A whole position that agrees with a view, for search. Only rulesets with hidden things have to choose."""

    @abstractmethod
    def describe(self, view: V, say: Say) -> str:
        """The position in prose, for the ear and for mail: whole sentences, nothing that needs eyes."""

    @abstractmethod
    def diagram(self, view: V) -> str:
        """The position as fixed-width text of at most 40 columns."""

    @abstractmethod
    def picture(self, view: V, marks: Marks, say: Say) -> str:
        """The position as one SVG element with title and description."""

    def miniature(self, view: V, say: Say) -> str:
        """The position as one very small SVG element with a title, for lists; nothing for a game without one."""
        return ""

    def place_of(self, view: V, move: str) -> str | None:
        """The place on the picture that a choice of this move, or of a text that begins one, would touch, where it is one place;
        else None."""
        return None

    def beginnings(self, view: V, text: str) -> tuple[Beginning, ...]:
        """What may follow a text that begins a move, in a game with more moves than can be listed; nothing where the text is no
        beginning, or a whole move."""
        return ()

    def asked(self, view: V, text: str) -> Phrase | None:
        """The question that the `beginnings` of this text answer."""
        return None

    def division(self, view: V, move: str, chosen: Collection[str] = ()) -> Division | None:
        """What lies on which side of a whole move, where that may be changed piece by piece; None where it may not. Where sides
        are alike, those pieces lie here that were `chosen`. Raises as `canonical`."""
        return None

    def divided(self, view: V, move: str, chosen: Collection[str]) -> str:
        """The move with just these pieces of its `division` here. Raises as `canonical`."""
        return move

    def examples(self, view: V) -> tuple[str, ...]:
        """Two moves of this position that show how one is written, where that needs to be shown."""
        return ()

    def marks(self, events: Sequence[Event]) -> Marks:
        """What a picture points out after these events of one turn: where the last of them was, and what was captured."""
        captured = [event for event in events if event.kind.startswith("captured")]
        last = next((event.places for event in reversed(events) if event.places and event not in captured), ())
        return Marks(last=last, captured=tuple(place for event in captured for place in event.places))

    def group_of(self, view: V, move: str) -> Phrase | None:
        """The heading under which a page lists this move where there are many to choose from; None: apart, before all groups."""
        return None

    def is_wide(self, view: V) -> bool:
        """Whether places of the picture lie too close for a finger on a small screen, which then shows it larger, to be moved."""
        return False


AnyRuleset: TypeAlias = Ruleset[Any, Any]


def complete(facts: Facts, options: Options) -> dict[str, OptionValue]:
    """The options with defaults filled in. Raises BadOptions for a name the ruleset does not have."""
    known = {option.name: option.default for option in facts.options}
    for name in options:
        if name not in known:
            raise BadOptions(phrase("%(game)s has no option “%(name)s”.", game=facts.title, name=name))
    return known | dict(options)


def no_value(option: str, given: object) -> BadOptions:
    """The refusal of a value that an option does not take."""
    return BadOptions(phrase("The option “%(name)s” cannot be “%(value)s”.", name=option, value=str(given)[:40]))


def for_two(facts: Facts, seats: int) -> None:
    """Raises BadOptions for a number of seats other than two."""
    if seats != 2:
        raise BadOptions(phrase("%(game)s is played by two.", game=facts.title))
