"""What mancala players write: the pits where a ply begins and ends, and what was captured so far."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.rules import record as records
from games.rules import registry
from games.rules.entry import Unreadable
from games.rules.replay import differences
from games.rules.ruleset import Dialect
from tests.rules.references import REFERENCE

OWARE, MANGALA = registry.get("oware"), registry.get("mangala")
OWARES, MANGALAS = OWARE.dialects["mancala"], MANGALA.dialects["mancala"]


def moves(dialect: Dialect, text: str) -> list[str]:
    return [entry.text for entry in dialect.read(text).entries]


def test_a_ply_is_its_pit_and_the_pit_of_the_last_stone() -> None:
    assert moves(OWARES, "1. 64 64 2. 16 21") == ["6", "6", "1", "2"]
    assert moves(MANGALAS, "62 62") == ["6", "6"]


def test_0_is_an_end_in_the_own_store_and_a_turn_of_several_plies_is_joined() -> None:
    assert moves(MANGALAS, "1. 40-63 30-15") == ["4", "6", "3", "1"]
    assert moves(MANGALAS, "40 63 30 15") == ["4", "6", "3", "1"], "or not"


@pytest.mark.parametrize("text", ["1. 64 64 2. 16 21", "64 64\n16 21", "1.64 64 2...16 21", "  64\t64   16 21  "])
def test_numbers_of_rounds_and_blanks_are_for_the_eye(text: str) -> None:
    assert OWARES.reads(text)
    assert moves(OWARES, text) == ["6", "6", "1", "2"]


def test_how_far_four_stones_go_tells_the_games_apart() -> None:
    assert OWARES.reads("64 64")
    assert not MANGALAS.reads("64 64")
    assert MANGALAS.reads("62 64")
    assert not OWARES.reads("62 64")
    for text in ("", "6", "1. e4 e5", "{}", "[Ruleset", "0 4", "1-0", "(20)"):
        assert not OWARES.reads(text)
        assert not MANGALAS.reads(text)


@pytest.mark.parametrize("name", ["mangala_first25", "mangala_playout", "oware_A", "oware_B", "oware_C"])
def test_reference_games_are_written_and_read_back(name: str) -> None:
    ruleset = registry.get(name.partition("_")[0])
    reference, players = ruleset.dialects["reference"], ruleset.dialects["mancala"]
    for line in (REFERENCE / f"{name}.jsonl").read_text().splitlines()[:20]:
        game = reference.read(line)
        written = players.write(game)
        assert players.reads(written)
        again = players.read(written)
        assert [entry.text for entry in again.entries] == [entry.text for entry in game.entries]
        assert again.result == game.result
        assert differences(ruleset, again) == []


def test_an_option_that_is_not_the_usual_one_is_written_and_read() -> None:
    game = OWARE.dialects["reference"].read((REFERENCE / "oware_C.jsonl").read_text().splitlines()[0])
    written = OWARES.write(game)
    assert written.startswith("grand_slam=takes_all 1. 26 ")
    assert OWARES.read(written).options == {"grand_slam": "takes_all"}
    usual = replace(game, options={"grand_slam": "no_capture"}, entries=game.entries[:2], result="*")
    assert OWARES.write(usual) == "1. 26 53 *"


def captures(name: str) -> tuple[str, int]:
    """A transcript up to its first total, and that total."""
    game = OWARE.dialects["reference"].read((REFERENCE / name).read_text().splitlines()[0])
    before, total, _ = OWARES.write(replace(game, options={}, result=None)).partition(")")
    return before.rpartition(" (")[0], int(before.rpartition("(")[2] + total.removesuffix(")"))


def test_a_total_is_all_that_the_player_has_captured_so_far() -> None:
    text, total = captures("oware_B.jsonl")
    assert total in (2, 3, 4, 5, 6)
    for written in (f"{text} ({total})", f"{text}({total})", text):
        assert moves(OWARES, written) == moves(OWARES, text)


@pytest.mark.parametrize(
    ("text", "why", "column"),
    [
        ("1. 64 64 2. 15 21", r"ply 3 \(15\) ends in 6, not in 5", 13),
        ("1. 64 64 2. 16 22", r"ply 4 \(22\) ends in 1, not in 2", 16),
        ("64 (3)", r"the total after ply 1 is 0, not 3", 4),
        ("64(3)", r"the total after ply 1 is 0, not 3", 1),
        ("64 64 60", r"ply 3 \(60\): Pit 6 is empty", 7),
        ("64 7", r"ply 2 \(7\) does not name two pits", 4),
        ("64 77", r"ply 2 \(77\) does not name two pits", 4),
        ("64 64 1-0 15", r"'15' comes after the result", 11),
        ("64 grand_slam=forbidden", r"ply 2 \(grand_slam=forbidden\) does not name two pits", 4),
        ("grand_slam=never 64", r"The option “grand_slam” cannot be “never”", 18),
        ("stones=5 64", r"Oware has no option “stones”", 10),
        ("(0) 64", r"the total after ply 0 is nothing, not 0", 1),
    ],
)
def test_what_is_wrong_is_named_with_its_ply_and_place(text: str, why: str, column: int) -> None:
    with pytest.raises(Unreadable, match=why) as refused:
        OWARES.read(text)
    assert (refused.value.line, refused.value.column) == (1, column)


def test_a_wrong_end_in_a_store_is_named() -> None:
    with pytest.raises(Unreadable, match=r"ply 2 \(60\) ends in 3, not in 0"):
        MANGALAS.read("1. 40-60")


def test_a_place_is_counted_in_its_line() -> None:
    with pytest.raises(Unreadable) as refused:
        OWARES.read("1. 64 64\n2. 16 22")
    assert (refused.value.line, refused.value.column) == (2, 7)


def test_what_is_no_move_has_no_place_in_a_transcript() -> None:
    [resigned] = records.read('[Ruleset "oware"]\n\n1. 6 <resign 2> 1-0', registry.get)
    with pytest.raises(ValueError, match="nothing but moves"):
        OWARES.write(resigned)


RECORD = """[Ruleset "oware"]
[Options "grand_slam=takes_all"]
[South "Ama"]

