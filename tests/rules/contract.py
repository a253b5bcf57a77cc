"""What every ruleset keeps: one suite, made into a test class for each of them by `test_contract`."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from importlib import resources
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import entry as kinds
from games.rules import record as records
from games.rules.entry import Entry, Record
from games.rules.phrase import Phrase, in_english
from games.rules.position import CHANCE, BadOptions, BadPosition, Event, Forfeit, IllegalMove, Moment, MoveRefused, Outcome
from games.rules.replay import differences, fold, play_record, result, step
from games.rules.ruleset import AnyRuleset, Marks
from tests.rules.course import Course, moves_at, random_game, watchers
from tests.rules.pictures import assert_picture, places, title_of
from tests.rules.ruled import Ruled

HALF = Fraction(1, 2)
LONGEST_LINK = 160  # of a last ply, with all that ends the game
HOSTILE = [
    "", " ", "-", "4-", "-4", "4--6", "0", "-1", "+4", "4.0", "1e0", "four", "4\u202e", "\u200b4", "٣", "１", "²", "9" * 10_000,
    "💥", "\x00", "4\x00", "4\n6", "\ud800", "<script>", "%(move)s", "%s", "{0}", "' OR 1=1", "None", "../guide.en.md",
]  # fmt: skip
JUNK: list[Any] = [None, True, 0, "", "{}", [], [1], {}, {"turn": None}]

seeds = st.integers(0, 10**9)


def say(phrase: Phrase) -> str:
    """The English text, if every parameter is named in it and every name has its parameter."""
    texts = [phrase.msgid] if phrase.plural is None else [phrase.msgid, phrase.plural]
    named = {name for text in texts for name in re.findall(r"%\((\w+)\)s", text)}
    assert (phrase.plural is None) == (phrase.count is None), f"{phrase}: a plural and its count go together"
    assert named - ({"count"} if phrase.plural else set()) == set(phrase.params), f"{phrase}: its parameters do not fit"
    for value in phrase.params.values():
        if isinstance(value, Phrase):
            say(value)
    text = in_english(phrase)
    assert text.strip()
    return text


class Contract(Ruled):
    """What every ruleset keeps; with rulings."""

    ruleset: ClassVar[AnyRuleset]

    # -- facts ---------------------------------------------------------------------------------------------------

    def test_facts_are_whole(self) -> None:
        facts = self.ruleset.facts
        assert facts.name.isidentifier()
        assert facts.name == facts.name.lower()
        assert facts.version >= 1
        assert 2 <= facts.seats[0] <= facts.seats[1] <= 20
        assert len(facts.seat_titles) in (0, facts.seats[1])
        for told in (facts.title, *facts.seat_titles, *(facts.terminations or {}).values()):
            say(told)

    def test_every_offered_option_starts_a_game_and_the_default_is_offered(self) -> None:
        facts = self.ruleset.facts
        for option in facts.options:
            say(option.title)
            assert option.default in [value for value, _ in option.offered]
            for offered, title in option.offered:
                say(title)
                assert type(offered) is type(option.default)
                for seats in range(facts.seats[0], facts.seats[1] + 1):
                    assert self.ruleset.to_move(self.ruleset.start({option.name: offered}, seats)) is not None
        assert self.ruleset.start({}, facts.seats[0]) == self.ruleset.start(
            {option.name: option.default for option in facts.options}, facts.seats[0]
        )

    def test_options_and_numbers_of_seats_that_do_not_exist_are_refused_in_words(self) -> None:
        few, many = self.ruleset.facts.seats
        wrong: list[tuple[dict[str, Any], int]] = [({"no such option": 1}, few), ({}, few - 1), ({}, many + 1), ({}, 0)]
        for option in self.ruleset.facts.options:
            strange = [junk for junk in JUNK if type(junk) is not type(option.default)]
            wrong += [({option.name: value}, few) for value in (*strange, "no such value", -1)]
        for options, seats in wrong:
            with pytest.raises(BadOptions) as refused:
                self.ruleset.start(options, seats)
            say(refused.value.said)

    @pytest.mark.parametrize("language", ["en", "ru", "tr"])
    def test_the_guide_speaks_three_languages_without_html(self, language: str) -> None:
        folder = resources.files(type(self.ruleset).__module__)
        guide = (folder / f"guide.{language}.md").read_text(encoding="utf-8")
        assert guide.startswith("# ")
        assert not re.search(r"<[a-zA-Z/!]", guide)
        english = (folder / "guide.en.md").read_text(encoding="utf-8")
        assert re.findall(r"^#+", guide, re.MULTILINE) == re.findall(r"^#+", english, re.MULTILINE)

    # -- the course of a game ------------------------------------------------------------------------------------

    @given(seeds)
    def test_random_play_ends_with_a_winner_or_a_shared_point(self, seed: int) -> None:
        last = random_game(self.ruleset, seed).last
        assert last.outcome is not None
        assert last.outcome.termination in (self.ruleset.facts.terminations or {})
        self.assert_points(last.outcome, last.seats)
        assert self.ruleset.proposals(last.position) == ()

    def assert_points(self, outcome: Outcome, seats: int) -> None:
        """One seat has the point, or several have half each; scores are counted for all seats or for none."""
        assert len(outcome.points) == seats
        won, shared = outcome.points.count(Fraction(1)), outcome.points.count(HALF)
        assert (won == 1 and not shared) or (shared >= 2 and not won)
        assert won + shared + outcome.points.count(Fraction(0)) == seats
        assert len(outcome.scores) in (0, seats)

    @given(seeds)
    def test_who_decides_what_is_listed_and_the_outcome_agree(self, seed: int) -> None:
        for standing in random_game(self.ruleset, seed).standings:
            position = standing.position
            decider = self.ruleset.to_move(position)
            seat_decides = decider is not None and decider != CHANCE
            assert (self.ruleset.outcome(position) is not None) == (decider is None)
            assert bool(list(self.ruleset.legal_moves(position))) == self.ruleset.has_move(position) == seat_decides
            assert bool(self.ruleset.chance(position)) == (decider == CHANCE)
            assert decider in (None, CHANCE, *range(standing.seats))
            assert len(self.ruleset.scores(position)) in (0, standing.seats)

    @given(seeds)
    def test_chance_has_whole_weights_for_outcomes_that_can_be_played(self, seed: int) -> None:
        fell = False
        for standing in random_game(self.ruleset, seed).standings:
            outcomes = self.ruleset.chance(standing.position)
            assert len({text for text, _ in outcomes}) == len(outcomes)
            assert all(type(weight) is int and weight > 0 for _, weight in outcomes)
            for text, _ in outcomes:
                assert self.ruleset.play(standing.position, text) != standing.position
            fell = fell or bool(outcomes)
        assert fell == self.ruleset.facts.chance

    @given(seeds)
    def test_what_is_listed_is_accepted_and_stands_in_its_one_spelling(self, seed: int) -> None:
        for standing, moves in moves_at(random_game(self.ruleset, seed), self.ruleset):
            before = self.ruleset.dump(standing.position)
            assert len(set(moves)) == len(moves)
            for move in moves:
                for typed in (move, f" {move}", f"{move} "):
                    assert self.ruleset.canonical(standing.position, typed) == move
                assert self.ruleset.play(standing.position, move) != standing.position
            assert self.ruleset.dump(standing.position) == before, "a position never changes"

    @given(seeds)
    def test_a_turn_grows_by_one_when_somebody_else_must_decide(self, seed: int) -> None:
        course = random_game(self.ruleset, seed)
        assert self.ruleset.turn(course.standings[0].position) == 1
        for before, after in zip(course.standings, course.standings[1:], strict=False):
            grown = self.ruleset.turn(after.position) - self.ruleset.turn(before.position)
            assert grown in (0, 1)
            deciders = {self.ruleset.to_move(before.position), self.ruleset.to_move(after.position)}
            if len(deciders) == 2 and not deciders & {None, CHANCE}:
                assert grown == 1

    @given(seeds, st.sampled_from(HOSTILE))
    def test_what_is_no_move_is_refused_in_words(self, seed: int, text: str) -> None:
        for standing in random_game(self.ruleset, seed).standings[::7]:
            for ask in (self.ruleset.canonical, self.ruleset.play, self.ruleset.events):
                with pytest.raises(MoveRefused) as refused:
                    ask(standing.position, text)
                assert len(say(refused.value.said)) < 300

    @given(seeds, st.text())
    def test_any_text_is_one_of_the_listed_moves_or_refused(self, seed: int, text: str) -> None:
        for standing in random_game(self.ruleset, seed).standings[::7]:
            try:
                move = self.ruleset.canonical(standing.position, text)
            except MoveRefused as refused:
                say(refused.said)
            else:
                listed = [*self.ruleset.legal_moves(standing.position), *dict(self.ruleset.chance(standing.position))]
                assert move in listed
                assert self.ruleset.canonical(standing.position, move) == move
                assert self.ruleset.play(standing.position, text) == self.ruleset.play(standing.position, move)

    @given(seeds)
    def test_a_move_of_another_moment_is_refused_as_illegal(self, seed: int) -> None:
        course = random_game(self.ruleset, seed)
        known = {move for _, moves in moves_at(course, self.ruleset) for move in moves}
        for standing, moves in list(moves_at(course, self.ruleset))[::5]:
            for move in known - {*moves, *dict(self.ruleset.chance(standing.position))}:
                with pytest.raises(IllegalMove) as refused:
                    self.ruleset.play(standing.position, move)
                say(refused.value.said)

    @given(seeds)
    def test_several_plies_of_a_turn_make_one_text_and_come_apart_again(self, seed: int) -> None:
        for _, moves in moves_at(random_game(self.ruleset, seed), self.ruleset):
            for move in moves:
                assert self.ruleset.split(self.ruleset.join([move])) == (move,)
            if self.ruleset.facts.joiner is not None and moves:
                assert self.ruleset.split(self.ruleset.join(moves)) == tuple(moves)
            elif len(moves) > 1:
                with pytest.raises(ValueError, match="one ply"):
                    self.ruleset.join(moves)

    @given(seeds)
    def test_time_running_out_and_leaving_are_defined_everywhere(self, seed: int) -> None:
        for standing in random_game(self.ruleset, seed, upsets=True).standings[:-1]:
            position = standing.position
            decider = self.ruleset.to_move(position)
            if decider != CHANCE:
                self.assert_goes_on(position, self.ruleset.time_out(position), decider)
            for seat in set(range(standing.seats)) - standing.left:
                self.assert_goes_on(position, self.ruleset.leave(position, seat), seat, gone=True)

    def assert_goes_on(self, before: Any, after: Any, seat: int | None, *, gone: bool = False) -> None:
        """Either the seat forfeits, or there is a next position in which, if it has gone, it decides nothing."""
        if isinstance(after, Forfeit):
            assert after.seat == seat
            return
        assert after != before
        assert self.ruleset.turn(after) - self.ruleset.turn(before) in (0, 1)
        assert (self.ruleset.to_move(after) is None) == (self.ruleset.outcome(after) is not None)
        assert not (gone and self.ruleset.to_move(after) == seat)
        assert self.ruleset.load(json.loads(json.dumps(self.ruleset.dump(after)))) == after

    @given(seeds)
    def test_when_one_after_the_other_leaves_the_game_ends(self, seed: int) -> None:
        random = Random(seed)
        course = random_game(self.ruleset, seed)
        standing = random.choice(course.standings[:-1])
        order = random.sample(range(standing.seats), standing.seats)
        for seat in order[:-1]:
            if standing.outcome is None:
                standing = step(self.ruleset, standing, Entry(standing.number + 1, kinds.RESIGN, seat))
        assert standing.outcome is not None
        assert standing.outcome.points[order[-1]] == 1

    @given(seeds)
    def test_every_agreement_that_may_be_proposed_settles_the_game(self, seed: int) -> None:
        for standing in random_game(self.ruleset, seed).standings:
            for kind in self.ruleset.proposals(standing.position):
                self.assert_points(self.ruleset.settle(standing.position, kind), standing.seats)
            with pytest.raises(ValueError, match="no such agreement"):
                self.ruleset.settle(standing.position, "no such agreement")

    # -- words, storage, records ---------------------------------------------------------------------------------

    @given(seeds)
    def test_what_a_move_does_is_told_step_by_step(self, seed: int) -> None:
        for standing, moves in list(moves_at(random_game(self.ruleset, seed), self.ruleset))[::9]:
            known = places(self.ruleset.picture(self.ruleset.view(standing.position, None), Marks(), say))
            for move in moves:
                told = self.ruleset.events(standing.position, move)
                assert told
                for event in told:
                    assert isinstance(event, Event)
                    assert event.kind
                    assert event.count >= 0
                    assert say(event.said)
                    assert set(event.places) <= known
                if not self.ruleset.facts.hidden:
                    short = [say(event.to_mover) for event in told if event.to_mover is not None]
                    assert len(short) == len(told), "whoever chooses a move is told all that it would do"
                    assert all(one[0].islower() and one[-1] != "." for one in short)
                    assert len(f"{move}: {', '.join(short)}") <= LONGEST_LINK

    @given(seeds)
    def test_a_position_survives_its_json(self, seed: int) -> None:
        for standing in random_game(self.ruleset, seed, upsets=True).standings:
            dumped = json.dumps(self.ruleset.dump(standing.position))
            loaded = self.ruleset.load(json.loads(dumped))
            assert loaded == standing.position
            assert hash(loaded) == hash(standing.position)
            assert json.dumps(self.ruleset.dump(loaded)) == dumped

    @pytest.mark.parametrize("junk", JUNK, ids=repr)
    def test_json_that_is_no_position_is_refused(self, junk: Any) -> None:
        with pytest.raises(BadPosition):
            self.ruleset.load(junk)

    @given(seeds)
    def test_replay_is_deterministic_at_every_entry(self, seed: int) -> None:
        course = random_game(self.ruleset, seed, upsets=True)
        seats = course.last.seats
        for number in {0, len(course.entries) // 2, len(course.entries)}:
            entries = course.entries[:number]
            again = fold(self.ruleset, course.options, seats, entries)
            assert again == fold(self.ruleset, course.options, seats, entries) == course.standings[number]

    @given(seeds)
    def test_a_record_is_read_as_it_was_written_and_replays_to_the_same_end(self, seed: int) -> None:
        course = random_game(self.ruleset, seed, upsets=True)
        record = self.record_of(course)
        [again] = records.read(records.write(record, self.ruleset), lambda _name: self.ruleset)
        assert again == record
        assert play_record(self.ruleset, again) == course.last
        assert differences(self.ruleset, again) == []

    def record_of(self, course: Course) -> Record:
        """The game as a record claims it: moves and time-outs without the seat that follows from the rules."""
        assert course.last.outcome is not None
        silent = (kinds.MOVE, kinds.TIMEOUT)
        return Record(
            ruleset=self.ruleset.facts.name,
            version=self.ruleset.facts.version,
            options=course.options,
            seats=course.last.seats,
            entries=tuple(replace(one, seat=None) if one.kind in silent else one for one in course.entries),
            result=result(course.last.outcome, course.last.seats),
            termination=course.last.outcome.termination,
        )

    @given(seeds)
    def test_other_notations_tell_the_same_game(self, seed: int) -> None:
        course = random_game(self.ruleset, seed)
        record = replace(self.record_of(course), entries=tuple(course.entries), final=self.ruleset.dump(course.last.position))
        for dialect in self.ruleset.dialects.values():
            text = dialect.write(record)
            assert dialect.reads(text)
            again = dialect.read(text)
            assert differences(self.ruleset, again) == []
            assert play_record(self.ruleset, again).position == course.last.position

    # -- what may be seen ----------------------------------------------------------------------------------------

    @given(seeds)
    def test_every_view_is_told_and_drawn_for_everybody(self, seed: int) -> None:
        for standing in random_game(self.ruleset, seed, upsets=True).standings[::9]:
            for seat in watchers(standing):
                view = self.ruleset.view(standing.position, seat)
                assert self.ruleset.describe(view, say).strip().endswith(".")
                lines = self.ruleset.diagram(view).splitlines()
                assert lines
                assert max(map(len, lines)) <= 40
                assert_picture(self.ruleset.picture(view, Marks(), say))
                if small := self.ruleset.miniature(view, say):
                    assert title_of(small)
                    assert len(small) < 2_000

    @given(seeds)
    def test_it_is_told_at_which_moment_nobody_is_to_move(self, seed: int) -> None:
        for standing in random_game(self.ruleset, seed).standings[::9]:
            for seat in watchers(standing):
                views = [self.ruleset.view(standing.position, seat, moment=moment) for moment in Moment]
                told = {self.ruleset.describe(view, say) for view in views}
                assert len(told) == (1 if self.ruleset.outcome(standing.position) else len(Moment))

    @given(seeds)
    def test_marks_of_a_move_and_of_the_choices_can_be_drawn(self, seed: int) -> None:
        for standing, moves in list(moves_at(random_game(self.ruleset, seed), self.ruleset))[::15]:
            for seat in watchers(standing):
                view = self.ruleset.view(standing.position, seat)
                chosen = [place for move in moves if (place := self.ruleset.place_of(view, move))]
                touched = [
                    place for move in moves for event in self.ruleset.events(standing.position, move) for place in event.places
                ]
                assert len(chosen) == len({*chosen}), "a place that is pressed is one move"
                headings = [self.ruleset.group_of(view, move) for move in moves]
                assert all(heading is None or isinstance(heading, Phrase) for heading in headings)
                marks = Marks(tuple(touched), tuple(touched[-1:]), tuple(chosen), chosen[0] if chosen else None)
                drawn = self.ruleset.picture(view, marks, say)
                assert_picture(drawn)
                assert set(chosen) <= places(drawn)

    @given(seeds)
    def test_N25_what_is_imagined_agrees_with_all_that_the_seat_may_know(self, seed: int) -> None:
        hides = False
        for standing in random_game(self.ruleset, seed, upsets=True).standings[::3]:
            for seat in watchers(standing):
                view = self.ruleset.view(standing.position, seat)
                for imagined in (self.ruleset.imagine(view, Random(seed + luck)) for luck in range(3)):
                    assert self.ruleset.view(imagined, seat) == view
                    assert self.ruleset.load(self.ruleset.dump(imagined)) == imagined
                    assert self.ruleset.to_move(imagined) == self.ruleset.to_move(standing.position)
                    hides = hides or imagined != standing.position
        assert not hides or self.ruleset.facts.hidden

    def test_N25_a_game_with_hidden_things_hides_them(self) -> None:
        hides = any(
            self.ruleset.imagine(view, Random(1)) != self.ruleset.imagine(view, Random(2))
            for standing in random_game(self.ruleset, 1).standings
            for view in (self.ruleset.view(standing.position, seat) for seat in watchers(standing))
        )
        assert hides == self.ruleset.facts.hidden
