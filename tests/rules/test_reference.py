"""Reference games, records of every ending, and perft tables go through the commands."""

from __future__ import annotations

import json
import os
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.rules import catalogue, registry
from games.rules import record as records
from games.rules.perft import perft

REFERENCE = Path(os.environ.get("REFERENCE_DIR", Path(__file__).parent / "reference"))
CATALOGUE = Path(catalogue.__path__[0])
PERFT = json.loads((REFERENCE / "perft.json").read_text())
MANY = 60_000


def replay(*files: Path) -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("replay", *map(str, files), stdout=out)
    except SystemExit as stop:
        return out.getvalue(), int(stop.code or 0)
    return out.getvalue(), 0


@pytest.mark.parametrize("name", ["mangala_first25", "mangala_playout"])
def test_a_hundred_reference_games_replay_without_a_difference(name: str) -> None:
    said, status = replay(REFERENCE / f"{name}.jsonl")
    assert said.splitlines()[-1] == "100 games, 0 mismatches"
    assert status == 0


def test_every_bundled_record_replays_and_every_ending_has_one() -> None:
    for name in registry.names():
        folder = CATALOGUE / name / "records"
        endings = set()
        for path in sorted(folder.glob("*.game")):
            said, status = replay(path)
            assert status == 0, said
            endings |= {one.termination for one in records.read(path.read_text(), registry.get)}
        own = set(registry.get(name).facts.terminations or {})
        assert endings >= own | {"resignation", "agreement", "aborted", "time_forfeit"}


def spoiled(**change: Any) -> str:
    line = json.loads((REFERENCE / "mangala_first25.jsonl").read_text().splitlines()[0])
    return json.dumps({**line, **change})


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (spoiled(result="0-1"), "the result is 1-0, not 0-1"),
        (spoiled(end="side_empty"), "the termination is over24, not side_empty"),
        (spoiled(moves=["9"], movers="S"), "is not a pit"),
        (spoiled(movers="N" * 27), "belongs to seat 0"),
        (spoiled(moves="x"), "moves is not a list of texts"),
        (spoiled(game="chess"), "there is no ruleset called 'chess'"),
        ("1. e4 e5", "no ruleset reads this line"),
    ],
)
def test_a_line_that_disagrees_is_a_mismatch_with_its_reason(tmp_path: Path, line: str, why: str) -> None:
    file = tmp_path / "one.jsonl"
    file.write_bytes(b"\xef\xbb\xbf# a comment\r\n\r\n" + line.encode() + b"\r\n")
    said, status = replay(file)
    assert why in said
    assert said.splitlines()[-1] == "1 games, 1 mismatches"
    assert status == 1


def test_replay_says_what_to_name_and_which_file_it_cannot_open(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="name files"):
        call_command("replay")
    with pytest.raises(CommandError, match="No such file"):
        call_command("replay", str(tmp_path / "none.game"))


def test_a_file_of_other_bytes_is_a_mismatch(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    said, status = replay(tmp_path / "bytes")
    assert "not UTF-8" in said
    assert status == 1


@pytest.mark.parametrize("known", PERFT, ids=[f"{one['game']} {one['variant']} {one['name']}" for one in PERFT])
def test_perft(known: dict[str, Any]) -> None:
    if known["game"] not in registry.names():
        pytest.fail(f"there is no {known['game']} to count")
    ruleset = registry.get(known["game"])
    position = ruleset.load({**known, "end": known["variant"]})
    for row in known["perft"]:
        if row["leaves"] <= MANY:
            assert perft(ruleset, position, row["depth"]) == (row["leaves"], row["ended"])


@pytest.mark.soak
@pytest.mark.parametrize("known", PERFT, ids=[f"{one['game']} {one['variant']} {one['name']}" for one in PERFT])
def test_perft_as_deep_as_patience_goes(known: dict[str, Any]) -> None:
    ruleset = registry.get(known["game"])
    position = ruleset.load({**known, "end": known["variant"]})
    for row in known["perft"]:
        if row["leaves"] <= 8_000_000:
            assert perft(ruleset, position, row["depth"]) == (row["leaves"], row["ended"])


def test_the_perft_command_counts_from_a_position_with_an_option() -> None:
    out = StringIO()
    known = next(one for one in PERFT if one["name"] == "M4" and one["variant"] == "first25")
    call_command("perft", "mangala", "2", "--option", "end=first25", "--position", json.dumps(known), stdout=out)
    assert out.getvalue().splitlines() == ["depth 1: 2 (ended 2)", "depth 2: 0 (ended 0)"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("chess", "1"),
        ("mangala", "1", "--option", "end=never"),
        ("mangala", "1", "--option", "end"),
        ("mangala", "1", "--option", "x=1"),
    ],
)
def test_perft_refuses_what_does_not_exist(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        call_command("perft", *arguments)


@pytest.mark.parametrize("position", ["{", "[]", '{"turn": "S"}'])
def test_perft_refuses_a_position_that_is_none(position: str) -> None:
    with pytest.raises(CommandError):
        call_command("perft", "mangala", "1", "--position", position)
