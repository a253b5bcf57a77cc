"""The ten lines of the README, with which anybody checks the luck of a record."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from games.models import Game
from games.rules import record as records
from games.rules import registry
from games.rules.replay import differences
from games.rules.ruleset import AnyRuleset
from games.services import adjudicate
from tests.factories import GameFactory, ModeratorFactory, PlayerFactory, play
from tests.games.test_luck import BASE, finish, offer, record

pytestmark = pytest.mark.django_db


def checked(written: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What the ten lines of the README say of a record."""
    readme = (BASE / "README.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", readme.partition("## Checking the luck")[2].partition("\n## ")[0], re.DOTALL)
    assert len([line for line in code.splitlines() if line]) == 10
    script, file = folder / "check.py", folder / "game.game"
    script.write_text(code, encoding="utf-8")
    file.write_text(written, encoding="utf-8")
    return subprocess.run([sys.executable, "-I", script, file], capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("toy")
def test_anybody_checks_the_record_with_the_ten_lines_of_the_readme(tmp_path: Path) -> None:
    table: Game = GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="toy", begins="lot", options={"rounds": 1})
    offer(table)
    play(table, "refuse")
    finish(Game.objects.get(pk=table.pk))
    whole, run = record(table), partial(checked, folder=tmp_path)
    done = run(whole)
    assert (done.returncode, done.stderr) == (0, "")
    before, fell, after = whole.rpartition("<chance ")
    other = "2" if after[0] == "1" else "1"
    assert "draw 7" in run(before + fell + other + after[1:]).stderr
    before, shown, after = whole.rpartition("<reveal ")
    other = "1" if after[0] == "0" else "0"
    assert "another seed" in run(before + shown + other + after[1:]).stderr
    last_draw = max(re.findall(r"<chance [^>]+>", whole), key=whole.rindex)
    forged = "<chance 2>" if last_draw.startswith("<chance 1") else "<chance 1>"
    for hidden in (forged, forged.replace("<", "< ")):
        assert run(whole.replace(last_draw, hidden)).returncode, "what fell is told without what could have fallen"
    assert run(whole.replace("<commit ", "<chance 1> <commit ", 1)).returncode, "something fell before the commitment"
    for without in (re.sub("<(commit|reveal) [^>]+>", "", whole), re.sub("<reveal [^>]+>", "", whole)):
        assert "no seed, or another seed" in run(without).stderr
    assert run(re.sub("<reveal [^>]+>", "<reveal lost>", whole)).returncode, "the seed is lost"


def test_names_and_reasons_that_look_like_entries_do_not_confuse_who_checks_a_record(toy: AnyRuleset, tmp_path: Path) -> None:
    names = ("<commit 1", '[Game "7"]', "<reveal 1")
    players = [PlayerFactory.create(display_name=name) for name in names]
    game = GameFactory.create(players=players, ruleset="toy", begins="lot")
    reason = "<commit 1> } <chance 1> <reveal 0>"
    adjudicate.adjudicate(game=game.pk, by=ModeratorFactory.create(), verdict="draw", reason=reason, head=game.head, key="a")
    done = checked(record(game), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    [read] = records.read(record(game), registry.get)
    assert differences(toy, read) == []
