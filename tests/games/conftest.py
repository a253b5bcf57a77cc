"""Fixtures that tests of rulings and of the desk share: a game that has begun, and Charlie as the one who rules."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.models import Player
from games.models import Game
from tests.factories import GameFactory, let_rule


@pytest.fixture
def charlie_rules(charlie: Player) -> Player:
    """Charlie is a moderator: for `usefixtures` of a whole file."""
    return let_rule(charlie)


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    """Alice is to move, both have completed a turn; a day for each."""
    return GameFactory.create(players=[alice, bob], plies="1 1", reflection=timedelta(days=1))
