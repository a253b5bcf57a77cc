"""`manage.py replay`: every difference named with its place, the count last, the exit status for scripts."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.services import check
from tests.rules.references import REFERENCE

LINE: dict[str, Any] = json.loads((REFERENCE / "mangala_first25.jsonl").read_text().splitlines()[0])
RECORD = '[Ruleset "mangala"]\n[Options "end=first25"]\n[South "Ayşe"]\n\n1. 4-6 3 2. 1 5-2 *\n'


def replay(*arguments: object) -> tuple[list[str], int]:
    out = StringIO()
    try:
        call_command("replay", *map(str, arguments), stdout=out)
    except SystemExit as stop:
        return out.getvalue().splitlines(), int(stop.code or 0)
    return out.getvalue().splitlines(), 0


def written(folder: Path, content: str | bytes, name: str = "games") -> Path:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def spoiled(**change: Any) -> str:
    return json.dumps({**LINE, **change})


def test_the_reference_games_are_played_without_a_mismatch() -> None:
    names = ("mangala_first25", "mangala_playout", "oware_A", "oware_B", "oware_C")
    assert replay(*(REFERENCE / f"{name}.jsonl" for name in names)) == (["500 games, 0 mismatches"], 0)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (spoiled(result="0-1"), "the result is 1-0, not 0-1"),
        (spoiled(end="side_empty"), "the termination is over24, not side_empty"),
        (spoiled(final={**LINE["final"], "south_store": 26}), "south_store at the end is 27, not 26"),
        (spoiled(options={"end": "playout"}), "the result is *, not 1-0"),
        (spoiled(options={"end": "never"}), "The option “end” cannot be “never”."),
        (spoiled(options={"stones": 5}), "Mangala has no option “stones”."),
        (spoiled(moves=[*LINE["moves"], "1"], movers=LINE["movers"] + "N"), "entry 28 (move) comes after the end"),
        (spoiled(moves=["2", "9"], movers="SN"), "refuse entry 2 (9): “9” is not a pit"),
        (spoiled(moves=["1"] * 5, movers="SNSNS"), "refuse entry 5 (1): Pit 1 is empty."),
        (spoiled(movers="N" + LINE["movers"][1:]), "entry 1 (move) belongs to seat 0, not to seat 1"),
        (spoiled(movers="S"), "movers is not a letter, S or N, for each move"),
        (spoiled(moves="464"), "moves is not a list of texts"),
        (spoiled(result=None), "result is not a text"),
        (spoiled(final=[]), "final is not an object"),
        (spoiled(game="chess"), "there is no ruleset called 'chess'"),
        (spoiled(game=["mangala"]), "not a game of mangala"),
        (json.dumps(LINE)[:-1], f"column {len(json.dumps(LINE))}: not JSON"),
        ("[" * 100_000, "a tag is not written"),
        ("{" + '"mangala":[' * 100_000, "not JSON"),
        ("1. e4 e5", "no ruleset reads this line"),
        ((REFERENCE / "hand_cases.jsonl").read_text().splitlines()[0], "moves is not a list of texts"),
    ],
)
def test_a_line_that_disagrees_is_a_mismatch_with_its_reason(tmp_path: Path, line: str, why: str) -> None:
    said, status = replay(written(tmp_path, line))
    assert why in said[0]
    assert said[-1] == "1 games, 1 mismatches"
    assert status == 1


def test_what_mancala_players_write_is_played(tmp_path: Path) -> None:
    one_a_line = "# Oware, then Mangala\n64 64 16 21 *\ngrand_slam=takes_all 64 64 16 21\n40-63 30-15 *\n"
    assert replay(written(tmp_path, one_a_line)) == (["3 games, 0 mismatches"], 0)
    one_over_many = "1. 64 64\n\n2. 16 21\n# a word on the side\n3. 33 *\n1. 64 64\n2. 16 21"
    assert replay(written(tmp_path, one_over_many)) == (["2 games, 0 mismatches"], 0)
    with_tags = '[Ruleset "oware"]\n[Options "grand_slam=forbidden"]\n\n1. 64 64 2. 16 21 *\n\n' + RECORD
    assert replay(written(tmp_path, with_tags)) == (["2 games, 0 mismatches"], 0)


def test_what_mancala_players_write_wrongly_is_named_with_its_ply_and_line(tmp_path: Path) -> None:
    file = written(tmp_path, "# Oware\n1. 64 64\n# here\n2. 15 21\n1. 64 (4) 64\n")
    assert replay(file) == (
        [
            f"{file}:4: column 4: ply 3 (15) ends in 6, not in 5",
            f"{file}:5: column 7: the total after ply 1 is 0, not 4",
            "2 games, 2 mismatches",
        ],
        1,
    )
    file = written(tmp_path, '[Ruleset "oware"]\n\n1. 64 64 2. 15 *')
    assert replay(file)[0][0] == f"{file}: line 3, column 13: ply 3 (15) ends in 6, not in 5"
    assert replay(written(tmp_path, "64 64 1-0"))[0][0].endswith(":1: the result is *, not 1-0")


def test_every_difference_of_a_game_is_a_line_and_the_game_counts_once(tmp_path: Path) -> None:
    lines = [json.dumps(LINE), spoiled(result="0-1", end="side_empty"), json.dumps(LINE)]
    file = written(tmp_path, "\n".join(lines))
    assert replay(file) == (
        [
            f"{file}:2: the result is 1-0, not 0-1",
            f"{file}:2: the termination is over24, not side_empty",
            "3 games, 1 mismatches",
        ],
        1,
    )


def test_marks_of_other_systems_blank_lines_and_comment_lines_do_not_matter(tmp_path: Path) -> None:
    lines = "\ufeff# games of a match\r\n\r\n" + json.dumps(LINE) + "\r\n  # the second\r\n" + spoiled(id="\u2028") + "\r\n\r\n"
    assert replay(written(tmp_path, lines)) == (["2 games, 0 mismatches"], 0)
    records = "\ufeff# games of a match\r\n\r\n" + (RECORD + "\n" + RECORD).replace("\n", "\r\n")
    assert replay(written(tmp_path, records)) == (["2 games, 0 mismatches"], 0)


def test_a_line_is_counted_from_the_beginning_of_the_file(tmp_path: Path) -> None:
    lines = written(tmp_path, "# one\n\n" + spoiled(result="0-1"))
    assert replay(lines)[0][0].startswith(f"{lines}:3: ")
    record = written(tmp_path, "# one\n\n" + RECORD.replace("*", "<dance> *"))
    assert replay(record)[0][0] == f"{record}: line 7, column 19: there is no entry called 'dance'"


def test_a_record_is_compared_with_what_it_claims(tmp_path: Path) -> None:
    claims = '[Result "1-0"]\n[Termination "over24"]\n[Final "{\\"south_store\\": 25}"]\n'
    file = written(tmp_path, claims + RECORD.replace("*", "1-0"))
    assert replay(file) == (
        [
            f"{file}, game 1: the result is *, not 1-0",
            f"{file}, game 1: the termination is None, not over24",
            f"{file}, game 1: south_store at the end is 3, not 25",
            "1 games, 1 mismatches",
        ],
        1,
    )


def test_records_before_an_unreadable_one_are_played(tmp_path: Path) -> None:
    file = written(tmp_path, RECORD + RECORD + '[Ruleset "chess"]\n\n1. e4 *')
    said, status = replay(file)
    assert said == [f"{file}: line 11, column 1: there is no ruleset called 'chess'", "3 games, 1 mismatches"]
    assert status == 1


def test_a_record_of_other_rules_is_a_mismatch(tmp_path: Path) -> None:
    said, _ = replay(written(tmp_path, '[Version "2"]\n' + RECORD))
    assert said[0].endswith("version 2 of mangala; the rules are version 1")


def test_a_file_of_other_bytes_is_a_mismatch(tmp_path: Path) -> None:
    said, status = replay(written(tmp_path, b"\xff\xfe\x00"))
    assert "not UTF-8" in said[0]
    assert (said[-1], status) == ("1 games, 1 mismatches", 1)


def test_what_cannot_be_opened_and_what_to_name_are_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="name files to replay, or --check"):
        call_command("replay")
    with pytest.raises(CommandError, match="name files to replay, or --check"):
        call_command("replay", "--check", "games.game")
    with pytest.raises(CommandError, match="No such file"):
        call_command("replay", str(tmp_path / "none.game"))


def test_a_number_of_a_seat_without_end_is_a_mismatch_with_its_place(tmp_path: Path) -> None:
    said, status = replay(written(tmp_path, RECORD.replace("*", f"<resign {'9' * 5000}> *")))
    assert "line 5, column 19: <resign> names no seat from 1 to 2" in said[0]
    assert status == 1


def test_what_cannot_be_encoded_is_spelled_out(tmp_path: Path) -> None:
    file = written(tmp_path, '{"game": "\\ud800"}\n')
    with (tmp_path / "out").open("w", encoding="ascii") as out, pytest.raises(SystemExit):
        call_command("replay", str(file), stdout=out)
    assert "\\ud800" in (tmp_path / "out").read_text(encoding="ascii")


def test_the_games_of_the_database_are_counted_likewise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "differences", lambda: iter([(3, []), (4, ["to_move is 0, not 1"])]))
    assert replay("--check") == (["game 4: to_move is 0, not 1", "2 games, 1 mismatches"], 1)