{before} 1. 64 64 {two plies} 2. 16 {one} {more} <propose 1 divide> <refuse 2 4> 21 *
"""


def test_records_may_be_written_so_with_tags_comments_and_whatever_else_happened() -> None:
    [record] = records.read(RECORD, registry.get)
    assert [entry.text for entry in record.entries] == ["6", "6", "1", "divide", "4", "2"]
    assert record.comments == {0: "before", 2: "two plies", 3: "one more"}
    assert record.tags == {"South": "Ama"}
    assert differences(OWARE, record) == []
    assert "1. 6 6 {two plies} 2. 1" in records.write(record, OWARE)


def test_totals_are_no_entries_of_a_record() -> None:
    text, total = captures("oware_B.jsonl")
    [record] = records.read(f'[Ruleset "oware"]\n\n{text} ({total}) {{a capture}} *', registry.get)
    assert [entry.number for entry in record.entries] == list(range(1, len(record.entries) + 1))
    assert record.comments == {len(record.entries): "a capture"}
    with pytest.raises(Unreadable, match=rf"line 3, column .*: the total after ply {len(record.entries)} is {total}, not 9"):
        records.read(f'[Ruleset "oware"]\n\n{text} (9) *', registry.get)


def test_a_wrong_end_in_a_record_is_named_with_its_line_and_column() -> None:
    with pytest.raises(Unreadable, match=r"line 6, column 1: ply 4 \(22\) ends in 1, not in 2"):
        records.read(RECORD.replace("21 *", "\n22 *"), registry.get)
    with pytest.raises(Unreadable, match=r"cannot be “never”"):
        records.read(RECORD.replace("takes_all", "never"), registry.get)
