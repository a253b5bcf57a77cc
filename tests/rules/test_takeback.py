"""Takebacks: back to before one's own last turn, by consent, and never to before something was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import entry as kinds
from games.rules import record as records
from games.rules import registry
from games.rules.entry import Entry, Record
from games.rules.position import WIN
from games.rules.replay import BrokenLog, begin, differences, fold, play_record, seated, step
from games.rules.ruleset import AnyRuleset
from games.rules.standing import Standing, may_abort, undoes
from tests.rules.course import random_game
from tests.rules.ruled import HOUR, NOON, Table
from tests.toy import OPEN_TOY, TOY

MANGALA = registry.get("mangala")


def table(ruleset: AnyRuleset, seats: int = 2) -> Table:
    """A game with an entry each hour that nobody has begun yet."""
    joins = tuple(Entry(number, kinds.JOIN, number - 1, at=NOON + number * HOUR) for number in range(1, seats + 1))
    return Table(ruleset, {}, joins, fold(ruleset, {}, seats, joins))


def played(before: Table, texts: str) -> Table:
    """Who is to move plays each of the texts, which `,` parts; chance falls where it is to fall."""
    for text in texts.split(","):
        decider = before.ruleset.to_move(before.standing.position)
        assert decider is not None
        said = (kinds.CHANCE_FELL, None, text) if decider < 0 else (kinds.MOVE, decider, text)
        before = before.after(said)
    return before


def asked(before: Table, seat: int) -> Table:
    return before.after((kinds.PROPOSE, seat, kinds.TAKEBACK))


def agreed(before: Table, seat: int, *others: int) -> Table:
    """Seat asks and the others agree, an hour each."""
    after = asked(before, seat)
    number = str(after.standing.number)
    return after.after(*((kinds.AGREE, other, number) for other in others))


def deal(seats: int) -> str:
    return ",".join("1" for _ in range(2 * seats))


def test_F36_back_to_before_my_move_while_the_other_has_not_answered() -> None:
    before = table(MANGALA)
    after = agreed(played(before, "1"), 0, 1).standing
    assert (after.position, after.plies, after.proposals) == (before.standing.position, 0, ())
    assert MANGALA.to_move(after.position) == 0


def test_F36_the_reply_is_undone_too() -> None:
    before = played(table(MANGALA), "1,1")
    after = agreed(played(before, "2,2"), 0, 1).standing
    assert (after.position, after.plies) == (before.standing.position, 2)


def test_F36_who_moved_last_takes_back_only_that() -> None:
    before = played(table(MANGALA), "1")
    after = agreed(played(before, "1"), 1, 0).standing
    assert (after.position, MANGALA.to_move(after.position)) == (before.standing.position, 1)


def test_F36_a_turn_with_extra_moves_goes_back_whole() -> None:
    before = table(MANGALA)
    after = agreed(played(before, "4,6,2"), 0, 1)
    assert (after.standing.position, after.standing.plies) == (before.standing.position, 0)


def test_F36_in_the_middle_of_a_turn_it_is_this_turn_that_goes_back() -> None:
    before = played(table(MANGALA), "1,1")
    middle = played(before, "3")
    assert MANGALA.to_move(middle.standing.position) == 0
    after = agreed(middle, 0, 1).standing
    assert (after.position, after.plies) == (before.standing.position, 2)


def test_D18_the_time_left_is_that_of_the_moment_when_the_turn_was_over() -> None:
    before = table(MANGALA)
    turn = played(before, "4").after((kinds.PROPOSE, 0, "draw"), (kinds.REFUSE, 1, "4"))
    turn = played(turn, "6")
    assert turn.standing.since == NOON + 6 * HOUR, "they thought four hours"
    after = agreed(played(turn, "1"), 0, 1)
    assert (after.entries[-1].at, after.standing.since) == (NOON + 9 * HOUR, NOON + 5 * HOUR)


def test_D18_in_the_middle_of_a_turn_its_time_runs_on() -> None:
    middle = played(table(MANGALA), "4")
    assert agreed(middle, 0, 1).standing.since == middle.standing.since


def test_D18_played_and_taken_back_twice_both_thoughts_count() -> None:
    once = agreed(played(table(MANGALA), "1"), 0, 1)
    twice = agreed(played(once, "2"), 0, 1)
    assert once.standing.since == (once.entries[-1].at or NOON) - HOUR
    assert twice.standing.since == (twice.entries[-1].at or NOON) - 2 * HOUR


def test_D18_time_that_a_moderator_gave_for_the_turn_comes_back_with_it() -> None:
    before = table(MANGALA).after((kinds.CLOCK, None, f"{kinds.GIFT} 7200"))
    after = agreed(played(before, "1"), 0, 1)
    assert after.standing.since == (after.entries[-1].at or NOON), "two hours thought, two hours given"


def test_the_turn_before_that_one_can_be_taken_back_next() -> None:
    before = table(MANGALA)
    once = agreed(played(before, "1,1,2,2"), 0, 1)
    twice = agreed(once, 0, 1).standing
    assert (twice.position, twice.plies) == (before.standing.position, 0)
    assert undoes(MANGALA, twice, 0) is None
    assert undoes(MANGALA, twice, 1) is None


def test_N21_position_and_turn_number_are_those_of_the_agreement_and_never_come_again() -> None:
    after = agreed(played(table(MANGALA), "1,1,2"), 0, 1).standing
    assert after.position_number == after.turn_number == after.number == 7


def test_nobody_takes_back_who_has_not_moved() -> None:
    before = table(MANGALA)
    for standing, seat in ((before.standing, 0), (before.standing, 1), (played(before, "1").standing, 1)):
        assert undoes(MANGALA, standing, seat) is None
    with pytest.raises(BrokenLog, match="cannot be proposed"):
        asked(before, 0)
    with pytest.raises(BrokenLog, match="cannot be proposed"):
        asked(played(before, "1"), 1)


def test_a_request_lapses_with_the_next_move_whoever_makes_it() -> None:
    for before in (played(table(MANGALA), "1"), played(table(MANGALA), "1,1")):
        waiting = asked(before, 0).after((kinds.PROPOSE, 0, "draw"))
        assert [one.kind for one in waiting.standing.proposals] == ["takeback", "draw"]
        assert "takeback" not in [one.kind for one in played(waiting, "2").standing.proposals]


def test_all_that_was_proposed_lapses_when_a_turn_is_taken_back() -> None:
    waiting = played(table(MANGALA), "1,1").after((kinds.PROPOSE, 0, "draw"))
    waiting = asked(waiting, 1)
    assert agreed(waiting, 0, 1).standing.proposals == ()


def test_both_may_ask_and_each_asks_for_their_own() -> None:
    both = asked(asked(played(table(MANGALA), "1,1"), 0), 1)
    first, second = (str(one.number) for one in both.standing.proposals)
    assert both.after((kinds.AGREE, 1, first)).standing.plies == 0
    assert both.after((kinds.AGREE, 0, second)).standing.plies == 1


def test_D1_F39_who_has_completed_a_turn_stays_no_no_show() -> None:
    before = played(table(MANGALA), "1,1")
    after = agreed(before, 0, 1)
    assert not may_abort(after.standing)
    late = after.after((kinds.TIMEOUT, 0, "")).standing.outcome
    assert late is not None
    assert (late.termination, late.points[1]) == ("time_forfeit", WIN)


def test_nothing_is_taken_back_after_the_end() -> None:
    over = played(table(MANGALA), "1,1").after((kinds.RESIGN, 1, ""))
    assert undoes(MANGALA, over.standing, 0) is None
    with pytest.raises(BrokenLog, match="after the end"):
        asked(over, 0)


def test_F34_where_something_is_hidden_nothing_is_ever_taken_back() -> None:
    for standing in random_game(TOY, 1).standings:
        assert [undoes(TOY, standing, seat) for seat in range(standing.seats)] == [None] * standing.seats


def test_F34_nobody_goes_back_to_before_chance_fell() -> None:
    before = played(table(OPEN_TOY, 3), f"{deal(3)},pass,offer 1")
    assert [undoes(OPEN_TOY, before.standing, seat) is not None for seat in range(3)] == [True, True, False]
    drawn = played(before, "refuse,6")
    assert [undoes(OPEN_TOY, drawn.standing, seat) for seat in range(3)] == [None] * 3
    later = played(drawn, "pass")
    assert undoes(OPEN_TOY, later.standing, 2) is not None, "what is played after that may be"
    assert undoes(OPEN_TOY, later.standing, 1) is None


def test_F34_a_turn_within_which_chance_fell_cannot_be_taken_back_even_in_part() -> None:
    class Dice(type(OPEN_TOY)):  # type: ignore[misc]
        """A refused offer is drawn for within the turn of who refuses, who then goes on."""

        def turn(self, position: Any) -> int:
            made: int = position.made
            return 1 + made

    ruleset = Dice()
    drawn = played(table(ruleset, 2), f"{deal(2)},pass,pass,offer 1,refuse")
    assert undoes(ruleset, drawn.standing, 0) is not None
    assert undoes(ruleset, played(drawn, "6").standing, 0) is None


def test_nobody_goes_back_to_before_time_ran_out_or_somebody_left() -> None:
    before = played(table(OPEN_TOY, 3), f"{deal(3)},pass")
    assert undoes(OPEN_TOY, before.standing, 0) is not None
    late = before.after((kinds.TIMEOUT, 1, ""))
    assert undoes(OPEN_TOY, late.standing, 0) is None
    for leaver in (1, 2):
        left = before.after((kinds.RESIGN, leaver, ""))
        assert undoes(OPEN_TOY, left.standing, 0) is None
        later = played(left, "pass")
        assert undoes(OPEN_TOY, later.standing, 3 - leaver) is not None


def test_at_a_larger_table_all_who_still_play_must_agree() -> None:
    left = played(table(OPEN_TOY, 4), f"{deal(4)},pass").after((kinds.RESIGN, 0, ""))
    before = played(left, "pass,pass")
    waiting = agreed(before, 1, 2)
    assert (waiting.standing.plies, len(waiting.standing.proposals)) == (3, 1)
    after = waiting.after((kinds.AGREE, 3, str(waiting.standing.proposals[0].number))).standing
    assert (after.position, after.plies) == (left.standing.position, 1)
    with pytest.raises(BrokenLog, match="no seat speaks"):
        asked(before, 0)


def test_a_standing_that_was_kept_without_its_turns_says_so() -> None:
    kept: Standing[Any] = replace(played(table(MANGALA), "1").standing, turns=None)
    with pytest.raises(LookupError):
        undoes(MANGALA, kept, 0)
    assert step(MANGALA, kept, Entry(4, kinds.MOVE, 1, "1")).turns is None


def test_a_record_tells_what_was_taken_back_and_numbers_the_rounds_on_from_there() -> None:
    entries = agreed(played(table(MANGALA), "1,1,2,2,3,4"), 1, 0)
    entries = played(entries, "5,6")
    text = records.write(record_of(entries), MANGALA)
    assert text.split("\n\n")[1] == "1. 1 1 2. 2 2 3. 3 4 <propose 2 takeback> <agree 1 7> 3. 5 4. 6 *\n"
    [again] = records.read(text, registry.get)
    assert again == record_of(entries)
    assert differences(MANGALA, again) == []
    assert play_record(MANGALA, again).position == entries.standing.position


@given(st.integers(0, 10**9))
def test_F36_whoever_takes_back_whenever_stands_where_they_stood_when_they_last_began(seed: int) -> None:
    """Against a plain reading of the log: the moves that still stand, cut before the seat's last turn."""
    random = Random(seed)
    course = random_game(MANGALA, seed)
    standing, moves = begin(MANGALA, course.options, 2), list[str]()
    for _ in range(60):
        seat = random.randrange(2)
        if random.random() < 0.3 and undoes(MANGALA, standing, seat) is not None:
            for said in ((kinds.PROPOSE, seat, kinds.TAKEBACK), (kinds.AGREE, 1 - seat, str(standing.number + 1))):
                standing = step(MANGALA, standing, Entry(standing.number + 1, *said))
            moves = moves[: start_of_last_turn(course.options, moves, seat)]
        elif standing.outcome is None:
            moves.append(random.choice(list(MANGALA.legal_moves(standing.position))))
            standing = step(MANGALA, standing, seated(MANGALA, standing, Entry(standing.number + 1, kinds.MOVE, text=moves[-1])))
        plain = fold(MANGALA, course.options, 2, numbered(course.options, moves))
        assert (standing.position, standing.plies) == (plain.position, plain.plies)


