"""Fixtures that many tests share: the people of the examples, the toy ruleset, a database that forgets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management.commands import flush
from django.db import connections
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker

from accounts import append_only
from accounts.models import Player
from config import messages
from games.rules import registry
from games.rules.ruleset import AnyRuleset
from tests.factories import PlayerFactory
from tests.games.races import Racers
from tests.toy import OPEN_TOY, TOY

CALM = [
    HealthCheck.too_slow,
    HealthCheck.function_scoped_fixture,
    HealthCheck.filter_too_much,
    HealthCheck.differing_executors,  # the contract suite is one class that every ruleset's class inherits
]
# Always the same examples: whoever changes something else does not meet one that nobody has seen. Soak looks for those.
hypothesis_settings.register_profile(
    "short", max_examples=25, stateful_step_count=15, deadline=None, derandomize=True, suppress_health_check=CALM
)
hypothesis_settings.register_profile("soak", max_examples=600, stateful_step_count=40, deadline=None, suppress_health_check=CALM)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))


def pytest_configure(config: pytest.Config) -> None:
    """Compiles the translations, once for all workers."""
    if not hasattr(config, "workerinput"):
        messages.compile_all()


@pytest.fixture(scope="session", autouse=True)
def _flush_lifts_the_triggers() -> Iterator[None]:
    """The log refuses deletion; a test that empties its tables may. The table of the cache, which counts against limits, is no
    model's: it would be left over for other tests."""
    original = flush.Command.handle

    def handle(self: flush.Command, **options: Any) -> None:
        with append_only.lifted(connections[options["database"]]):
            original(self, **options)
        cache.clear()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flush.Command, "handle", handle)
        yield


@pytest.fixture(autouse=True)
def _quick_settings(settings: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No hashed file names, passwords that are hashed quickly, and no mark of what other tests took for the present."""
    settings.HIGH_WATER = tmp_path_factory.getbasetemp() / uuid4().hex
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Every test begins in English, whatever the last visitor spoke."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _static_root() -> None:
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)


@pytest.fixture
def alice(db: None) -> Player:
    return PlayerFactory.create(email="alice@example.org", display_name="Alice")


@pytest.fixture
def bob(db: None) -> Player:
    return PlayerFactory.create(email="bob@example.org", display_name="Bob")


@pytest.fixture
def charlie(db: None) -> Player:
    return PlayerFactory.create(email="charlie@example.org", display_name="Charlie")


@pytest.fixture(scope="session")
def racers(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Racers]:
    """Four, for all races of a process."""
    with django_db_blocker.unblock():
        racers = Racers(4)
    yield racers
    racers.close()


@pytest.fixture
def toy() -> Iterator[AnyRuleset]:
    """The toy ruleset, registered while the test runs."""
    registry.register(TOY)
    yield TOY
    registry.unregister(TOY.facts.name)


@pytest.fixture
def open_toy() -> Iterator[AnyRuleset]:
    """The toy with open hands, registered while the test runs."""
    registry.register(OPEN_TOY)
    yield OPEN_TOY
    registry.unregister(OPEN_TOY.facts.name)
