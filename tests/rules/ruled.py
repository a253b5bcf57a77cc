"""What every ruleset keeps when somebody outside the game rules on it: a part of the contract suite."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import entry as kinds
from games.rules import record as records
from games.rules.entry import Entry, Record
from games.rules.position import CHANCE
from games.rules.replay import BrokenLog, differences, fold, play_record, result, step
from games.rules.ruleset import AnyRuleset
from games.rules.standing import Standing, plays_on
from tests.rules.course import Course, random_for, random_game, random_step

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)

seeds = st.integers(0, 10**9)


@dataclass(frozen=True)
class Table:
    """A game with an entry each hour: what was written, and where it stands."""

    ruleset: AnyRuleset
    options: dict[str, Any]
    entries: tuple[Entry, ...]
    standing: Standing[Any]

    def after(self, *said: tuple[str, int | None, str]) -> Table:
        """The same game with more entries: kind, seat, text."""
        table = self
        for kind, seat, text in said:
            number = table.standing.number + 1
            entry = Entry(number, kind, seat, text, NOON + number * HOUR)
            table = replace(table, entries=(*table.entries, entry), standing=step(self.ruleset, table.standing, entry))
        return table

    def to_the_end(self, random: Random) -> Table:
        """The same game, played on by chance."""
        table = self
        while table.standing.outcome is None:
            entry = random_step(self.ruleset, table.standing, random)
            table = table.after((entry.kind, entry.seat, entry.text))
        return table


class Ruled:
    """Rulings need nothing of a ruleset that it does not have anyway, and change no position."""

    ruleset: ClassVar[AnyRuleset]

    def table_of(self, seed: int) -> Table:
        """A running game at a random moment, at which a seat is to move."""
        course, running = Course({}), list[int]()
        while not running:
            # A game may be called off before its cards are dealt.
            course = random_game(self.ruleset, seed, upsets=True)
            running = [one.number for one in course.standings[:-1] if self.ruleset.to_move(one.position) != CHANCE]
            seed += 1
        written = course.entries[: random_for(self.ruleset, seed).choice(running)]
        entries = tuple(replace(one, at=NOON + one.number * HOUR) for one in written)
        return Table(
            self.ruleset, course.options, entries, fold(self.ruleset, course.options, course.standings[0].seats, entries)
        )

    def somebody(self, table: Table, seed: int) -> int:
        """One who still plays."""
        return Random(seed).choice([seat for seat in range(table.standing.seats) if plays_on(table.standing, seat)])

    def assert_same_turn(self, before: Table, after: Table) -> None:
        assert after.standing.position == before.standing.position
        assert after.standing.plies == before.standing.plies
        assert after.standing.outcome is None

    @given(seeds, st.integers(1, 30 * 86400))
    def test_F40_a_gift_moves_the_deadline_and_nothing_else(self, seed: int, seconds: int) -> None:
        before = self.table_of(seed)
        after = before.after((kinds.CLOCK, None, f"{kinds.GIFT} {seconds}"))
        self.assert_same_turn(before, after)
        number, since, restored = before.standing.number, before.standing.since, before.standing.restored
        gift = timedelta(seconds=seconds)
        assert after.standing.since == (since + gift if since is not None else None)
        assert after.standing.restored == (restored + gift if restored is not None else None)
        assert replace(after.standing, number=number, since=since, restored=restored) == before.standing

    @given(seeds)
    def test_in_a_pause_nobody_moves_and_afterwards_what_was_left_is_left(self, seed: int) -> None:
        before = self.table_of(seed)
        seat, decider = self.somebody(before, seed), self.ruleset.to_move(before.standing.position)
        paused = before.after((kinds.CLOCK, seat, kinds.PAUSE))
        self.assert_same_turn(before, paused)
        assert paused.standing.paused == {seat}
        assert paused.standing.since == before.standing.since
        move = random_step(self.ruleset, before.standing, Random(seed))
        for said in ((move.kind, move.seat, move.text), (kinds.TIMEOUT, decider, "")):
            with pytest.raises(BrokenLog, match="paused"):
                paused.after(said)
        resumed = paused.after((kinds.CLOCK, seat, kinds.RESUME))
        self.assert_same_turn(before, resumed)
        since = before.standing.since
        assert resumed.standing.since == (since + HOUR if since is not None else None)
        assert not resumed.standing.paused
        assert resumed.after((move.kind, move.seat, move.text)).standing.plies == before.standing.plies + 1

    @given(seeds)
    def test_F40_every_verdict_ends_the_game_where_it_stands(self, seed: int) -> None:
        before = self.table_of(seed)
        here = [seat for seat in range(before.standing.seats) if plays_on(before.standing, seat)]
        for verdict in ("annul", "draw", *(f"win {seat}" for seat in here)):
            ended = before.after((kinds.ADJUDICATE, None, verdict)).standing
            assert ended.outcome is not None
            assert (ended.position, ended.plies, ended.proposals) == (before.standing.position, before.standing.plies, ())
            assert len(ended.outcome.points) == (0 if verdict == "annul" else before.standing.seats)
            assert ended.outcome.scores == (() if verdict == "annul" else self.ruleset.scores(ended.position))
            if verdict.startswith("win"):
                assert [seat for seat, points in enumerate(ended.outcome.points) if points == 1] == [int(verdict[4:])]
            elif verdict == "draw":
                assert [seat for seat, points in enumerate(ended.outcome.points) if points] == here
        for nobody in set(range(before.standing.seats + 1)) - {*here}:
            with pytest.raises(BrokenLog):
                before.after((kinds.ADJUDICATE, None, f"win {nobody}"))

    @given(seeds)
    def test_F40_when_an_end_is_taken_back_the_game_goes_on_from_the_same_position(self, seed: int) -> None:
        before = self.table_of(seed)
        ended = before.after((kinds.ADJUDICATE, None, "draw"))
        after = ended.after((kinds.CORRECT, None, str(ended.standing.number)))
        self.assert_same_turn(before, after)
        assert (after.standing.completed, after.standing.left) == (before.standing.completed, before.standing.left)
        assert after.standing.since == after.entries[-1].at, "with a whole reflection time"
        assert self.continued(after, seed) == self.continued(before, seed)

    def continued(self, table: Table, seed: int) -> Any:
        last = table.to_the_end(random_for(self.ruleset, seed)).standing
        return last.position, last.outcome, last.plies

    @given(seeds)
    def test_a_forfeit_is_taken_back_like_a_ruling(self, seed: int) -> None:
        before = self.table_of(seed)
        late = before.after((kinds.TIMEOUT, self.ruleset.to_move(before.standing.position), ""))
        back = (kinds.CORRECT, None, str(late.standing.number))
        if late.standing.reversible:
            self.assert_same_turn(before, late.after(back))
        else:
            with pytest.raises(BrokenLog, match="no such end"):
                late.after(back)

    @given(seeds)
    def test_a_record_with_rulings_is_read_as_it_was_written_and_replays(self, seed: int) -> None:
        table = self.table_of(seed)
        seat = self.somebody(table, seed)
        table = table.after(
            (kinds.CLOCK, None, f"{kinds.GIFT} 3600"), (kinds.CLOCK, seat, kinds.PAUSE), (kinds.CLOCK, seat, kinds.RESUME)
        )
        for verdict in ("annul", "draw", f"win {seat}"):
            ended = table.after((kinds.ADJUDICATE, None, verdict))
            self.assert_record(ended)
            table = ended.after((kinds.CORRECT, None, str(ended.standing.number)))
        self.assert_record(table.to_the_end(random_for(self.ruleset, seed)))

    def assert_record(self, table: Table) -> None:
        """Written, read and replayed it is the same game; times are not written."""
        outcome, silent = table.standing.outcome, (kinds.MOVE, kinds.TIMEOUT)
        assert outcome is not None
        untimed = [replace(one, at=None) for one in table.entries]
        record = Record(
            ruleset=self.ruleset.facts.name,
            version=self.ruleset.facts.version,
            options=table.options,
            seats=table.standing.seats,
            entries=tuple(replace(one, seat=None) if one.kind in silent else one for one in untimed),
            result=result(outcome, table.standing.seats),
            termination=outcome.termination,
        )
        [again] = records.read(records.write(record, self.ruleset), lambda _name: self.ruleset)
        assert again == record
        assert differences(self.ruleset, again) == []
        assert play_record(self.ruleset, again) == fold(self.ruleset, table.options, table.standing.seats, untimed)
