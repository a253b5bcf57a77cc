"""Rainbow as each seat knows it: words, pictures, and two worlds that differ in what a seat may not know."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.catalogue.rainbow.play import COLOURS, RainbowPosition, in_order, whole
from games.rules.phrase import Phrase, in_english
from games.rules.position import CHANCE
from games.rules.ruleset import Marks
from tests.rules.drops import ALICE, BOB, CHARLIE, RAINBOW, after, table


def told(position: RainbowPosition, move: str, seat: int | None) -> str:
    return " ".join(in_english(event.said) for event in RAINBOW.seen(position, move, seat))


# -- words for each seat -------------------------------------------------------------------------------------------------


def test_N25_the_colour_of_an_offer_is_told_to_giver_and_receiver_alone() -> None:
    position = table("GG", "OO", "YY")
    assert told(position, "offer G", ALICE) == "You offer Seat 2 a green drop."
    assert told(position, "offer G", BOB) == "Seat 1 offers you a green drop."
    assert told(position, "offer G", CHARLIE) == told(position, "offer G", None) == "Seat 1 offers Seat 2 a drop."
    assert [RAINBOW.shown(position, "offer G", seat) for seat in (ALICE, BOB, CHARLIE, None)] == [
        *["offer G"] * 2, *["offer"] * 2,
    ]  # fmt: skip


def test_N25_a_spilled_colour_is_told_to_its_giver_and_a_poured_one_to_who_poured_it() -> None:
    spilling, pouring = table("GG", "OOYYOOYYBB", "BB"), table("GGGG", "OO", "YY")
    assert "green" in told(spilling, "offer G", ALICE)
    assert "green" in told(pouring, "pour G", ALICE)
    for other in (BOB, CHARLIE, None):
        assert "green" not in told(spilling, "offer G", other)
        assert "green" not in told(pouring, "pour G", other)
        assert RAINBOW.shown(pouring, "pour G", other) == "pour"
    assert RAINBOW.shown(spilling, "offer G", BOB) == "offer"


def test_N25_a_drawn_colour_is_told_to_who_drew_it() -> None:
    drawing = after(table("GG", "OO", "YY"), "offer G", "refuse")
    assert told(drawing, "V", ALICE) == "You draw a violet drop from the rain."
    assert told(drawing, "V", BOB) == told(drawing, "V", None) == "Seat 1 draws a drop from the rain."
    assert [RAINBOW.shown(drawing, "V", seat) for seat in (ALICE, BOB, None)] == ["V", "", ""]


def test_a_table_is_told_whole_to_the_ear() -> None:
    position = after(table("GGV", "OOYYO", "YY", rainbows=(0, 2, 0)), "offer G")
    assert RAINBOW.describe(RAINBOW.view(position, BOB), in_english) == (
        "It is your turn. Seat 1 offers you a green drop. Your rainbow: red, orange; next comes yellow. "
        "You hold 5 drops: 3 orange, 2 yellow. What you offer goes to Seat 3. The rain holds 30 drops. "
        "Seat 3 holds 2 drops; no rainbow yet. Seat 1 holds 3 drops; no rainbow yet."
    )


def test_a_table_of_twenty_is_drawn_and_told() -> None:
    position = RAINBOW.start({}, 20)
    random = Random(1)
    while RAINBOW.to_move(position) == CHANCE:
        outcomes, weights = zip(*RAINBOW.chance(position), strict=True)
        position = RAINBOW.play(position, random.choices(outcomes, weights)[0])
    assert [len(hand) for hand in position.hands] == [8] * 20
    assert len(position.rain) == 1
    for seat in (None, 0, 19):
        view = RAINBOW.view(position, seat)
        diagram = RAINBOW.diagram(view)
        assert max(map(len, diagram.splitlines())) <= 40
        picture = RAINBOW.picture(view, Marks(last=("seat 3",)), in_english)
        assert {f"seat {number}" for number in range(1, 21)} < {
            one.get("data-place") for one in ElementTree.fromstring(picture).iter()
        }
        assert len(picture) < 60_000
        assert len(RAINBOW.miniature(view, in_english)) < 2_000


# -- invariants, and two worlds --------------------------------------------------------------------------------------------


def act(position: RainbowPosition, random: Random) -> str | None:
    """A move, an outcome of chance, or None: time runs out."""
    if RAINBOW.to_move(position) == CHANCE:
        outcomes, weights = zip(*RAINBOW.chance(position), strict=True)
        return str(random.choices(outcomes, weights)[0])
    return random.choice(list(RAINBOW.legal_moves(position))) if random.random() < 0.95 else None


def acted(position: RainbowPosition, move: str | None) -> RainbowPosition:
    return RAINBOW.play(position, move) if move is not None else RAINBOW.time_out(position)  # type: ignore[return-value]


@given(st.integers(0, 10**9), st.integers(2, 20))
@settings(max_examples=10)
def test_no_drop_is_lost_and_no_hand_holds_more_than_ten(seed: int, seats: int) -> None:
    random, position = Random(seed), RAINBOW.start({}, seats)
    while (decider := RAINBOW.to_move(position)) is not None:
        if decider != CHANCE and random.random() < 0.01:
            position = RAINBOW.leave(position, random.choice(position.living))  # type: ignore[assignment]
        else:
            position = acted(position, act(position, random))
        lying = [COLOURS[:length] for length in position.rainbows]
        assert in_order("".join((*position.hands, position.rain, *lying))) == whole(seats)
        assert max(map(len, position.hands)) <= 10
        assert all(not position.hands[seat] for seat in position.out)
        assert RAINBOW.load(json.loads(json.dumps(RAINBOW.dump(position)))) == position


def says(words: Phrase) -> str:
    return in_english(words)


def known(position: RainbowPosition, seat: int | None) -> list[Any]:
    """All that is shown to one seat."""
    view = RAINBOW.view(position, seat)
    moves = list(RAINBOW.legal_moves(position)) if RAINBOW.to_move(position) == seat else []
    places = [RAINBOW.place_of(view, move) for move in moves]
    return [
        hash(view), view, RAINBOW.describe(view, says), RAINBOW.diagram(view), RAINBOW.picture(view, Marks(), says),
        RAINBOW.miniature(view, says), moves, places, RAINBOW.scores(position), RAINBOW.removable(position),
    ]  # fmt: skip


def heard(position: RainbowPosition, move: str | None, seat: int | None) -> list[Any]:
    """All that is told to one seat of what happens."""
    if move is None:
        return [[(event, says(event.said)) for event in RAINBOW.lapsed(position, seat)]]
    events = RAINBOW.seen(position, move, seat)
    return [RAINBOW.shown(position, move, seat), [(event.kind, event.places, says(event.said)) for event in events]]


def counterpart(move: str | None, here: RainbowPosition, there: RainbowPosition, seat: int | None, random: Random) -> Any:
    """What happens in the other world so that the seat notices no difference; False where nothing does."""
    if move is None:
        return None
    if RAINBOW.to_move(there) == CHANCE:
        possible = [outcome for outcome, _weight in RAINBOW.chance(there)]
    else:
        possible = list(RAINBOW.legal_moves(there))
    random.shuffle(possible)
    wanted = heard(here, move, seat), RAINBOW.view(RAINBOW.play(here, move), seat)
    for other in possible:
        if (heard(there, other, seat), RAINBOW.view(RAINBOW.play(there, other), seat)) == wanted:
            return other
    return False


@given(st.integers(0, 10**9), st.integers(2, 6), st.booleans())
@settings(max_examples=12, deadline=None)
def test_N25_two_worlds_that_differ_in_what_a_seat_may_not_know_are_the_same_to_it(seed: int, seats: int, watches: bool) -> None:
    random = Random(seed)
    seat = None if watches else random.randrange(seats)
    here: RainbowPosition = RAINBOW.start({}, seats)
    while RAINBOW.to_move(here) == CHANCE:
        here = acted(here, act(here, random))
    there, differed = RAINBOW.imagine(RAINBOW.view(here, seat), random), 0
    for _step in range(60):
        assert known(here, seat) == known(there, seat)
        if RAINBOW.to_move(here) is None:
            break
        move = act(here, random)
        other = counterpart(move, here, there, seat, random)
        if other is False or RAINBOW.outcome(acted(here, move)) is not None:
            # The worlds part where a hidden hand decides what can be done (a drop to send that is not there).
            there = RAINBOW.imagine(RAINBOW.view(here, seat), random)
            continue
        assert heard(here, move, seat) == heard(there, other, seat)
        here, there = acted(here, move), acted(there, other)
        differed += here != there
    assert differed
