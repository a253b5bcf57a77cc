"""What came after the last move without being one, as the page of a game tells it above the board."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games.models import Game, LogEntry
from games.rules import entry as kinds
from tests.factories import GameFactory, play
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db


def shown(client: Client, game: Game) -> str:
    """The page without the log beside the board."""
    return page(client, "game", game.pk).split('class="so-far"')[0]


def answer(game: Game, proposal: str, given: str, alice: Player, bob: Player) -> None:
    """Alice proposes, Bob answers."""
    of(alice).post(reverse("games:propose", args=[game.pk]), {"kind": proposal, "key": f"{proposal}{given}a"})
    number = LogEntry.objects.filter(game=game, kind=kinds.PROPOSE).latest("number").number
    of(bob).post(reverse("games:answer", args=[game.pk]), {"answer": given, "number": number, "key": f"{proposal}{given}b"})


def test_the_answer_to_a_proposal_stands_there_until_somebody_moves(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1")
    assert "Bob: " not in shown(of(alice), game)
    answer(game, "draw", "refuse", alice, bob)
    for client in (of(alice), of(bob), Client()):
        assert "Bob: refused." in shown(client, game)
    of(alice).post(reverse("games:propose", args=[game.pk]), {"kind": "draw", "key": "again"})
    assert "Bob: refused." not in shown(of(alice), game), "the new proposal is told instead"
    play(game, "1")
    assert "Bob: refused." not in shown(of(alice), game)


def test_a_turn_that_was_taken_back_is_told_to_everybody(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1")
    answer(game, kinds.TAKEBACK, "agree", alice, bob)
    for client in (of(alice), of(bob), Client()):
        assert "Bob: agreed: the turn is taken back." in shown(client, game)


def test_the_past_and_the_end_say_nothing_of_it(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1")
    answer(game, "draw", "refuse", alice, bob)
    first = page(of(alice), "step", game.pk, LogEntry.objects.filter(game=game, kind=kinds.MOVE).get().number)
    assert "Bob: refused." not in first.split('class="so-far"')[0]
    of(alice).post(reverse("games:resign", args=[game.pk]), {"key": "k", "sure": "1"})
    assert "Bob: refused." not in shown(of(alice), game)
