"""What the rules make of a log: whose turn, since when, what waits for an answer, how it ended, what cannot follow."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest

from games.rules.entry import Entry, Record
from games.rules.position import DRAW, LOSS, WIN, BadOptions, IllegalMove, Outcome
from games.rules.replay import BrokenLog, begin, differences, fold, result, step
from games.rules.ruleset import AnyRuleset
from games.rules.standing import Standing, may_abort, must_answer, plays_on
from tests.rules.boards import MANGALA
from tests.toy import TOY

SOUTH, NORTH = 0, 1
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DEAL = [("chance", None, card) for card in ("6", "5", "4", "3", "2", "1")]

Said = tuple[str, int | None, str]


def entries(said: Sequence[Said]) -> list[Entry]:
    """Entries an hour apart, the first at noon."""
    return [
        Entry(number, kind, seat, text, NOON + timedelta(hours=number - 1))
        for number, (kind, seat, text) in enumerate(said, start=1)
    ]


def mangala(*said: Said) -> Standing[Any]:
    return fold(MANGALA, {}, 2, entries(said))


def toy(*said: Said, seats: int = 3) -> Standing[Any]:
    return fold(TOY, {"rounds": 2}, seats, entries([*DEAL[: 2 * seats], *said]))


def played(*texts: str) -> list[Said]:
    """Moves of Mangala, South first, as `4-6`."""
    said: list[Said] = []
    for number, text in enumerate(texts):
        said += [("move", number % 2, ply) for ply in text.split("-")]
    return said


def test_an_extra_ply_is_a_new_position_of_the_same_turn_and_brings_no_new_time() -> None:
    turn = mangala(*played("1"), ("move", NORTH, "4"))
    assert (turn.position_number, turn.turn_number, turn.since) == (2, 1, NOON)
    assert turn.completed == {SOUTH}
    after = mangala(*played("1", "4-6"))
    assert (after.position_number, after.turn_number, after.since) == (3, 3, NOON + timedelta(hours=2))
    assert after.completed == {SOUTH, NORTH}


def test_those_who_join_begin_the_first_turn() -> None:
    standing = mangala(("join", SOUTH, ""), ("join", NORTH, ""))
    assert (standing.position_number, standing.turn_number, standing.plies) == (2, 2, 0)
    assert standing.since == NOON + timedelta(hours=1)
    with pytest.raises(BrokenLog):
        mangala(("join", NORTH, ""))
    with pytest.raises(BrokenLog):
        mangala(("join", SOUTH, ""), ("join", NORTH, ""), ("join", 2, ""))


def test_talk_changes_neither_position_nor_turn() -> None:
    before = mangala(*played("1"))
    after = mangala(*played("1"), ("propose", SOUTH, "draw"))
    assert (after.number, after.position_number, after.turn_number, after.since) == (2, 1, 1, before.since)
    assert after.position == before.position


def test_D1_time_that_runs_out_before_each_has_completed_a_turn_aborts_the_game() -> None:
    assert mangala(("timeout", SOUTH, "")).outcome == Outcome("aborted", ())
    assert mangala(*played("1"), ("move", NORTH, "4"), ("timeout", NORTH, "")).outcome == Outcome("aborted", ())


def test_F39_after_that_it_costs_the_game() -> None:
    lost = mangala(*played("4-6", "3-1"), ("timeout", SOUTH, ""))
    assert lost.outcome == Outcome("time_forfeit", (LOSS, WIN), (Fraction(2), Fraction(1)))


def test_F39_a_game_can_be_called_off_only_before_each_has_completed_a_turn() -> None:
    assert may_abort(mangala(*played("1")))
    assert mangala(*played("1"), ("abort", SOUTH, "")).outcome == Outcome("aborted", ())
    assert not may_abort(mangala(*played("1", "2")))
    with pytest.raises(BrokenLog, match="seat 0 cannot call the game off any more"):
        mangala(*played("1", "2"), ("abort", SOUTH, ""))


def test_the_house_may_call_off_any_game_that_goes_on() -> None:
    assert mangala(*played("1", "2"), ("abort", None, "")).outcome == Outcome("aborted", ())


@pytest.mark.parametrize(("seat", "points"), [(SOUTH, (LOSS, WIN)), (NORTH, (WIN, LOSS))])
def test_who_resigns_loses_whoever_is_to_move(seat: int, points: tuple[Fraction, ...]) -> None:
    outcome = mangala(*played("1"), ("resign", seat, "")).outcome
    assert outcome is not None
    assert (outcome.termination, outcome.points) == ("resignation", points)


def test_C6_an_agreed_draw_ends_the_game_whatever_else_was_said() -> None:
    drawn = mangala(*played("4-6"), ("propose", SOUTH, "draw"), ("propose", NORTH, "draw"), ("agree", SOUTH, "4"))
    assert drawn.outcome == Outcome("agreement", (DRAW, DRAW), (Fraction(2), Fraction(0)))
    assert drawn.proposals == ()


def test_between_two_an_offer_lives_until_answered_withdrawn_or_until_its_recipient_moves() -> None:
    offered = [*played("1"), ("propose", SOUTH, "draw")]
    assert len(mangala(*offered).proposals) == 1
    assert mangala(*offered, ("refuse", NORTH, "2")).proposals == ()
    assert mangala(*offered, ("withdraw", SOUTH, "2")).proposals == ()
    assert mangala(*offered, ("move", NORTH, "1")).proposals == ()
    own_move = mangala(*played("1", "1"), ("propose", SOUTH, "draw"), ("move", SOUTH, "2"))
    assert [one.number for one in own_move.proposals] == [3]


def test_at_a_larger_table_all_others_who_are_still_there_must_agree() -> None:
    asked = toy(("propose", 1, "stop"), ("agree", 2, "7"))
    assert must_answer(asked, asked.proposals[0]) == {0}
    assert asked.outcome is None
    agreed = toy(("propose", 1, "stop"), ("agree", 2, "7"), ("agree", 0, "7"))
    assert agreed.outcome == Outcome("agreement", (DRAW, DRAW, DRAW))


def test_who_leaves_a_larger_table_is_skipped_and_its_proposals_lapse() -> None:
    left = toy(("propose", 1, "stop"), ("resign", 0, ""))
    assert left.outcome is None
    assert left.proposals == ()
    assert left.left == {0}
    assert not plays_on(left, 0)
    assert plays_on(left, 1)
    assert TOY.to_move(left.position) == 1
    last = toy(("resign", 0, ""), ("resign", 2, ""))
    assert last.outcome is not None
    assert (last.outcome.termination, last.outcome.points) == ("last_left", (LOSS, WIN, LOSS))


def test_D8_time_that_passes_a_turn_costs_nothing_else_and_the_next_seat_has_its_whole_time() -> None:
    passed = toy(("timeout", 0, ""))
    assert passed.outcome is None
    assert TOY.to_move(passed.position) == 1
    assert passed.since == NOON + timedelta(hours=6)


def test_an_answer_out_of_turn_is_a_turn_and_chance_in_the_middle_ends_none() -> None:
    asked = toy(("move", 0, "offer 5"))
    assert (TOY.to_move(asked.position), asked.turn_number) == (1, 7)
    drawing = toy(("move", 0, "offer 5"), ("move", 1, "refuse"))
    fallen = toy(("move", 0, "offer 5"), ("move", 1, "refuse"), ("chance", None, "2"))
    assert drawing.completed == {0, 1}
    assert TOY.to_move(fallen.position) == 1
    assert fallen.since == NOON + timedelta(hours=8)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([("move", NORTH, "1")], "entry 1 \\(move\\) belongs to seat 0, not to seat 1"),
        ([("move", None, "1")], "belongs to seat 0"),
        ([("timeout", NORTH, "")], "belongs to seat 0"),
        ([("chance", None, "1")], "chance is not to fall here"),
        ([("resign", None, "")], "nobody is there to resign"),
        ([("propose", None, "draw")], "no seat speaks"),
        ([("propose", SOUTH, "divide")], "divide cannot be proposed here"),
        ([("propose", SOUTH, "draw"), ("propose", SOUTH, "draw")], "waits already"),
        ([("agree", NORTH, "1")], "answers no open proposal"),
        ([("propose", SOUTH, "draw"), ("agree", SOUTH, "1")], "seat 0 cannot agree this proposal"),
        ([("propose", SOUTH, "draw"), ("withdraw", NORTH, "1")], "seat 1 cannot withdraw this proposal"),
        ([("resign", SOUTH, ""), ("move", NORTH, "1")], "comes after the end"),
        ([("dance", SOUTH, "")], "of the unknown kind dance"),
    ],
)
def test_what_cannot_follow_is_refused(said: list[Said], why: str) -> None:
    with pytest.raises(BrokenLog, match=why):
        mangala(*said)


def test_who_left_can_do_nothing_more() -> None:
    for said in [("resign", 0, ""), ("propose", 0, "stop"), ("abort", 0, "")]:
        with pytest.raises(BrokenLog):
            toy(("resign", 0, ""), said)


def test_nobody_moves_while_chance_must_fall() -> None:
    with pytest.raises(BrokenLog, match="no seat is to move"):
        fold(TOY, {}, 2, entries([("move", 0, "pass")]))


def test_entries_are_consecutive() -> None:
    standing = begin(MANGALA, {}, 2)
    with pytest.raises(BrokenLog, match="entry 2 cannot follow entry 0"):
        step(MANGALA, standing, Entry(2, "move", SOUTH, "1"))


def test_a_move_that_the_rules_refuse_is_refused_with_their_reason() -> None:
    with pytest.raises(IllegalMove, match="Pit 1 is empty"):
        mangala(*played("1", "1", "1", "1", "1"))
    with pytest.raises(BadOptions):
        begin(MANGALA, {"end": "never"}, 2)


@pytest.mark.parametrize(
    ("outcome", "seats", "written"),
    [
        (None, 2, "*"),
        (Outcome("aborted", ()), 2, "*"),
        (Outcome("over24", (WIN, LOSS)), 2, "1-0"),
        (Outcome("agreement", (DRAW, DRAW)), 2, "1/2-1/2"),
        (Outcome("last_left", (LOSS, WIN, LOSS, LOSS)), 4, "0-1-0-0"),
        (Outcome("agreement", (Fraction(1, 3),) * 3), 3, "1/3-1/3-1/3"),
    ],
)
def test_a_result_is_written_by_seat(outcome: Outcome | None, seats: int, written: str) -> None:
    assert result(outcome, seats) == written


@pytest.mark.parametrize(
    ("claims", "denied"),
    [
        ({}, []),
        ({"result": "*", "final": {"south_store": 2, "turn": "N"}}, []),
        ({"result": "1-0"}, ["the result is *, not 1-0"]),
        ({"termination": "over24"}, ["the termination is None, not over24"]),
        ({"final": {"south_store": 1}}, ["south_store at the end is 2, not 1"]),
        ({"final": {"colour": 1}}, ["colour at the end is None, not 1"]),
        ({"seats": 3}, ["the rules refuse it: Mangala is played by two."]),
    ],
)
def test_a_record_is_denied_what_the_rules_do_not_find(claims: dict[str, Any], denied: list[str]) -> None:
    given: dict[str, Any] = {"seats": 2, "entries": tuple(entries([("move", None, "4"), ("move", None, "6")]))}
    assert differences(MANGALA, Record("mangala", 1, {}, **{**given, **claims})) == denied


@pytest.mark.parametrize("ruleset", [MANGALA, TOY], ids=["mangala", "toy"])
def test_a_standing_is_never_changed_by_what_follows(ruleset: AnyRuleset) -> None:
    before = begin(ruleset, {}, 2)
    move = Entry(1, "move", 0, "1") if ruleset is MANGALA else Entry(1, "chance", None, "1")
    assert step(ruleset, before, move) == step(ruleset, before, move) != before
    assert before == begin(ruleset, {}, 2)
