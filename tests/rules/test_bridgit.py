"""Bridg-It: the reference games, the swap, what is refused and why, boards of every size."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import registry
from games.rules.catalogue.bridgit import play
from games.rules.catalogue.bridgit.play import BridgitPosition, BridgitView
from games.rules.phrase import in_english
from games.rules.position import LOSS, WIN, BadPosition, IllegalMove, InvalidNotation, Moment, Outcome
from games.rules.replay import differences
from games.rules.ruleset import Marks, Ruleset
from tests.rules.references import REFERENCE

BRIDGIT: Ruleset[BridgitPosition, BridgitView] = registry.get("bridgit")
LINES = (REFERENCE / "bridgit.jsonl").read_text().splitlines()


def after(*moves: str, n: int = 5, swap: bool = True) -> BridgitPosition:
    position = BRIDGIT.start({"n": n, "swap": swap}, 2)
    for move in moves:
        position = BRIDGIT.play(position, move)
    return position


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"n={json.loads(line)['n']}")
@pytest.mark.parametrize("key", ["moves", "long"])
def test_reference_games_are_played_by_their_middles_and_by_their_dots(line: str, key: str) -> None:
    game = BRIDGIT.dialects["reference"].read(line)
    moves = json.loads(line)[key]
    assert len(moves) == len(game.entries)
    typed = replace(game, entries=tuple(replace(entry, text=move) for entry, move in zip(game.entries, moves, strict=True)))
    assert differences(BRIDGIT, typed) == []


def test_reference_lines_are_written_as_they_were_read() -> None:
    reference = BRIDGIT.dialects["reference"]
    games = [reference.read(line) for line in LINES]
    assert [reference.read(reference.write(game)) for game in games] == games


def test_a_line_is_typed_in_many_ways_and_kept_in_one() -> None:
    for typed in ("f6", "F6", " f6 ", "f5-f7", "f7-f5", "F5–F7", "f5 f7", "f5f7", "f5, f7"):
        assert BRIDGIT.canonical(after(), typed) == "f6"


@pytest.mark.parametrize(
    ("moves", "asked", "why"),
    [
        ((), "f5", "f5 is a dot; write the middle between two dots, or both dots."),
        ((), "l1", "l1 is not on this board, which goes from a1 to k11."),
        ((), "a12", "a12 is not on this board, which goes from a1 to k11."),
        ((), "a3", "There are no two dots of yours around a3."),
        ((), "a1", "There are no two dots of yours around a1."),
        ((), "a2-c2", "a2 and c2 are not two dots of yours side by side."),
        ((), "f1-f5", "f1 and f5 are not two dots of yours side by side."),
        ((), "f5-f5", "f5 and f5 are not two dots of yours side by side."),
        ((), "e4-g4", "e4 and g4 are not two dots of yours side by side."),
        (("f6",), "f6", "A line runs through f6 already."),
        ((), "swap", "Swapping is only possible instead of the second move."),
        (("f6", "swap"), "swap", "Swapping is only possible instead of the second move."),
        (("f6", "e5", "d4"), "swap", "Swapping is only possible instead of the second move."),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_its_reason(moves: tuple[str, ...], asked: str, why: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        BRIDGIT.play(after(*moves), asked)
    assert in_english(refused.value.said) == why


def test_a_game_without_the_option_knows_no_swap() -> None:
    with pytest.raises(IllegalMove, match="without swapping"):
        BRIDGIT.play(after("f6", swap=False), "swap")
    assert "swap" not in BRIDGIT.legal_moves(after("f6", swap=False))


@pytest.mark.parametrize("text", ["f", "6", "66", "f6-", "f6-g", "pass", "f0", "fffffffffffff6", "f6 f8 f10"])
def test_what_is_no_move_is_said_to_be_none(text: str) -> None:
    with pytest.raises(InvalidNotation):
        BRIDGIT.canonical(after(), text)


@pytest.mark.parametrize(("first", "mirrored"), [("c5", "e3"), ("f6", "f6"), ("c1", "a3"), ("i11", "k9")])
def test_the_swap_mirrors_the_line_and_the_first_player_goes_on(first: str, mirrored: str) -> None:
    position = after(first, "swap")
    assert BRIDGIT.dump(position) == {
        "n": 5, "swap": True, "first": [], "second": [mirrored], "turn": "1", "turn_number": 3, "swapped": True,
    }  # fmt: skip
    [told] = BRIDGIT.events(after(first), "swap")
    assert told.places == (mirrored,)


def test_the_first_line_between_ones_own_sides_wins() -> None:
    position = after("b2", "a3", "b4", "e3", "b6", n=3)
    outcome = BRIDGIT.outcome(position)
    assert outcome is not None
    assert outcome == Outcome("connected", (WIN, LOSS))
    assert play.winning_line(3, 0, position.lines[0]) == ((1, 1), (1, 3), (1, 5))
    assert [event.kind for event in BRIDGIT.events(after("b2", "a3", "b4", "e3", n=3), "b6")] == ["joined", "over"]


def test_on_the_smallest_board_the_first_line_wins() -> None:
    assert list(BRIDGIT.legal_moves(after(n=1))) == ["b2"]
    assert BRIDGIT.outcome(after("b2", n=1)) is not None


def test_columns_go_on_after_z() -> None:
    position = after(n=30)
    assert BRIDGIT.canonical(position, "ab3-ab5") == "ab4"
    assert "bh60" in list(BRIDGIT.legal_moves(position))
    assert max(map(len, BRIDGIT.diagram(BRIDGIT.view(after("ab4", n=30), None)).splitlines())) <= 40


@given(n=st.integers(1, 7), seed=st.randoms(use_true_random=False), swap=st.booleans())
def test_one_of_the_two_always_wins_and_never_both(n: int, seed: object, swap: bool) -> None:
    position = after(n=n, swap=swap)
    while moves := list(BRIDGIT.legal_moves(position)):
        position = BRIDGIT.play(position, seed.choice(moves))  # type: ignore[attr-defined]
        first, second = position.lines
        assert not first & second
        assert BRIDGIT.load(BRIDGIT.dump(position)) == position
    won = [bool(play.winning_line(n, seat, lines)) for seat, lines in enumerate(position.lines)]
    assert sum(won) == 1
    assert won[position.mover]


def test_every_middle_can_be_found_on_the_picture_and_the_winning_line_is_marked() -> None:
    position = after("b2", "a3", "b4", "e3", n=3)
    view = BRIDGIT.view(position, 0)
    drawn = BRIDGIT.picture(view, Marks(choices=tuple(BRIDGIT.legal_moves(position))), in_english)
    assert drawn.count("<circle") == len(list(BRIDGIT.legal_moves(position)))
    light = 'stroke="#ffd24a" stroke-width="26"'
    assert light not in drawn
    assert light in BRIDGIT.picture(BRIDGIT.view(BRIDGIT.play(position, "b6"), 0), Marks(), in_english)


def test_the_board_is_told_chain_by_chain() -> None:
    told = BRIDGIT.describe(BRIDGIT.view(after("b2", "a3", "c3", "e5", "f6", "f2", n=3), 1), in_english)
    assert "First player: 3 lines. Joined with the bottom: b2, c3. Joined with the top: f6." in told
    assert "Second player: 3 lines. Joined with the left side: a3. Joined: e5. Joined with the right side: f2." in told
    assert told.endswith("First player is to move.")


def test_everybody_hears_whose_dots_are_which_and_how_they_are_written() -> None:
    told = [BRIDGIT.describe(BRIDGIT.view(after(), seat), in_english) for seat in (0, 1, None)]
    for said in told:
        assert "30 round dots (O) and joins bottom and top, the second as many square ones (#)" in said
    assert [said.count("The round dots are yours.") for said in told] == [1, 0, 0]
    assert [said.count("The square dots are yours.") for said in told] == [0, 1, 0]


def test_who_may_swap_is_told_so_and_nobody_else() -> None:
    def tells(position: BridgitPosition, moment: Moment = Moment.NOW) -> bool:
        return "may answer “swap”" in BRIDGIT.describe(BRIDGIT.view(position, 1, moment=moment), in_english)

    assert tells(after("c5"))
    for other in (after(), after("c5", "swap"), after("c5", "g5"), after("c5", swap=False), after("b2", n=1)):
        assert not tells(other)
    assert not tells(after("c5"), Moment.PAST)


@pytest.mark.parametrize(
    "change",
    [
        {"n": 0}, {"n": True}, {"turn": "S"}, {"turn_number": 4}, {"first": ["c4"]}, {"first": ["d4", "d4"]}, {"first": "d4"},
        {"second": ["d4"]}, {"swapped": True}, {"swap": 1}, {"first": ["swap"]}, {"turn": "2"}, {"first": []},
    ],
    ids=str,
)  # fmt: skip
def test_positions_that_no_game_reaches_are_refused(change: dict[str, object]) -> None:
    position = {"n": 3, "swap": True, "first": ["d4"], "second": ["c5"], "turn": "1", "turn_number": 3, "swapped": False}
    BRIDGIT.load(position)
    with pytest.raises(BadPosition):
        BRIDGIT.load({**position, **change})


def test_however_large_the_board_a_move_is_found_at_once_and_can_be_typed() -> None:
    position = after(n=10**6)
    assert next(BRIDGIT.legal_moves(position)) == "b2"
    for far in ("b2000000", "ditob2000000", "ditob2"):
        assert BRIDGIT.canonical(position, far) == far
    with pytest.raises(IllegalMove, match="goes from a1 to ditoc2000001"):
        BRIDGIT.canonical(position, "ditod2000002")
    with pytest.raises(InvalidNotation):
        BRIDGIT.canonical(position, "b2" + "0" * 5000)
