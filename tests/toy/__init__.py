"""Toy quartet: a ruleset that lives in the tests and has everything that Mangala has not.

Two to four seats. Chance deals each two hidden cards, worth 1 to 6, low ones more often. In turn a seat passes, or offers a
card to the next living seat, who answers out of turn: takes it, or refuses it, and then chance gives the offerer one more.
Time that runs out passes or refuses. Who leaves is skipped and an offer of his or to him is void; the last one left wins.
After `rounds` turns for each seat the hands are opened and the one worth most wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import ClassVar, Final, NamedTuple

from games.drawing.canvas import Canvas
from games.rules.entry import Json, Options
from games.rules.phrase import Phrase, Say, phrase, phrases
from games.rules.position import (
    CHANCE,
    DRAW,
    LOSS,
    WIN,
    BadOptions,
    BadPosition,
    Event,
    IllegalMove,
    InvalidNotation,
    Moment,
    Outcome,
    whose_turn,
)
from games.rules.ruleset import Facts, Marks, Option, Ruleset, complete

CARDS: Final = {str(worth): worth for worth in range(1, 7)}
DEALT: Final = 2
UNSEEN: Final = 0
"""What stands in a view where a card is that the seat may not know."""


class ToyPosition(NamedTuple):
    """Sorted `hands` by seat; `mover` has the turn and `offer` is the card he offers, None when he offers none.

    `turn` counts from 1, `made` the turns of movers that are over, `out` are the seats that left; while `drawing`, a card
    must fall: in the deal for the first seat that lacks one, later for the mover.
    """

    hands: tuple[tuple[int, ...], ...]
    rounds: int
    mover: int = 0
    offer: int | None = None
    turn: int = 1
    made: int = 0
    out: tuple[int, ...] = ()
    drawing: bool = True

    @property
    def living(self) -> list[int]:
        """The seats that have not left."""
        return [seat for seat in range(len(self.hands)) if seat not in self.out]

    @property
    def next(self) -> int:
        """The living seat after the mover, who gets his offer."""
        return next((seat for seat in self.living if seat > self.mover), self.living[0])

    @property
    def over(self) -> bool:
        """Whether the last round is over or all but one have left."""
        return len(self.living) == 1 or self.made >= self.rounds * len(self.hands)


class ToyView(NamedTuple):
    """The position with UNSEEN for every card that `seat` may not know; None is a spectator, who knows no card."""

    seat: int | None
    position: ToyPosition
    moment: Moment = Moment.NOW


class Toy(Ruleset[ToyPosition, ToyView]):
    """The toy by the rules above."""

    facts: ClassVar[Facts] = Facts(
        name="toy",
        version=1,
        title=phrase("Toy quartet"),
        seats=(2, 4),
        options=(Option("rounds", phrase("Rounds"), 2, ((1, phrase("one")), (2, phrase("two")), (3, phrase("three")))),),
        hidden=True,
        chance=True,
        terminations={"rounds_over": phrase("all rounds are over"), "last_left": phrase("all the others left")},
    )

    def start(self, options: Options, seats: int) -> ToyPosition:
        """Empty hands; the deal comes first."""
        rounds = complete(self.facts, options)["rounds"]
        if not isinstance(rounds, int) or isinstance(rounds, bool) or not 1 <= rounds <= 20 or not 2 <= seats <= 4:
            raise BadOptions(phrase("The toy is played by two to four, for 1 to 20 rounds."))
        return ToyPosition(((),) * seats, rounds)

    def to_move(self, position: ToyPosition) -> int | None:
        """Chance when a card must fall, who got an offer, or the mover."""
        if position.over:
            return None
        if position.drawing:
            return CHANCE
        return position.mover if position.offer is None else position.next

    def turn(self, position: ToyPosition) -> int:
        """An offer ends a turn, and so does its answer."""
        return position.turn

    def legal_moves(self, position: ToyPosition) -> Iterator[str]:
        """An answer where one is due, else a pass or an offer of any card."""
        if self.to_move(position) in (None, CHANCE):
            return
        if position.offer is not None:
            yield from ("take", "refuse")
        else:
            yield "pass"
            yield from (f"offer {worth}" for worth in sorted(set(position.hands[position.mover])))

    def canonical(self, position: ToyPosition, text: str) -> str:
        """The words with one blank between them; of an outcome of chance the worth of the card."""
        words = text.split()
        move = " ".join(words)
        if move not in ("take", "refuse", "pass", *CARDS) and not (words[:1] == ["offer"] and words[1:] in [[c] for c in CARDS]):
            raise InvalidNotation(phrase("“%(move)s” is no move.", move=text[:20]))
        possible = CARDS if self.to_move(position) == CHANCE else tuple(self.legal_moves(position))
        if move not in possible:
            raise IllegalMove(phrase("“%(move)s” is not possible here.", move=move))
        return move

    def play(self, position: ToyPosition, text: str) -> ToyPosition:
        """The position after a move or after a card fell."""
        move = self.canonical(position, text)
        if position.drawing:
            return _fallen(position, CARDS[move])
        if move.startswith("offer"):
            return position._replace(offer=CARDS[move.split()[1]], turn=position.turn + 1)
        if move == "refuse":
            return _refused(position)
        return _passed(_given(position) if move == "take" else position)

    def chance(self, position: ToyPosition) -> Sequence[tuple[str, int]]:
        """A 1 falls six times as often as a 6."""
        return [(card, 7 - worth) for card, worth in CARDS.items()] if self.to_move(position) == CHANCE else ()

    def time_out(self, position: ToyPosition) -> ToyPosition:
        """A turn passes, an answer refuses."""
        return _passed(position) if position.offer is None else _refused(position)

    def leave(self, position: ToyPosition, seat: int) -> ToyPosition:
        """The seat is skipped from now on, and what waited for it is void."""
        involved = {position.mover} if position.offer is None else {position.mover, position.next}
        left = position._replace(out=tuple(sorted({*position.out, seat})))
        dealing = any(len(hand) < DEALT for hand in position.hands)
        if left.over or seat not in involved:
            return left
        return left._replace(mover=left.next, offer=None, turn=position.turn + 1, drawing=dealing)

    def outcome(self, position: ToyPosition) -> Outcome | None:
        """The last one left, or the hand worth most; equal hands share the win."""
        if not position.over:
            return None
        worth = tuple(Fraction(sum(hand)) for hand in position.hands)
        best = max(worth[seat] for seat in position.living)
        winners = [seat for seat in position.living if worth[seat] == best]
        points = tuple((WIN if len(winners) == 1 else DRAW) if seat in winners else LOSS for seat in range(len(worth)))
        return Outcome("last_left" if len(position.living) == 1 else "rounds_over", points, worth)

    def proposals(self, position: ToyPosition) -> tuple[str, ...]:
        """All may agree to stop."""
        return () if position.over else ("stop",)

    def settle(self, position: ToyPosition, proposal: str) -> Outcome:
        """Half a point for each who is still there."""
        if proposal != "stop":
            return super().settle(position, proposal)
        return Outcome("agreement", tuple(DRAW if seat in position.living else LOSS for seat in range(len(position.hands))))

    def events(self, position: ToyPosition, text: str) -> tuple[Event, ...]:
        """What happens, with the seats it touches."""
        move = self.canonical(position, text)
        if position.drawing:
            return (Event("drawn", phrase("A card is drawn."), count=1),)
        kind = move.split()[0]
        said = phrase("A move is made: %(move)s.", move=move)
        seats = (position.mover,) if kind == "pass" else (position.mover, position.next)
        return (Event(kind, said, tuple(f"seat {seat + 1}" for seat in seats), int(kind != "pass")),)

    def dump(self, position: ToyPosition) -> Json:
        """The fields as lists and numbers."""
        return {**position._asdict(), "hands": [list(hand) for hand in position.hands], "out": list(position.out)}

    def load(self, data: Json) -> ToyPosition:
        """Inverse of `dump`."""
        try:
            return ToyPosition(**{**data, "hands": tuple(map(tuple, data["hands"])), "out": tuple(data["out"])})
        except (TypeError, KeyError) as problem:
            raise BadPosition(str(problem)) from problem

    def view(self, position: ToyPosition, seat: int | None, *, moment: Moment = Moment.NOW) -> ToyView:
        """The own hand and, for the two concerned, the card on offer; every hand when the game is over."""
        if moment is Moment.OVER or position.over:
            return ToyView(seat, position, Moment.OVER)
        hands = tuple(hand if own == seat else (UNSEEN,) * len(hand) for own, hand in enumerate(position.hands))
        knows = position.offer is None or seat in (position.mover, position.next)
        return ToyView(seat, position._replace(hands=hands, offer=position.offer if knows else UNSEEN), moment)

    def imagine(self, view: ToyView, random: Random) -> ToyPosition:
        """Any cards where the seat knows none; a card that it was offered lies in the offerer's hand."""
        position = view.position
        if view.moment is Moment.OVER:
            return position
        hands = [[card or random.choice(list(CARDS.values())) for card in hand] for hand in position.hands]
        offer = position.offer
        if offer == UNSEEN:
            offer = hands[position.mover][0]
        elif offer is not None and view.seat != position.mover:
            hands[position.mover][0] = offer
        return position._replace(hands=tuple(tuple(sorted(hand)) for hand in hands), offer=offer)

    def describe(self, view: ToyView, say: Say) -> str:
        """The own cards, how many the others hold, what waits for an answer, and who must decide."""
        return " ".join(map(say, self._told(view)))

    def _told(self, view: ToyView) -> Iterator[Phrase]:
        position = view.position
        for seat, hand in enumerate(position.hands):
            cards = ", ".join(map(str, hand))
            if seat == view.seat and hand:
                yield phrase("Your cards: %(hand)s.", hand=cards)
            elif view.moment is Moment.OVER:
                yield phrase("Seat %(seat)s: %(hand)s.", seat=seat + 1, hand=cards or "–")
            else:
                yield phrases(
                    "Seat %(seat)s holds %(count)s card.", "Seat %(seat)s holds %(count)s cards.", len(hand), seat=seat + 1
                )
        if position.offer:
            yield phrase("On offer: %(card)s.", card=position.offer)
        decider = self.to_move(position)
        who = phrase("Chance") if decider in (None, CHANCE) else phrase("Seat %(seat)s", seat=decider + 1)
        yield whose_turn(view.moment, who)

    def diagram(self, view: ToyView) -> str:
        """A line for each seat with its cards, hidden ones as #."""
        return "\n".join(f"seat {seat + 1}: {_row(hand)}" for seat, hand in enumerate(view.position.hands))

    def picture(self, view: ToyView, marks: Marks, say: Say) -> str:
        """The lines of the diagram."""
        canvas = Canvas(name="toy", width=200, height=100, title=say(self.facts.title), description=self.describe(view, say))
        for seat, hand in enumerate(view.position.hands):
            with canvas.group(data_place=f"seat {seat + 1}"):
                canvas.words(100, 20 + 20 * seat, _row(hand), size=12)
        return canvas.svg()


