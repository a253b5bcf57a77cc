"""Sprouts: a line is looked for while no game is locked, and what happens meanwhile is told."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.db import connection

from games.models import Game, LogEntry
from games.rules.catalogue.sprouts import laying
from games.rules.position import IllegalMove
from games.services import moves
from games.services.errors import NotYourTurn, StalePosition, TimeIsOver
from games.services.log import Answer
from tests.factories import GameFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.locking]


@pytest.fixture
def game() -> Game:
    laying.laid.cache_clear()
    return GameFactory.create(ruleset="sprouts", options={"n": 3, "misere": False})


def send(game: Game, text: str, *, seat: int = 0, position: int = 2) -> Answer:
    return moves.play_move(game=game.pk, seat=seat, text=text, position_number=position, via="web", key=uuid4().hex)


def kept(game: Game) -> list[str]:
    return [text.partition("/")[0] for text in LogEntry.objects.filter(game=game, kind="move").values_list("text", flat=True)]


def test_a_line_is_looked_for_while_nothing_is_locked(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []

    def seen(*line: object, lay: object = laying.laid) -> object:
        found.append(connection.in_atomic_block)
        return lay(*line)  # type: ignore[operator]

    monkeypatch.setattr(laying, "laid", seen)
    assert send(game, "1(4)2").moved == ("1(4)2",)
    assert found == [False]


def test_a_move_that_was_overtaken_while_its_line_was_looked_for_is_stale(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    lay = laying.laid

    def meanwhile(*line: object) -> object:
        monkeypatch.setattr(laying, "laid", lay)
        send(game, "2(4)3")
        return lay(*line)

    monkeypatch.setattr(laying, "laid", meanwhile)
    with pytest.raises(StalePosition):
        send(game, "1(4)2")
    assert kept(game) == ["2(4)3"]


def test_the_same_move_twice_at_once_is_one_move(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    lay = laying.laid

    def meanwhile(*line: object) -> object:
        monkeypatch.setattr(laying, "laid", lay)
        send(game, "1(4)2")
        return lay(*line)

    monkeypatch.setattr(laying, "laid", meanwhile)
    assert send(game, "2(4)1").same
    assert kept(game) == ["1(4)2"]


def test_nobody_looks_for_the_line_of_a_move_that_cannot_be_played(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object) -> None:
        raise AssertionError("a way was looked for")

    monkeypatch.setattr(laying, "laid", nobody)
    for seat, position, refusal in ((1, 2, NotYourTurn), (0, 1, StalePosition)):
        with pytest.raises(refusal):
            send(game, "1(4)2", seat=seat, position=position)


def test_a_move_that_came_in_time_is_in_time_however_long_its_line_is_looked_for(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.refresh_from_db()
    assert game.deadline is not None
    lay = laying.laid
    with time_machine.travel(game.deadline - timedelta(seconds=1), tick=False) as clock:

        def slowly(*line: object) -> object:
            clock.shift(timedelta(seconds=2))
            return lay(*line)

        monkeypatch.setattr(laying, "laid", slowly)
        assert send(game, "1(4)2").moved == ("1(4)2",)
        clock.shift(timedelta(days=30))
        with pytest.raises(TimeIsOver):
            send(game, "1(5)3", seat=1, position=3)


def test_a_line_for_which_no_room_is_found_is_looked_for_once(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []

    def nowhere(*line: object) -> None:
        looked.append(line)
        raise laying.NotLaid

    monkeypatch.setattr(laying, "laid", nowhere)
    with pytest.raises(IllegalMove, match=r"No room was found to draw 1\(4\)2"):
        send(game, "1(4)2")
    assert len(looked) == 1
    assert kept(game) == []
