"""The page behind the links of a proposal: one press answers it, once."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache

from accounts.models import Player
from games.models import Game, LogEntry
from games.services import proposals
from tests.factories import GameFactory, right
from tests.games.holding import form, look, press

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_guesses_yet() -> None:
    cache.clear()


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    return GameFactory.create(players=[alice, bob])


def proposed(game: Game) -> int:
    """Alice proposes a draw; the number of the entry."""
    proposals.propose(game=game.pk, seat=0, kind="draw", via="web", key=uuid4().hex)
    return LogEntry.objects.get(kind="propose").number


def answer(number: int, given: str, **more: Any) -> dict[str, Any]:
    return {"key": uuid4().hex, "number": number, "answer": given, **more}


def test_a_proposal_is_agreed_to_by_one_press_and_L4_again_is_the_same(game: Game) -> None:
    number = proposed(game)
    token = right(game, seat=1, proposal=number)
    shown = look(token)
    assert "Alice proposes a draw." in shown
    assert shown.count("<button") == 2
    assert look(token, at=number, answer="agree").count("<button") == 1
    for _ in range(2):
        assert "You agreed." in press(token, answer(number, "agree"))
    game.refresh_from_db()
    assert (game.termination, game.ended_at is not None) == ("agreement", True)
    assert LogEntry.objects.get(kind="agree").via == "link"


def test_a_proposal_is_refused_and_the_other_answer_comes_too_late(game: Game) -> None:
    number = proposed(game)
    token = right(game, seat=1, proposal=number)
    assert "You refused." in press(token, answer(number, "refuse"))
    shown = press(token, answer(number, "agree"), status=409)
    assert "no longer waits" in shown
    assert "<button" not in shown
    game.refresh_from_db()
    assert game.ended_at is None


def test_N23_a_proposal_that_was_taken_back_no_longer_waits(game: Game) -> None:
    number = proposed(game)
    token = right(game, seat=1, proposal=number)
    proposals.withdraw(game=game.pk, seat=0, number=number, via="web", key=uuid4().hex)
    assert "This proposal no longer waits for your answer." in look(token)
    press(token, answer(number, "agree"), status=409)


def test_S1_a_right_to_answer_neither_moves_nor_answers_another_proposal(game: Game, bob: Player) -> None:
    number = proposed(game)
    token = right(game, seat=1, proposal=number)
    press(token, form(game, "1"), status=400)
    press(token, answer(number, "withdraw"), status=400)
    press(token, answer(number + 1, "agree"), status=404)
    to_move = right(game)
    press(to_move, answer(number, "agree"), status=400)
    assert set(LogEntry.objects.filter(game=game).values_list("kind", flat=True)) == {"join", "propose"}
