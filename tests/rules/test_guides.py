"""What the guides show is true: the engine plays every example."""

from __future__ import annotations

import json
import re
from importlib import resources

import pytest

from games.rules import record as records
from games.rules import registry
from games.rules.catalogue import mangala
from games.rules.catalogue.mangala.play import MangalaPosition, MangalaView
from games.rules.ruleset import Ruleset

MANGALA: Ruleset[MangalaPosition, MangalaView] = registry.get("mangala")
LANGUAGES = ("en", "ru", "tr")
ROUNDS = "1. 4-6 3-1 2. 5 2"
MARKER = re.compile(r"^!\[.+\]\(board:(\{.+\})(\S*)\)$", re.MULTILINE)
BLOCK = re.compile(r"^```\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


def guide(language: str) -> str:
    return (resources.files(mangala) / f"guide.{language}.md").read_text(encoding="utf-8")


def read_diagram(text: str) -> MangalaPosition:
    """The position of a diagram from South's side, South to move."""
    _, _, far, stores, near, *_ = text.splitlines()
    north, south = [[int(stones) for stones in re.findall(r"\d+", row)] for row in (far, near)]
    north_store, south_store = (int(stones) for stones in re.findall(r"\d+", stores))
    return MANGALA.load(
        {
            "south_pits": south,
            "north_pits": north[::-1],
            "south_store": south_store,
            "north_store": north_store,
            "turn": "S",
        }
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_diagram_is_the_start(language: str) -> None:
    start = MANGALA.view(MANGALA.start({}, 2), 0)
    assert BLOCK.findall(guide(language))[0] == MANGALA.diagram(start)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_example_is_played_by_the_engine_to_the_board_it_shows(language: str) -> None:
    examples = BLOCK.findall(guide(language))[1:]
    assert len(examples) == 4
    for example in examples:
        before, turn, after = example.split("\n\n")
        position = read_diagram(before)
        assert sum(position.holes) == 48
        for ply in MANGALA.split(turn):
            assert MANGALA.to_move(position) == 0, "all plies of the example are one turn"
            position = MANGALA.play(position, ply)
        assert MANGALA.to_move(position) != 0
        assert MANGALA.diagram(MANGALA.view(position, 0)) == after


def test_the_examples_are_the_same_in_every_language() -> None:
    assert len({tuple(BLOCK.findall(guide(language))) for language in LANGUAGES}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_written_rounds_are_turns_of_a_real_game(language: str) -> None:
    assert f"`{ROUNDS}`" in guide(language)
    [record] = records.read(f'[Ruleset "mangala"]\n\n{ROUNDS} *', registry.get)
    assert f"\n{ROUNDS} *\n" in records.write(record, MANGALA)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_picture_is_of_the_board_that_stands_beside_it_as_text(language: str) -> None:
    marked = MARKER.findall(guide(language))
    first, *examples = BLOCK.findall(guide(language))
    assert len(marked) == 1 + 2 * len(examples)
    shown = iter(marked)
    assert MANGALA.diagram(MANGALA.view(MANGALA.load(json.loads(next(shown)[0])), 0)) == first
    for example in examples:
        before, turn, _after = example.split("\n\n")
        for sign in ("?", ""):
            written, played = next(shown)
            assert MANGALA.load(json.loads(written)) == read_diagram(before)
            assert played == f"{sign}{turn}"