def _row(hand: tuple[int, ...]) -> str:
    return " ".join(str(card or "#") for card in hand[:10]) + (f" +{len(hand) - 10}" if len(hand) > 10 else "")


def _fallen(position: ToyPosition, worth: int) -> ToyPosition:
    """A card falls: in the deal to the first who lacks one, else to the mover, whose turn is over then."""
    dealt = next((seat for seat, hand in enumerate(position.hands) if len(hand) < DEALT), None)
    drawn = _with(position, position.mover if dealt is None else dealt, worth)
    if dealt is None:
        return _passed(drawn)._replace(turn=position.turn)
    return drawn._replace(drawing=any(len(hand) < DEALT for hand in drawn.hands))


def _refused(position: ToyPosition) -> ToyPosition:
    return position._replace(offer=None, drawing=True, turn=position.turn + 1)


def _given(position: ToyPosition) -> ToyPosition:
    card = position.offer or UNSEEN
    hand = list(position.hands[position.mover])
    hand.remove(card)
    hands = tuple(tuple(hand) if seat == position.mover else other for seat, other in enumerate(position.hands))
    return _with(position._replace(hands=hands), position.next, card)


def _with(position: ToyPosition, seat: int, card: int) -> ToyPosition:
    hands = tuple(tuple(sorted((*hand, card))) if own == seat else hand for own, hand in enumerate(position.hands))
    return position._replace(hands=hands)


def _passed(position: ToyPosition) -> ToyPosition:
    over = position.made + 1
    return position._replace(mover=position.next, offer=None, turn=position.turn + 1, made=over, drawing=False)


class OpenToy(Toy):
    """The toy with open hands: nothing in it is hidden, and chance deals and draws before everybody's eyes."""

    facts = replace(Toy.facts, name="open_toy", hidden=False)


TOY: Final = Toy()
OPEN_TOY: Final = OpenToy()
