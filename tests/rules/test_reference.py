"""Games that others played: the reference games, and a record of every way to end a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.rules import catalogue, registry
from games.rules import record as records
from games.rules.entry import Record
from games.rules.position import Outcome
from games.rules.replay import differences, play_record
from tests.rules.references import REFERENCE

CATALOGUE = Path(catalogue.__path__[0])
BY_ANY_RULES = {"resignation", "aborted", "time_forfeit"}


@pytest.mark.parametrize("name", ["mangala_first25", "mangala_playout"])
def test_a_hundred_reference_games_are_played_without_a_difference(name: str) -> None:
    mangala = registry.get("mangala")
    reference = mangala.dialects["reference"]
    lines = (REFERENCE / f"{name}.jsonl").read_text().splitlines()
    games = [reference.read(line) for line in lines if reference.reads(line)]
    assert len(games) == 100
    assert [differences(mangala, game) for game in games] == [[]] * 100
    assert [reference.read(reference.write(game)) for game in games] == games


def bundled(name: str) -> list[Record]:
    files = sorted((CATALOGUE / name / "records").glob("*.game"))
    return [record for file in files for record in records.read(file.read_text(encoding="utf-8"), registry.get)]


@pytest.mark.parametrize("name", registry.names())
def test_every_bundled_record_is_played_without_a_difference(name: str) -> None:
    ruleset = registry.get(name)
    for record in bundled(name):
        assert record.version == ruleset.facts.version
        assert differences(ruleset, record) == []


@pytest.mark.parametrize("name", registry.names())
def test_every_way_to_end_a_game_has_a_record(name: str) -> None:
    ruleset = registry.get(name)
    agreed = {"agreement"} if ruleset.proposals(ruleset.start({}, ruleset.facts.seats[0])) else set()
    own = set(ruleset.facts.terminations or {})
    assert {record.termination for record in bundled(name)} == own | agreed | BY_ANY_RULES


def test_the_records_of_mangala_hold_a_draw_and_a_win_of_either_seat() -> None:
    outcomes = [play_record(registry.get("mangala"), record).outcome for record in bundled("mangala")]
    decided = {outcome.points[0] for outcome in outcomes if isinstance(outcome, Outcome) and outcome.termination == "side_empty"}
    assert {str(points) for points in decided} >= {"0", "1/2"}
    assert {record.result for record in bundled("mangala")} == {"1-0", "0-1", "1/2-1/2", "*"}
