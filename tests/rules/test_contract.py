"""The contract suite, over every registered ruleset and the toy."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from importlib import resources
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import entry as kinds
from games.rules import record as records
from games.rules import registry
from games.rules.entry import Entry, Record
from games.rules.phrase import in_english
from games.rules.position import CHANCE, Forfeit, MoveRefused
from games.rules.replay import Standing, begin, play_record, result, step
from games.rules.ruleset import AnyRuleset, Marks
from tests.toy import TOY

RULESETS = (*map(registry.get, registry.names()), TOY)
LONGEST = 2000
HOSTILE = ["", " ", "-", "0", "-1", "٣", "１", "4\u202e", "4--6", "9" * 4000, "💥", "<script>", "%(move)s", "{0}", "\x00", "4\n6"]
SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Course:
    """A random game: its options, its entries, and the standing before each and at the end."""

    options: dict[str, Any]
    entries: list[Entry]
    standings: list[Standing[Any]]


def random_game(ruleset: AnyRuleset, seed: int, *, upsets: bool = False) -> Course:
    """With `upsets`, seats also let their time run out."""
    random = Random(seed)
    options = {option.name: random.choice(option.offered)[0] for option in ruleset.facts.options}
    standing = begin(ruleset, options, random.randint(*ruleset.facts.seats))
    course = Course(options, [], [standing])
    while standing.outcome is None:
        decider = ruleset.to_move(standing.position)
        number = standing.number + 1
        if decider == CHANCE:
            outcomes, weights = zip(*ruleset.chance(standing.position), strict=True)
            entry = Entry(number, kinds.CHANCE_FELL, None, random.choices(outcomes, weights)[0])
        elif upsets and random.random() < 0.1:
            entry = Entry(number, kinds.TIMEOUT, decider)
        else:
            entry = Entry(number, kinds.MOVE, decider, random.choice(list(ruleset.legal_moves(standing.position))))
        standing = step(ruleset, standing, entry)
        course.entries.append(entry)
        course.standings.append(standing)
        assert len(course.entries) < LONGEST, "a random game ends"
    return course


@pytest.mark.parametrize("ruleset", RULESETS, ids=[ruleset.facts.name for ruleset in RULESETS])
class TestContract:
    """What every ruleset keeps."""

    @given(seed=st.integers(0, 10**9))
    def test_random_play_ends_with_one_point_shared_out(self, ruleset: AnyRuleset, seed: int) -> None:
        last = random_game(ruleset, seed).standings[-1]
        assert last.outcome is not None
        assert sum(last.outcome.points) >= 1
        assert len(last.outcome.points) == last.seats
        assert last.outcome.termination in (ruleset.facts.terminations or {})
        assert not list(ruleset.legal_moves(last.position))
        assert not ruleset.has_move(last.position)
        assert ruleset.proposals(last.position) == ()

    @given(seed=st.integers(0, 10**9))
    def test_listed_is_accepted_and_the_rest_refused_in_words(self, ruleset: AnyRuleset, seed: int) -> None:
        for standing in random_game(ruleset, seed).standings[::9]:
            position = standing.position
            decider = ruleset.to_move(position)
            moves = list(ruleset.legal_moves(position))
            assert bool(moves) == ruleset.has_move(position) == (decider is not None and decider != CHANCE)
            assert bool(ruleset.chance(position)) == (decider == CHANCE)
            assert all(weight > 0 for _, weight in ruleset.chance(position))
            for move in moves:
                assert ruleset.canonical(position, move) == move
                assert ruleset.split(ruleset.join([move])) == (move,)
                assert all(in_english(event.said) for event in ruleset.events(position, move))
                assert ruleset.turn(ruleset.play(position, move)) - ruleset.turn(position) in (0, 1)
            for text in HOSTILE:
                for ask in (ruleset.canonical, ruleset.play, ruleset.events):
                    with pytest.raises(MoveRefused):
                        ask(position, text)

    @given(seed=st.integers(0, 10**9))
    def test_a_position_survives_json_and_time_and_leaving_are_defined(self, ruleset: AnyRuleset, seed: int) -> None:
        for standing in random_game(ruleset, seed, upsets=True).standings[::5]:
            position = standing.position
            assert ruleset.load(json.loads(json.dumps(ruleset.dump(position)))) == position
            if (ruleset.to_move(position) or 0) >= 0 and standing.outcome is None:
                for after in (
                    ruleset.time_out(position),
                    *(ruleset.leave(position, one) for one in range(standing.seats)),
                ):
                    assert isinstance(after, Forfeit) or ruleset.turn(after) >= ruleset.turn(position)
                for kind in ruleset.proposals(position):
                    assert sum(ruleset.settle(position, kind).points) >= 1

    @given(seed=st.integers(0, 10**9))
    def test_every_view_is_told_drawn_and_pictured(self, ruleset: AnyRuleset, seed: int) -> None:
        for standing in random_game(ruleset, seed).standings[::13]:
            for seat in (None, *range(standing.seats)):
                view = ruleset.view(standing.position, seat)
                imagined = ruleset.imagine(view, Random(seed))
                assert ruleset.view(imagined, seat) == view
                assert ruleset.describe(view, in_english).strip()
                assert max(map(len, ruleset.diagram(view).splitlines())) <= 40
                svg = ElementTree.fromstring(ruleset.picture(view, Marks(), in_english))
                assert svg.tag == f"{SVG}svg"
                assert svg.findtext(f"{SVG}title")
                assert svg.findtext(f"{SVG}desc")
                assert "style" not in svg.attrib

    @given(seed=st.integers(0, 10**9))
    def test_a_record_of_the_game_replays_to_the_same_end(self, ruleset: AnyRuleset, seed: int) -> None:
        course = random_game(ruleset, seed)
        standing = course.standings[-1]
        assert standing.outcome is not None
        record = Record(
            ruleset=ruleset.facts.name,
            version=ruleset.facts.version,
            options=course.options,
            seats=standing.seats,
            entries=tuple(replace(one, seat=None) for one in course.entries),
            result=result(standing.outcome, standing.seats),
            termination=standing.outcome.termination,
        )
        [again] = records.read(records.write(record, ruleset), lambda _name: ruleset)
        assert again == record
        assert play_record(ruleset, again) == standing

    def test_facts_are_whole(self, ruleset: AnyRuleset) -> None:
        facts = ruleset.facts
        assert facts.name.isidentifier()
        assert facts.version >= 1
        assert 2 <= facts.seats[0] <= facts.seats[1]
        for option in facts.options:
            assert option.default in [value for value, _ in option.offered]
            for value, _ in option.offered:
                ruleset.start({option.name: value}, facts.seats[0])

    @pytest.mark.parametrize("language", ["en", "ru", "tr"])
    def test_the_guide_speaks_three_languages(self, ruleset: AnyRuleset, language: str) -> None:
        guide = resources.files(type(ruleset).__module__) / f"guide.{language}.md"
        assert guide.read_text(encoding="utf-8").startswith("# ")
