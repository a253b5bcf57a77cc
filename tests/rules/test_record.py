"""Records: what is written is read again, and what cannot be read is named by line and column."""

from __future__ import annotations

import contextlib
import tracemalloc
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import record as records
from games.rules import registry
from games.rules.entry import Entry, Record, Unreadable
from games.rules.position import IllegalMove
from games.rules.replay import begin, differences, result, seated, step
from games.rules.ruleset import AnyRuleset
from games.rules.standing import Standing
from tests.rules.boards import MANGALA
from tests.toy import TOY, Toy, ToyPosition

HEAD = '[Ruleset "mangala"]\n[Options "end=playout"]\n[South "Alice"]\n\n'


def written(moves: str) -> str:
    """The moves of a game that goes on, read and written again."""
    return records.write(read(f"{HEAD}{moves} *"), MANGALA).rstrip("\n")


def read(text: str) -> Record:
    [record] = records.read(text, registry.get)
    return record


def test_the_plies_of_one_turn_are_joined_and_rounds_are_numbered() -> None:
    text = '[Ruleset "mangala"]\n[Version "1"]\n[Options "end=playout"]\n[Result "*"]\n\n1. 4-6 3-1 2. 2 <propose 1 draw> 6 *\n'
    assert records.write(read(text), MANGALA) == text


def test_a_round_is_numbered_before_its_first_move_whatever_was_said_before_it() -> None:
    text = "1. 4-6 {good} 3-1 <propose 1 draw> <refuse 2 5> 2. 2 {mid} <propose 1 draw> 6"
    assert written(text).endswith(f"{text} *")
    within = "1. 4 {an extra move} 6 3-1"
    assert written(within).endswith(f"{within} *")


def test_four_seats_make_a_round_of_four_turns_and_chance_stands_where_it_falls(toy: AnyRuleset) -> None:
    deal = "<chance 1> <chance 2> <chance 1> <chance 2> <chance 1> <chance 2>"
    text = f"{deal} 1. pass offer_2 refuse <chance 6> 2. pass <timeout> <resign 3>"
    [record] = records.read(f'[Ruleset "toy"]\n[Seats "3"]\n\n{text} *', registry.get)
    assert [entry.text for entry in record.entries[7:10]] == ["offer 2", "refuse", "6"]
    again = records.write(record, toy)
    assert again.split("\n\n")[1].replace("\n", " ") == f"{text} * "
    assert records.read(again, registry.get) == [record]


def test_numbers_of_rounds_are_for_the_eye() -> None:
    assert read(HEAD + "4-6 3 *").entries == read(HEAD + "7. 4-6 1... 3 *").entries


@pytest.mark.parametrize("plies", ["1-1", "1-1-1", "6-6"])
def test_plies_that_look_like_a_result_are_plies(plies: str) -> None:
    assert [entry.text for entry in read(HEAD + f"{plies} 3 1-0").entries] == [*plies.split("-"), "3"]


def test_words_in_tags_and_comments_may_be_anything() -> None:
    record = read(HEAD + r'{ a \} brace, a \\ and "quotes" } 1. 4-6 {two' + "\nlines} *")
    assert record.comments == {0: ' a } brace, a \\ and "quotes" ', 2: "two\nlines"}
    assert read(records.write(record, MANGALA)) == record


class Chatty(Toy):
    """A toy whose moves may hold brackets, as those of Sprouts do: `pass [1,2]`."""

    def canonical(self, position: ToyPosition, text: str) -> str:
        return super().canonical(position, text.partition(" [")[0])


def test_a_move_may_hold_brackets_that_no_tag_begins_with() -> None:
    head = '[Ruleset "toy"]\n\n<chance 1> <chance 1> <chance 1> <chance 1> '
    [record] = records.read(head + "1. pass_[1,2] pass_[3-5] *", lambda _name: Chatty())
    assert [entry.text for entry in record.entries[4:]] == ["pass [1,2]", "pass [3-5]"]
    assert records.read(records.write(record, Chatty()), lambda _name: Chatty()) == [record]


class OneTurn(Toy):
    """A toy whose turn never ends, and whose plies no text joins."""

    def turn(self, position: ToyPosition) -> int:
        return 1


def test_plies_of_a_turn_stand_apart_where_the_rules_join_none() -> None:
    [record] = records.read('[Ruleset "toy"]\n\n<chance 1> <chance 1> <chance 1> <chance 1> 1. pass pass *', lambda _name: TOY)
    assert records.write(record, OneTurn()).endswith(" 1. pass pass *\n")


def test_a_final_position_may_be_claimed() -> None:
    record = read('[Final "{\\"south_store\\": 2}"]\n' + HEAD + "4-6 *")
    assert record.final == {"south_store": 2}
    assert read(records.write(record, MANGALA)) == record


def test_what_is_claimed_stands_in_tags_in_a_fixed_order() -> None:
    record = Record("mangala", 1, {"end": "playout"}, 2, (), {"South": 'Ayşe \\ "A"', "Date": "2026.03.01"}, "1-0", "over24")
    assert records.write(record, MANGALA) == (
        '[Ruleset "mangala"]\n[Version "1"]\n[Options "end=playout"]\n[South "Ayşe \\\\ \\"A\\""]\n[Date "2026.03.01"]\n'
        '[Result "1-0"]\n[Termination "over24"]\n\n1-0\n'
    )


def test_long_games_are_wrapped() -> None:
    _, moves = records.write(a_record(7, "", ""), MANGALA).split("\n\n")
    assert len(moves) > records.WIDTH
    assert max(map(len, moves.splitlines())) <= records.WIDTH


def test_a_game_that_the_rules_refuse_cannot_be_written() -> None:
    with pytest.raises(IllegalMove):
        records.write(read(HEAD + "1 1 1 1 1 *"), MANGALA)


