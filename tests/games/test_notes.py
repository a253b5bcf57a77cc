"""Notes: what I write down about a game for myself alone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from accounts.services import erasure
from accounts.services.export import export_of
from games.models import Game, Note
from games.services import messages
from games.services.errors import Gone
from tests.accounts.test_export import data
from tests.factories import GameFactory, MessageFactory, NoteFactory
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    made: Game = GameFactory.create(players=[alice, bob])
    return made


def test_I_write_a_note_change_it_and_empty_it(game: Game, alice: Player) -> None:
    assert "Your note is saved." in press(of(alice), "note", game, note="Beware of pit 3.")
    assert "Beware of pit 3.</textarea>" in page(of(alice), "game", game.pk)
    press(of(alice), "note", game, note="No: of pit 4.")
    assert Note.objects.get().text == "No: of pit 4."
    press(of(alice), "note", game, note="  ")
    assert not Note.objects.exists()


def test_nobody_else_sees_it(game: Game, alice: Player, bob: Player, charlie: Player) -> None:
    NoteFactory.create(game=game, player=alice, text="Bob always takes pit 3.")
    for client in (of(bob), of(charlie), Client()):
        assert "Bob always takes" not in page(client, "game", game.pk)


def test_a_form_without_a_note_empties_none(game: Game, alice: Player) -> None:
    press(of(alice), "note", game, note="Beware of pit 3.")
    press(of(alice), "note", game, status=400)
    assert "Beware of pit 3." in page(of(alice), "game", game.pk)


def test_only_who_plays_has_notes(game: Game, charlie: Player) -> None:
    assert reverse("games:note", args=[game.pk]) not in page(of(charlie), "game", game.pk)
    press(of(charlie), "note", game, status=404, note="Interesting")
    with pytest.raises(Gone):
        messages.keep_note(game=game.pk + 1, player=charlie, text="Interesting")


def test_a_note_that_is_too_long_is_told_and_not_lost(game: Game, alice: Player) -> None:
    said = press(of(alice), "note", game, status=400, note="x" * 5001)
    assert "A note has at most 5000 characters." in said
    assert "x" * 5001 in said


def test_a_note_is_inert(game: Game, alice: Player) -> None:
    NoteFactory.create(game=game, player=alice, text="</textarea><script>")
    assert "&lt;/textarea&gt;&lt;script&gt;</textarea>" in page(of(alice), "game", game.pk)


def test_S12_I_take_along_my_notes_and_messages_and_nobody_elses(game: Game, alice: Player, bob: Player) -> None:
    NoteFactory.create(game=game, player=alice, text="mine")
    NoteFactory.create(game=game, player=bob, text="his")
    MessageFactory.create(game=game, text="I said")
    MessageFactory.create(game=game, seat=1, text="he said")
    packed = export_of(player=alice)
    assert data(packed, "notes.json") == [{"game": game.pk, "text": "mine"}]
    [said] = data(packed, "messages.json")
    assert (said["game"], said["entry"], said["text"]) == (game.pk, None, "I said")


@pytest.mark.django_db(transaction=True)
def test_S11_notes_go_with_their_writer(game: Game, alice: Player, bob: Player) -> None:
    NoteFactory.create(game=game, player=alice)
    NoteFactory.create(game=game, player=bob, text="alice plays fast")
    erasure.ask_erasure(player=alice)
    erasure.erase(player_id=alice.pk)
    assert [one.text for one in Note.objects.all()] == ["… plays fast"]
