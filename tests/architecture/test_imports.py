"""The contracts of pyproject.toml hold on the house as it stands, and catch who breaks them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parents[2]
ROOTS = ("config", "games", "accounts", "notifications")

PLANTED = [
    ("notifications/outbox.py", "accounts.models"),
    ("notifications/delivery.py", "games.models"),
    ("accounts/views/settings.py", "games.selectors"),
    ("accounts/names.py", "config.settings"),
    ("games/timing.py", "games.models"),
    ("games/drawing/canvas.py", "games.rules.phrase"),
    ("games/speech.py", "games.models"),
    ("games/models/game.py", "games.selectors"),
    ("games/selectors/table.py", "games.services"),
    ("games/letters/table.py", "games.services.moves"),
    ("games/services/moves.py", "games.tasks"),
    ("games/services/challenge.py", "games.views.table"),
    ("games/forms.py", "games.models.game"),
    ("games/tasks.py", "games.models.log"),
    ("games/views/table.py", "games.models"),
    ("games/people.py", "games.models"),
    ("games/services/leaving.py", "games.people"),
    ("accounts/services/erasure.py", "accounts.tasks"),
    ("games/views/lists.py", "games.tasks"),
    ("games/rules/phrase.py", "games.rules.position"),
    ("games/rules/position.py", "games.rules.entry"),
    ("games/rules/entry.py", "games.rules.ruleset"),
    ("games/rules/ruleset.py", "games.rules.registry"),
    ("games/rules/ruleset.py", "games.rules.sowing"),
    ("games/rules/sowing/__init__.py", "games.rules.replay"),
    ("games/rules/sowing/words.py", "games.drawing.canvas"),
    ("games/rules/replay.py", "games.rules.record"),
    ("games/rules/registry.py", "games.rules.catalogue.mangala"),
    ("games/rules/catalogue/mangala/play.py", "games.drawing.canvas"),
    ("games/rules/catalogue/mangala/notation.py", "games.drawing.palette"),
    ("games/rules/catalogue/mangala/notation.py", "games.rules.catalogue.neighbour"),
    ("games/rules/sowing/picture.py", "django.utils.html"),
    ("games/rules/catalogue/mangala/__init__.py", "pathlib"),
    ("games/rules/record.py", "io"),
    ("games/rules/replay.py", "time"),
    ("games/drawing/palette.py", "os"),
    ("games/timing.py", "django.utils.timezone"),
    ("games/rules/evaluation.py", "games.rules.registry"),
    ("games/rules/ruleset.py", "games.rules.evaluation"),
    ("games/timing.py", "games.engines.choice"),
    ("games/engines/choice.py", "games.timing"),
    ("games/engines/choice.py", "time"),
    ("games/engines/alphabeta.py", "pathlib"),
    ("games/engines/levels.py", "django.utils.timezone"),
    ("games/services/log.py", "notifications.models"),
]
STRANGERS = ["games/stranger.py", "games/rules/stranger.py"]


def lint(folder: Path) -> str:
    """What lint-imports says of the house in a folder; "" when it finds nothing."""
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache", "--no-logo"],
        cwd=folder,
        env={**os.environ, "COLUMNS": "300"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout if done.returncode else ""


@pytest.fixture(scope="module")
def found_in_a_planted_house(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the linter says of a copy of the house with every import of PLANTED and two modules that have no place in it."""
    folder = tmp_path_factory.mktemp("house")
    shutil.copy(BASE / "pyproject.toml", folder)
    for root in ROOTS:
        shutil.copytree(BASE / root, folder / root, ignore=lambda _folder, names: [n for n in names if n == "__pycache__"])
    neighbour = folder / "games/rules/catalogue/neighbour"
    neighbour.mkdir()
    for module in ("__init__", "play", "notation"):
        (neighbour / f"{module}.py").touch()
    for file, imported in PLANTED:
        with (folder / file).open("a") as text:
            text.write(f"\ndef planted():\n    import {imported}\n")
    for stranger in STRANGERS:
        (folder / stranger).touch()
    return lint(folder)


def test_the_house_keeps_its_contracts() -> None:
    assert lint(BASE) == ""


@pytest.mark.parametrize(("file", "imported"), PLANTED, ids=[f"{file} imports {imported}" for file, imported in PLANTED])
def test_an_import_that_breaks_a_contract_is_caught(found_in_a_planted_house: str, file: str, imported: str) -> None:
    # The linter folds a foreign package into its first name.
    target = imported if imported.startswith(ROOTS) else imported.partition(".")[0]
    assert re.search(rf"{re.escape(name_of(file))} -> {re.escape(target)} \(l\.\d+", found_in_a_planted_house)


@pytest.mark.parametrize("file", STRANGERS)
def test_a_module_without_a_place_among_the_layers_is_caught(found_in_a_planted_house: str, file: str) -> None:
    assert re.search(rf"^- {re.escape(name_of(file))}$", found_in_a_planted_house, re.MULTILINE)


def name_of(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
