"""Fixtures that many tests share: the people of the examples."""

from __future__ import annotations

import pytest

from accounts.models import Player
from tests.factories import PlayerFactory


@pytest.fixture
def alice(db: None) -> Player:
    return PlayerFactory.create(email="alice@example.org", display_name="Alice")


@pytest.fixture
def bob(db: None) -> Player:
    return PlayerFactory.create(email="bob@example.org", display_name="Bob")


@pytest.fixture
def charlie(db: None) -> Player:
    return PlayerFactory.create(email="charlie@example.org", display_name="Charlie")
