"""What the guides show is true: the engine plays every example."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import Any

import pytest

from games.rules import record as records
from games.rules import registry

EXAMPLES = {"mangala": 4, "oware": 5}
ROUNDS = {"mangala": "1. 4-6 3-1 2. 5 2", "oware": "1. 6 5 2. 3 2"}
TRANSCRIBED = {"mangala": "1. 40-63 30-15 2. 52 21", "oware": "1. 64 53 2. 32 22"}
LANGUAGES = ("en", "ru", "tr")
MARKER = re.compile(r"^!\[.+\]\(board:(\{.+\})(\S*)\)$", re.MULTILINE)
BLOCK = re.compile(r"^```\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


games = pytest.mark.parametrize("game", sorted(EXAMPLES))
languages = pytest.mark.parametrize("language", LANGUAGES)


def guide(game: str, language: str) -> str:
    folder = resources.files(type(registry.get(game)).__module__)
    return (folder / f"guide.{language}.md").read_text(encoding="utf-8")


def read_diagram(game: str, text: str) -> Any:
    """The position of a diagram from South's side, South to move."""
    _, _, far, stores, near, *_ = text.splitlines()
    north, south = [[int(stones) for stones in re.findall(r"\d+", row)] for row in (far, near)]
    north_store, south_store = (int(stones) for stones in re.findall(r"\d+", stores))
    return registry.get(game).load(
        {
            "south_pits": south,
            "north_pits": north[::-1],
            "south_store": south_store,
            "north_store": north_store,
            "turn": "S",
        }
    )


@games
@languages
def test_the_first_diagram_is_the_start(game: str, language: str) -> None:
    ruleset = registry.get(game)
    assert BLOCK.findall(guide(game, language))[0] == ruleset.diagram(ruleset.view(ruleset.start({}, 2), 0))


@games
@languages
def test_every_example_is_played_by_the_engine_to_the_board_it_shows(game: str, language: str) -> None:
    ruleset = registry.get(game)
    examples = BLOCK.findall(guide(game, language))[1:]
    assert len(examples) == EXAMPLES[game]
    for example in examples:
        before, turn, after = example.split("\n\n")
        position = read_diagram(game, before)
        assert sum(position.holes) == 48
        for ply in ruleset.split(turn):
            assert ruleset.to_move(position) == 0, "all plies of the example are one turn"
            position = ruleset.play(position, ply)
        assert ruleset.to_move(position) != 0
        assert ruleset.diagram(ruleset.view(position, 0)) == after


@games
def test_the_examples_are_the_same_in_every_language(game: str) -> None:
    assert len({tuple(BLOCK.findall(guide(game, language))) for language in LANGUAGES}) == 1


@games
@languages
def test_the_written_rounds_are_turns_of_a_real_game(game: str, language: str) -> None:
    assert f"`{ROUNDS[game]}`" in guide(game, language)
    [record] = records.read(f'[Ruleset "{game}"]\n\n{ROUNDS[game]} *', registry.get)
    assert f"\n{ROUNDS[game]} *\n" in records.write(record, registry.get(game))
    assert f"`{TRANSCRIBED[game]}`" in guide(game, language)
    assert registry.get(game).dialects["mancala"].read(TRANSCRIBED[game]).entries == record.entries


@games
@languages
def test_each_picture_is_of_the_board_that_stands_beside_it_as_text(game: str, language: str) -> None:
    ruleset = registry.get(game)
    marked = MARKER.findall(guide(game, language))
    first, *examples = BLOCK.findall(guide(game, language))
    assert len(marked) == 1 + 2 * len(examples)
    shown = iter(marked)
    assert ruleset.diagram(ruleset.view(ruleset.load(json.loads(next(shown)[0])), 0)) == first
    for example in examples:
        before, turn, _after = example.split("\n\n")
        for sign in ("?", ""):
            written, played = next(shown)
            assert ruleset.load(json.loads(written)) == read_diagram(game, before)
            assert played == f"{sign}{turn}"
