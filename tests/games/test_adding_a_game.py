"""Adding a game is adding a folder: a toy is copied into a catalogue as the README says, and is played like any other."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games import selectors
from games.models import Challenge, Game
from games.rules import catalogue, registry
from games.rules import record as records
from games.rules.replay import differences, play_record
from games.selectors import showcase
from games.services.check import differences as differences_of_all
from tests.games.postbag import sent, text
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db

MODEL = Path(__file__).resolve().parents[1] / "nim"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the new game, in a second place of the catalogue; nothing else in the project knows of it."""
    added = tmp_path / "catalogue" / "nim"
    shutil.copytree(MODEL, added)
    monkeypatch.setattr(catalogue, "__path__", [*catalogue.__path__, str(added.parent)])
    registry.look_again()
    yield added
    monkeypatch.undo()
    registry.look_again()
    showcase._moments.cache_clear()
    showcase._shown.cache_clear()
    del sys.modules[f"{catalogue.__name__}.nim"]


@pytest.fixture
def game(folder: Path, alice: Player, bob: Player) -> Game:
    """Challenged by the form, accepted by the button."""
    terms = {"option_heap": "9", "reflection": "86400", "begins": "challenger", "public": "on", "key": "k", "opponent": "Bob"}
    of(alice).post(reverse("games:challenge_new") + "?game=nim", terms)
    challenge = Challenge.objects.get()
    assert (challenge.ruleset, challenge.options) == ("nim", {"heap": 9})
    of(bob).post(reverse("games:accept", args=[challenge.pk]))
    return Game.objects.get()


def test_it_is_found_and_every_bundled_record_is_played_without_a_difference(folder: Path) -> None:
    nim = registry.get("nim")
    assert type(nim).__module__ == "games.rules.catalogue.nim"
    assert Path(str(sys.modules[type(nim).__module__].__file__)).parent == folder
    bundled = [record for file in (folder / "records").iterdir() for record in records.read(file.read_text(), registry.get)]
    assert [differences(nim, record) for record in bundled] == [[]] * 4
    assert {record.termination for record in bundled} == {"last_stone", "resignation", "time_forfeit", "aborted"}


def test_it_is_offered_shown_and_explained(folder: Path, alice: Player) -> None:
    assert 'id="nim"' in page(Client(), "home")
    assert len(Client().get(reverse("games:showcase", args=["nim"])).json()["steps"]) == 6
    assert "whoever takes the last one wins" in page(Client(), "rules_index")
    assert "<svg" in page(Client(), "rules", "nim")
    assert "выигрывает" in Client().get(reverse("games:rules", args=["nim"]), headers={"accept-language": "ru"}).content.decode()
    assert 'href="?game=nim"' in page(of(alice), "challenge_new")
    assert "The heap" in page(of(alice), "challenge_new", game="nim")


def test_seats_without_titles_and_records_of_more_than_moves_are_shown_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nim = registry.get("nim")
    monkeypatch.setattr(type(nim), "facts", replace(nim.facts, seat_titles=(), showcase="time_forfeit"))
    _, *moves = selectors.record_shown("nim")
    assert [(one.number, one.who, one.moved) for one in moves] == [(1, "Seat 1", "1"), (2, "Seat 2", "3"), (3, "Seat 1", "1")]


def test_it_is_played_by_pages_and_letters_to_its_end(game: Game, alice: Player, bob: Player) -> None:
    seen = page(of(alice), "game", game.pk)
    assert "<strong>2:</strong> you take 2<" in seen
    assert "The heap holds 9 stones. It is your turn." in seen
    assert "The heap holds 7 stones." in page(of(alice), "game", game.pk, move="2")
    press(of(alice), "move", game, move="1")
    game.refresh_from_db()
    [letter] = [one for one in sent() if one["To"] == bob.email]
    for told in ("First player takes 1 stone.", "oooooooo"):
        assert told in text(letter)
    assert "Nim" in letter["Subject"]
    for player, move in ((bob, "3"), (alice, "1"), (bob, "2")):
        press(of(player), "move", game, move=move)
        game.refresh_from_db()
    assert "is not 1, 2 or 3" in press(of(alice), "move", game, status=400, move="7")
    assert "There are not so many stones." in press(of(alice), "move", game, status=400, move="3")
    press(of(alice), "move", game, move="2")
    game.refresh_from_db()
    assert (game.termination, game.result) == ("last_stone", "1-0")
    assert "Alice won (the last stone is taken)." in page(of(bob), "game", game.pk)
    assert "Alice won (the last stone is taken)." in text(sent()[-1])


def test_its_record_is_downloaded_replayed_and_counted(game: Game, alice: Player) -> None:
    press(of(alice), "move", game, move="2")
    [record] = records.read(page(Client(), "record", game.pk), registry.get)
    assert play_record(registry.get("nim"), record).position.stones == 7
    assert [found for _, found in differences_of_all()] == [[]]
    told = StringIO()
    call_command("perft", "nim", "2", stdout=told)
    assert told.getvalue().splitlines() == ["depth 1: 3 (ended 0)", "depth 2: 9 (ended 0)"]


def test_afterwards_nobody_knows_it() -> None:
    assert "nim" not in registry.names()
    page(Client(), "rules", "nim", status=404)
