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
BY_ANY_RULES = {"resignation", "aborted"}
WITHOUT_FORFEITS = {"rainbow"}
"""Games in which nobody loses on time."""


@pytest.mark.parametrize("name", ["mangala_first25", "mangala_playout", "oware_A", "oware_B", "oware_C"])
def test_a_hundred_reference_games_are_played_without_a_difference(name: str) -> None:
    ruleset = registry.get(name.partition("_")[0])
    reference = ruleset.dialects["reference"]
    lines = (REFERENCE / f"{name}.jsonl").read_text().splitlines()
    games = [reference.read(line) for line in lines if reference.reads(line)]
    assert len(games) == 100
    assert [differences(ruleset, game) for game in games] == [[]] * 100
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
    forfeits = {"time_forfeit"} if name not in WITHOUT_FORFEITS else set()
    assert {record.termination for record in bundled(name)} == own | agreed | BY_ANY_RULES | forfeits


def test_the_records_of_mangala_hold_a_draw_and_a_win_of_either_seat() -> None:
    outcomes = [play_record(registry.get("mangala"), record).outcome for record in bundled("mangala")]
    decided = {outcome.points[0] for outcome in outcomes if isinstance(outcome, Outcome) and outcome.termination == "side_empty"}
    assert {str(points) for points in decided} >= {"0", "1/2"}
    assert {record.result for record in bundled("mangala")} == {"1-0", "0-1", "1/2-1/2", "*"}


def test_the_records_of_oware_hold_a_division_by_agreement_and_half_a_stone() -> None:
    oware = registry.get("oware")
    divided = [record for record in bundled("oware") if any(one.text == "divide" for one in record.entries)]
    assert [record.termination for record in divided] == ["agreement"]
    scores = {str(score) for record in bundled("oware") for score in oware.scores(play_record(oware, record).position)}
    assert {"47/2", "49/2"} <= scores
    assert {record.result for record in bundled("oware")} == {"1-0", "0-1", "1/2-1/2", "*"}
