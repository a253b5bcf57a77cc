"""Records: what is written is read again, and what cannot be read is named by line and column."""

from __future__ import annotations

import contextlib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import record as records
from games.rules import registry
from games.rules.entry import Entry, Record, Unreadable
from games.rules.replay import differences, result

MANGALA = registry.get("mangala")
HEAD = '[Ruleset "mangala"]\n[Options "end=playout"]\n[South "Alice"]\n\n'


def read(text: str) -> Record:
    [record] = records.read(text, registry.get)
    return record


def test_the_plies_of_one_turn_are_joined_and_rounds_are_numbered() -> None:
    text = '[Ruleset "mangala"]\n[Version "1"]\n[Options "end=playout"]\n[Result "*"]\n\n1. 4-6 3-1 2. 2 <propose 1 draw> 6 *\n'
    assert records.write(read(text), MANGALA) == text


def test_words_in_tags_and_comments_may_be_anything() -> None:
    record = read(HEAD + r'{ a \} brace, a \\ and "quotes" } 1. 4-6 {two' + "\nlines} *")
    assert record.comments == {0: ' a } brace, a \\ and "quotes" ', 2: "two\nlines"}
    assert read(records.write(record, MANGALA)) == record


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
    ],
)
def test_an_error_names_line_and_column(text: str, line: int, column: int, why: str) -> None:
    with pytest.raises(Unreadable, match=why) as caught:
        records.read(text, registry.get)
    assert (caught.value.line, caught.value.column) == (line, column)


def a_record(seed: int, name: str, comment: str) -> Record:
    random = Random(seed)
    position, entries = MANGALA.start({}, 2), []
    for number in range(1, random.randint(2, 60)):
        moves = list(MANGALA.legal_moves(position))
        if not moves:
            break
        entries.append(Entry(number, "move", None, random.choice(moves)))
        position = MANGALA.play(position, entries[-1].text)
    outcome = MANGALA.outcome(position)
    return Record(
        ruleset="mangala",
        version=1,
        options={"end": "first25"},
        seats=2,
        entries=tuple(entries),
        tags={"South": name, "North": "Ñandú"},
        result=result(outcome, 2),
        termination=outcome.termination if outcome else None,
        comments={random.randrange(len(entries)): comment},
    )


words = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=30)


@given(st.builds(a_record, st.integers(0, 10**9), words, words))
def test_what_is_written_is_read_again(record: Record) -> None:
    text = records.write(record, MANGALA)
    again = records.read(text, registry.get)
    assert again == [record]
    assert differences(MANGALA, again[0]) == []


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    with contextlib.suppress(Unreadable):
        records.read(HEAD + text, registry.get)