def numbered(options: dict[str, Any], moves: Sequence[str]) -> list[Entry]:
    """The moves as entries, by the seats that were to move."""
    standing, entries = begin(MANGALA, options, 2), list[Entry]()
    for move in moves:
        entries.append(seated(MANGALA, standing, Entry(len(entries) + 1, kinds.MOVE, text=move)))
        standing = step(MANGALA, standing, entries[-1])
    return entries


def start_of_last_turn(options: dict[str, Any], moves: Sequence[str], seat: int) -> int:
    """How many moves were made before the seat's last unbroken row of moves."""
    movers = [entry.seat for entry in numbered(options, moves)]
    place = max(number for number, mover in enumerate(movers) if mover == seat)
    while place and movers[place - 1] == seat:
        place -= 1
    return place


def record_of(game: Table) -> Record:
    """What is written of the game, which goes on: without joins and times."""
    rest = [one for one in game.entries if one.kind != kinds.JOIN]
    refers = (kinds.AGREE, kinds.REFUSE, kinds.WITHDRAW)
    seats = game.standing.seats
    return Record(
        ruleset=game.ruleset.facts.name,
        version=game.ruleset.facts.version,
        options={},
        seats=seats,
        entries=tuple(
            Entry(
                one.number - seats,
                one.kind,
                None if one.kind == kinds.MOVE else one.seat,
                str(int(one.text) - seats) if one.kind in refers else one.text,
            )
            for one in rest
        ),
        result="*",
    )


def test_times_are_not_needed() -> None:
    untimed = [replace(one, at=None) for one in agreed(played(table(MANGALA), "1,1"), 0, 1).entries]
    assert fold(MANGALA, {}, 2, untimed).since is None
    late: datetime = NOON + timedelta(days=1)
    assert fold(MANGALA, {}, 2, [*untimed[:-1], replace(untimed[-1], at=late)]).since == late
