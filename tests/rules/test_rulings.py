"""Rulings in the log: what they make of a game, what cannot follow, and that records with them replay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest

from games.rules import record as records
from games.rules import registry
from games.rules.entry import Entry, Record, Unreadable
from games.rules.position import DRAW, LOSS, WIN, Outcome
from games.rules.replay import BrokenLog, differences, fold, result
from games.rules.standing import Standing
from tests.rules.boards import MANGALA
from tests.toy import TOY

SOUTH, NORTH = 0, 1
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DEAL = [("chance", None, card) for card in ("6", "5", "4", "3", "2", "1")]
OPENED = [("move", SOUTH, "4"), ("move", SOUTH, "6"), ("move", NORTH, "3"), ("move", NORTH, "1")]

Said = tuple[str, int | None, str]


def entries(*said: Said) -> list[Entry]:
    """Entries an hour apart, the first at noon."""
    return [Entry(number, kind, seat, text, NOON + (number - 1) * HOUR) for number, (kind, seat, text) in enumerate(said, 1)]


def mangala(*said: Said) -> Standing[Any]:
    return fold(MANGALA, {}, 2, entries(*said))


def toy(*said: Said) -> Standing[Any]:
    return fold(TOY, {"rounds": 2}, 3, entries(*DEAL, *said))


def test_a_gift_moves_the_deadline_of_the_running_turn_and_nothing_else() -> None:
    before, after = mangala(*OPENED), mangala(*OPENED, ("clock", None, "gift 90"))
    assert before.since is not None
    assert after.since == before.since + timedelta(seconds=90)
    assert (after.position_number, after.turn_number) == (before.position_number, before.turn_number)
    assert mangala(*OPENED, ("clock", None, "gift 90"), ("move", SOUTH, "2")).since == NOON + 5 * HOUR


def test_in_a_pause_no_time_runs_and_afterwards_what_was_left_is_left() -> None:
    paused = mangala(*OPENED, ("clock", NORTH, "pause"))
    assert (paused.paused, paused.paused_at) == (frozenset({NORTH}), NOON + 4 * HOUR)
    resumed = mangala(*OPENED, ("clock", NORTH, "pause"), ("clock", None, "gift 60"), ("clock", NORTH, "resume"))
    assert resumed.since == NOON + 3 * HOUR + 2 * HOUR + timedelta(seconds=60)
    assert (resumed.paused, resumed.paused_at) == (frozenset(), None)


def test_a_game_paused_for_two_goes_on_after_both() -> None:
    one = [*OPENED, ("clock", NORTH, "pause"), ("clock", SOUTH, "pause"), ("clock", NORTH, "resume")]
    assert mangala(*one).paused == {SOUTH}
    assert mangala(*one, ("clock", SOUTH, "resume")).since == NOON + 3 * HOUR + 3 * HOUR


@pytest.mark.parametrize(
    "said",
    [
        ("move", SOUTH, "2"),
        ("timeout", SOUTH, ""),
        ("propose", NORTH, "draw"),
        ("clock", NORTH, "pause"),
        ("clock", SOUTH, "resume"),
        ("clock", 2, "pause"),
        ("clock", None, "pause"),
        ("clock", None, "gift 0"),
        ("clock", None, "gift -5"),
        ("clock", None, "gift ٣"),
        ("clock", None, "gift " + "9" * 5000),
        ("clock", SOUTH, "gift 5"),
        ("clock", None, ""),
        ("adjudicate", None, "win 2"),
        ("adjudicate", None, "win"),
        ("adjudicate", None, "lose 1"),
        ("correct", None, "4"),
    ],
)
def test_what_cannot_follow_in_a_paused_game_is_refused(said: Said) -> None:
    with pytest.raises(BrokenLog):
        mangala(*OPENED, ("clock", NORTH, "pause"), said)


def test_a_paused_game_can_be_left() -> None:
    outcome = mangala(*OPENED, ("clock", NORTH, "pause"), ("resign", NORTH, "")).outcome
    assert outcome is not None
    assert outcome.points == (WIN, LOSS)


def test_at_a_larger_table_the_pause_ends_with_the_seat_it_was_for() -> None:
    left = toy(("clock", 2, "pause"), ("resign", 2, ""))
    assert (left.outcome, left.paused, left.paused_at) == (None, frozenset(), None)
    assert left.since == NOON + 5 * HOUR + HOUR


def test_a_turn_that_begins_in_a_pause_has_all_its_time_afterwards() -> None:
    begun = toy(("clock", 2, "pause"), ("resign", 0, ""))
    assert TOY.to_move(begun.position) == 1
    assert begun.since == begun.paused_at == NOON + 7 * HOUR
    assert toy(("clock", 2, "pause"), ("resign", 0, ""), ("clock", 2, "resume")).since == NOON + 8 * HOUR


@pytest.mark.parametrize(
    ("verdict", "outcome"),
    [
        ("win 0", Outcome("adjudication", (WIN, LOSS), (Fraction(2), Fraction(1)))),
        ("win 1", Outcome("adjudication", (LOSS, WIN), (Fraction(2), Fraction(1)))),
        ("draw", Outcome("adjudication", (DRAW, DRAW), (Fraction(2), Fraction(1)))),
        ("annul", Outcome("annulled", ())),
    ],
)
def test_an_adjudication_ends_the_game_with_the_counts_of_the_position(verdict: str, outcome: Outcome) -> None:
    ended = mangala(*OPENED, ("propose", SOUTH, "draw"), ("adjudicate", None, verdict))
    assert (ended.outcome, ended.proposals, ended.position_number) == (outcome, (), 4)


def test_a_draw_at_a_larger_table_is_for_those_who_are_still_there() -> None:
    ended = toy(("resign", 0, ""), ("adjudicate", None, "draw")).outcome
    assert ended is not None
    assert result(ended, 3) == "0-1/2-1/2"
    with pytest.raises(BrokenLog, match="nobody can rule so"):
        toy(("resign", 0, ""), ("adjudicate", None, "win 0"))


@pytest.mark.parametrize("end", [("timeout", SOUTH, ""), ("adjudicate", None, "win 1"), ("adjudicate", None, "annul")])
def test_F40_after_a_correction_the_game_goes_on_from_the_same_position(end: Said) -> None:
    before = mangala(*OPENED)
    after = mangala(*OPENED, end, ("correct", None, "5"))
    assert (after.outcome, after.position) == (None, before.position)
    assert (after.position_number, after.turn_number, after.since) == (6, 6, NOON + 5 * HOUR)
    assert mangala(*OPENED, end, ("correct", None, "5"), ("move", SOUTH, "2")).plies == 5


def test_a_no_show_can_be_taken_back_too() -> None:
    assert mangala(("timeout", SOUTH, ""), ("correct", None, "1")).outcome is None


@pytest.mark.parametrize(
    "said",
    [
        [("resign", SOUTH, ""), ("correct", None, "5")],
        [("abort", None, ""), ("correct", None, "5")],
        [("timeout", SOUTH, ""), ("correct", None, "4")],
        [("timeout", SOUTH, ""), ("correct", None, "")],
        [("timeout", SOUTH, ""), ("correct", None, "5"), ("correct", None, "5")],
        [("correct", None, "4")],
        [("timeout", SOUTH, ""), ("clock", None, "gift 5")],
        [("adjudicate", None, "draw"), ("adjudicate", None, "win 0")],
    ],
)
def test_only_the_last_end_is_taken_back_and_only_a_forfeit_or_a_ruling(said: list[Said]) -> None:
    with pytest.raises(BrokenLog):
        mangala(*OPENED, *said)


def test_time_that_only_passes_a_turn_is_no_end_to_take_back() -> None:
    last = [("move", seat, "pass") for _ in range(2) for seat in range(3)]
    ended = toy(*last[:-1], ("timeout", 2, ""))
    assert ended.outcome is not None
    with pytest.raises(BrokenLog, match="no such end"):
        toy(*last[:-1], ("timeout", 2, ""), ("correct", None, str(ended.number)))


# -- records -------------------------------------------------------------------------------------------------------------

HEAD = '[Ruleset "mangala"]\n[Version "1"]\n[Result "0-1"]\n[Termination "adjudication"]\n\n'
RULED = (
    "1. 4-6 3-1 <clock gift 86400> <clock pause 2> <clock resume 2> <timeout> {too late} <correct 8> {the site was down}\n"
    "2. 2 <adjudicate annul> <correct 11> 5 <adjudicate win 2> 0-1\n"
)


def test_a_record_with_rulings_is_read_as_it_was_written_and_replays() -> None:
    [record] = records.read(HEAD + RULED, registry.get)
    assert record.entries[4:7] == (
        Entry(5, "clock", None, "gift 86400"),
        Entry(6, "clock", NORTH, "pause"),
        Entry(7, "clock", NORTH, "resume"),
    )
    assert record.entries[-1] == Entry(14, "adjudicate", None, "win 1")
    assert differences(MANGALA, record) == []
    again = records.write(record, MANGALA)
    assert records.read(again, registry.get) == [record]
    assert "<clock pause 2> <clock resume 2> <timeout> {too late} <correct 8>" in again.replace("\n", " ")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<resign " + "9" * 5000 + "> *", "no seat from 1 to 2"),
        ("<clock pause " + "9" * 5000 + "> *", "<clock> names no seat from 1 to 2"),
        ("<clock pause> *", "<clock> names no seat"),
        ("<adjudicate win 3> *", "<adjudicate> names no seat from 1 to 2"),
        ("<adjudicate win 1 2> *", "<adjudicate> names no seat from 1 to 2"),
    ],
)
def test_a_ruling_about_no_seat_is_unreadable_with_its_place(text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why) as caught:
        records.read(f'[Ruleset "mangala"]\n\n{text}', registry.get)
    assert (caught.value.line, caught.value.column) == (3, 1)


def test_a_ruling_that_nobody_can_make_is_a_difference() -> None:
    for text in ("dance", "", "gift x"):
        record = Record("mangala", 1, {}, 2, (Entry(1, "clock", None, text),))
        assert "the clock cannot be set so" in differences(MANGALA, record)[0]
