"""Fixtures of letters: a source that says what a test wants, a mail server, processes that know of no trouble."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from notifications import delivery, nudges, sources
from notifications.sources import Rendered, Waiting
from tests.notifications.postoffice import PostOffice, free_port, opened


class Source:
    """A letter source whose letters say what the test wants; `rendered` counts."""

    kinds = ("test",)

    def __init__(self) -> None:
        self.wanted, self.rendered = True, 0
        self.says: Callable[[Waiting], Rendered] = lambda _: Rendered("Привет, Ömer", "Ход за вами.\nSıra sizde.", "<p>Ход.</p>")

    def still_wanted(self, letter: Waiting) -> bool:
        return self.wanted

    def render(self, letter: Waiting) -> Rendered:
        self.rendered += 1
        return self.says(letter)


@pytest.fixture
def source() -> Iterator[Source]:
    source = Source()
    sources.register("test", source)
    yield source
    sources.unregister("test")


@pytest.fixture
def smtp(settings: Any) -> int:
    """Letters go by SMTP to this port, where nobody listens yet."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", free_port(), 5
    return int(settings.EMAIL_PORT)


@pytest.fixture
def office(smtp: int) -> Iterator[PostOffice]:
    with opened(smtp) as office:
        yield office


@pytest.fixture(autouse=True)
def _no_memories() -> Iterator[None]:
    yield
    delivery.server.try_at = nudges.broker.try_at = 0.0
