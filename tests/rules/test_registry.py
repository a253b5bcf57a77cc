"""The registry: games are found, not listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.rules import catalogue, registry
from games.rules.catalogue import mangala
from tests.toy import TOY


def test_every_folder_of_the_catalogue_is_a_game_by_its_name() -> None:
    folders = {
        folder.parent.name for folder in Path(catalogue.__path__[0]).glob("*/__init__.py") if "RULESET" in folder.read_text()
    }
    assert set(registry.names()) == folders
    assert registry.get("mangala") is mangala.RULESET


def test_an_unknown_name_is_answered_with_those_that_exist() -> None:
    with pytest.raises(registry.UnknownRuleset, match=r"no ruleset called 'chess'; there are .*mangala"):
        registry.get("chess")


def test_a_game_from_elsewhere_can_be_added_and_taken_back() -> None:
    before = registry.names()
    registry.register(TOY)
    try:
        assert registry.get("toy") is TOY
        assert registry.names() == tuple(sorted((*before, "toy")))
    finally:
        registry.unregister("toy")
    assert registry.names() == before
