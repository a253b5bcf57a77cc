"""Toy quartet: a ruleset that lives in the tests, with everything that Mangala does not have.

Two to four seats; each is dealt two hidden cards by chance. In turn a seat offers a card to the next living seat, who takes
or refuses it out of turn, or passes. A time-out passes or refuses; who leaves is skipped. After `rounds` turns each, the
hand worth most wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Final, NamedTuple

from games.drawing.canvas import Canvas
from games.rules.entry import Json, Options
from games.rules.phrase import Say, phrase
from games.rules.position import CHANCE, DRAW, LOSS, WIN, BadOptions, BadPosition, Event, IllegalMove, InvalidNotation, Outcome
from games.rules.ruleset import Facts, Marks, Option, Ruleset, complete

CARDS: Final = (1, 2, 3, 4, 5, 6)
DEALT: Final = 2


class ToyPosition(NamedTuple):
    hands: tuple[tuple[int, ...], ...]
    rounds: int
    mover: int = 0
    offer: int = 0
    turn: int = 1
    made: int = 0
    out: tuple[int, ...] = ()
    dealing: bool = True


@dataclass(frozen=True, slots=True)
class ToyView:
    seat: int | None
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    offer: int | None
    public: tuple[int, int, int, int, tuple[int, ...], bool]


class Toy(Ruleset[ToyPosition, ToyView]):
    facts: ClassVar[Facts] = Facts(
        name="toy",
        version=1,
        title=phrase("Toy quartet"),
        seats=(2, 4),
        options=(Option("rounds", phrase("Rounds"), 2, ((1, phrase("one")), (2, phrase("two")), (3, phrase("three")))),),
        hidden=True,
        chance=True,
        terminations={"rounds_over": phrase("all rounds are over"), "last_left": phrase("one is left")},
    )

    def start(self, options: Options, seats: int) -> ToyPosition:
        rounds = complete(self.facts, options)["rounds"]
        if not isinstance(rounds, int) or isinstance(rounds, bool) or not 1 <= rounds <= 20 or not 2 <= seats <= 4:
            raise BadOptions(phrase("No such toy."))
        return ToyPosition(((),) * seats, rounds)

    def to_move(self, position: ToyPosition) -> int | None:
        if position.dealing:
            return CHANCE
        if self.outcome(position):
            return None
        return self._next(position, position.mover) if position.offer else position.mover

    def _next(self, position: ToyPosition, seat: int) -> int:
        seats = len(position.hands)
        return next(other % seats for other in range(seat + 1, seat + 1 + seats) if other % seats not in position.out)

    def turn(self, position: ToyPosition) -> int:
        return position.turn

    def legal_moves(self, position: ToyPosition) -> Iterator[str]:
        if position.dealing or self.to_move(position) is None:
            return
        if position.offer:
            yield from ("take", "refuse")
            return
        yield "pass"
        yield from (f"offer {card}" for card in sorted(set(position.hands[position.mover])))

    def canonical(self, position: ToyPosition, text: str) -> str:
        words = text.split()
        known = words in (["take"], ["refuse"], ["pass"]) or (
            len(words) == 2 and words[0] == "offer" and words[1] in map(str, CARDS)
        )
        if not known:
            raise InvalidNotation(phrase("“%(move)s” is no move.", move=text[:20]))
        if " ".join(words) not in self.legal_moves(position):
            raise IllegalMove(phrase("“%(move)s” is not possible here.", move=" ".join(words)))
        return " ".join(words)

    def play(self, position: ToyPosition, text: str) -> ToyPosition:
        if position.dealing:
            return self._dealt(position, text)
        move = self.canonical(position, text)
        if move.startswith("offer"):
            return position._replace(offer=int(move.split()[1]), turn=position.turn + 1)
        if move == "take":
            receiver = self._next(position, position.mover)
            hands = [list(hand) for hand in position.hands]
            hands[position.mover].remove(position.offer)
            hands[receiver] = sorted([*hands[receiver], position.offer])
            position = position._replace(hands=tuple(map(tuple, hands)))
        return self._passed(position)

    def _dealt(self, position: ToyPosition, text: str) -> ToyPosition:
        if text not in map(str, CARDS):
            raise InvalidNotation(phrase("“%(move)s” is no move.", move=text[:20]))
        hands = list(position.hands)
        seat = next(seat for seat, hand in enumerate(hands) if len(hand) < DEALT)
        hands[seat] = tuple(sorted((*hands[seat], int(text))))
        return position._replace(hands=tuple(hands), dealing=any(len(hand) < DEALT for hand in hands))

    def _passed(self, position: ToyPosition) -> ToyPosition:
        mover = self._next(position, position.mover)
        return position._replace(mover=mover, offer=0, turn=position.turn + 1, made=position.made + 1)

    def chance(self, position: ToyPosition) -> Sequence[tuple[str, int]]:
        return [(str(card), 7 - card) for card in CARDS] if position.dealing else ()

    def time_out(self, position: ToyPosition) -> ToyPosition:
        return self._passed(position)

    def leave(self, position: ToyPosition, seat: int) -> ToyPosition:
        involved = seat == position.mover or (position.offer and seat == self._next(position, position.mover))
        left = position._replace(out=tuple(sorted((*position.out, seat))))
        if len(left.out) == len(left.hands) - 1 or not involved:
            return left
        return left._replace(mover=self._next(left, position.mover), offer=0, turn=position.turn + 1)

    def outcome(self, position: ToyPosition) -> Outcome | None:
        living = [seat for seat in range(len(position.hands)) if seat not in position.out]
        if len(living) == 1:
            return self._won("last_left", position, living[0])
        if position.made < position.rounds * len(position.hands):
            return None
        return self._won("rounds_over", position, max(living, key=lambda seat: sum(position.hands[seat])))

    def _won(self, termination: str, position: ToyPosition, winner: int) -> Outcome:
        return Outcome(termination, tuple(WIN if seat == winner else LOSS for seat in range(len(position.hands))))

    def proposals(self, position: ToyPosition) -> tuple[str, ...]:
        return () if position.dealing or self.outcome(position) else ("stop",)

    def settle(self, position: ToyPosition, proposal: str) -> Outcome:
        return Outcome("agreement", (DRAW,) * len(position.hands))

    def events(self, position: ToyPosition, text: str) -> tuple[Event, ...]:
        move = self.canonical(position, text)
        return (Event(move.split()[0], phrase("A move is made: %(move)s.", move=move)),)

    def dump(self, position: ToyPosition) -> Json:
        return {**position._asdict(), "hands": [list(hand) for hand in position.hands], "out": list(position.out)}

    def load(self, data: Json) -> ToyPosition:
        try:
            return ToyPosition(**{**data, "hands": tuple(map(tuple, data["hands"])), "out": tuple(data["out"])})
        except (TypeError, KeyError) as problem:
            raise BadPosition(str(problem)) from problem

    def view(self, position: ToyPosition, seat: int | None) -> ToyView:
        knows_offer = position.offer and seat in (position.mover, self._next(position, position.mover))
        return ToyView(
            seat=seat,
            hand=() if seat is None else position.hands[seat],
            sizes=tuple(map(len, position.hands)),
            offer=(position.offer if knows_offer else None) if position.offer else 0,
            public=(position.rounds, position.mover, position.turn, position.made, position.out, position.dealing),
        )

    def imagine(self, view: ToyView, random: Random) -> ToyPosition:
        rounds, mover, turn, made, out, dealing = view.public
        hands = [tuple(sorted(random.choices(CARDS, k=size))) for size in view.sizes]
        if view.seat is not None:
            hands[view.seat] = view.hand
        offer = hands[mover][0] if view.offer is None else view.offer
        if offer and mover != view.seat:
            hands[mover] = tuple(sorted((offer, *hands[mover][1:])))
        return ToyPosition(tuple(hands), rounds, mover, offer, turn, made, out, dealing)

    def describe(self, view: ToyView, say: Say) -> str:
        hand = ", ".join(map(str, view.hand)) or "-"
        return say(phrase("Your cards: %(hand)s. Turn %(turn)s.", hand=hand, turn=view.public[2]))

    def diagram(self, view: ToyView) -> str:
        return "\n".join(f"seat {number + 1}: {'#' * size}" for number, size in enumerate(view.sizes))

    def picture(self, view: ToyView, marks: Marks, say: Say) -> str:
        canvas = Canvas(name="toy", width=100, height=50, title=say(self.facts.title), description=self.describe(view, say))
        canvas.words(50, 30, " ".join(map(str, view.hand)), size=12)
        return canvas.svg()


TOY: Final = Toy()