def test_other_entries_name_their_kind_seat_and_text() -> None:
    record = read(HEAD + "4 <propose 1 draw> <refuse 2 2> 6 <resign 2> 1-0")
    assert record.entries[1:] == (
        Entry(2, "propose", 0, "draw"),
        Entry(3, "refuse", 1, "2"),
        Entry(4, "move", None, "6"),
        Entry(5, "resign", 1, ""),
    )


def test_several_records_stand_in_one_file() -> None:
    assert len(records.read(HEAD + "4 *\n\n" + HEAD + "1 *", registry.get)) == 2


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ("4 6 *", 1, 1, "name its Ruleset"),
        ('[Ruleset "chess"]\n\n*', 1, 1, "no ruleset called 'chess'"),
        (HEAD + "1. 4 {never closed *", 5, 6, "not closed"),
        (HEAD + "1. 4\n  <dance 1> *", 6, 3, "no entry called 'dance'"),
        (HEAD + "<resign 3> *", 5, 1, "no seat from 1 to 2"),
        (HEAD + "4--6 *", 5, 1, "empty ply"),
        (HEAD + "4-6", 5, 1, "no result"),
        ('[Ruleset "mangala"]\n[Result "1-0"]\n\n4 0-1', 2, 1, "the tag says 1-0"),
        ('[Ruleset "mangala"]\n[Options "stones=4"]\n\n*', 2, 1, "no option 'stones'"),
        ('[Ruleset "mangala"]\n[Version "x"]\n\n*', 2, 1, "not a number"),
        ('[Ruleset "mangala"]\n[Ruleset "mangala"]\n\n*', 2, 1, "stands twice"),
        ("[Ruleset mangala]\n\n*", 1, 1, "a tag is not written"),
        (HEAD + '4 [South "Bob"] *', 5, 3, "a tag stands among the moves"),
        (HEAD + "4 > 6 *", 5, 3, "'>' has no meaning here"),
        (HEAD + "4 <timeout *", 5, 3, "an entry in <…> is not closed"),
        (HEAD + "{two\nlines} 4 <> *", 6, 10, "no entry called ''"),
        (HEAD + "<resign> *", 5, 1, "no seat from 1 to 2"),
        (HEAD + "<resign ²> *", 5, 1, "no seat from 1 to 2"),
        ('[Ruleset "mangala"]\n[Options "end"]\n\n*', 2, 1, "no option 'end'"),
        ('[Ruleset "mangala"]\n[Seats "two"]\n\n*', 2, 1, "not a number"),
        ('[Ruleset "mangala"]\n  [Final "[1]"]\n\n*', 2, 3, "not a JSON object"),
        ('[Ruleset "mangala"]\n[Final "{"]\n\n*', 2, 1, "not a JSON object"),
        ("{just words}", 1, 1, "no result"),
        (HEAD + "4 *\n" + HEAD + "6", 10, 1, "no result"),
    ],
)
def test_an_error_names_line_and_column(text: str, line: int, column: int, why: str) -> None:
    with pytest.raises(Unreadable, match=why) as caught:
        records.read(text, registry.get)
    assert (caught.value.line, caught.value.column) == (line, column)


def a_record(seed: int, name: str, comment: str) -> Record:
    """A random game, some of it talk, with what is true of its end."""
    random = Random(seed)
    standing, entries = begin(MANGALA, {}, 2), []
    for number in range(1, random.randint(2, 80)):
        if standing.outcome is not None:
            break
        entries.append(an_entry(random, number, standing))
        standing = step(MANGALA, standing, seated(MANGALA, standing, entries[-1]))
    return Record(
        ruleset="mangala",
        version=1,
        options={"end": "first25"},
        seats=2,
        entries=tuple(entries),
        tags={"South": name, "North": "Ñandú"},
        result=result(standing.outcome, 2),
        termination=standing.outcome.termination if standing.outcome else None,
        final=random.choice([None, MANGALA.dump(standing.position)]),
        comments={random.randrange(len(entries) + 1): comment},
    )


def an_entry(random: Random, number: int, standing: Standing[Any]) -> Entry:
    seat = random.randrange(2)
    mine = [one for one in standing.proposals if one.seat == seat]
    theirs = [one for one in standing.proposals if one.seat != seat]
    match random.randrange(40):
        case 0:
            return Entry(number, "resign", seat)
        case 1:
            return Entry(number, "timeout")
        case 2 | 3 if not mine:
            return Entry(number, "propose", seat, "draw")
        case 2 | 3:
            return Entry(number, "withdraw", seat, str(mine[0].number))
        case 4 | 5 | 6 if theirs:
            return Entry(number, random.choice(["agree", "refuse"]), seat, str(theirs[0].number))
        case _:
            return Entry(number, "move", None, random.choice(list(MANGALA.legal_moves(standing.position))))


anything = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=30)


@given(st.lists(st.builds(a_record, st.integers(0, 10**9), anything, anything), max_size=3))
def test_what_is_written_is_read_again(several: list[Record]) -> None:
    text = "\n".join(records.write(record, MANGALA) for record in several)
    again = records.read(text, registry.get)
    assert again == several
    assert [differences(MANGALA, record) for record in again] == [[]] * len(several)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    with contextlib.suppress(Unreadable):
        records.read(HEAD + text, registry.get)


def test_a_long_comment_costs_no_more_memory_than_its_text_a_few_times() -> None:
    text = f'[Ruleset "mangala"]\n\n{{{"a" * 2_000_000}}} *\n'
    tracemalloc.start()
    [record] = records.read(text, registry.get)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(record.comments[0]) == 2_000_000
    assert peak < 8 * len(text)
