"""Whoever holds a link of a letter: what its page shows, and what its button sends."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.test import Client
from django.urls import reverse

from games.models import Game, LogEntry


def path(token: str) -> str:
    return reverse("games:right", args=[token])


def look(token: str, *, client: Client | None = None, status: int = 200, **query: Any) -> str:
    response = (client or Client()).get(path(token), query)
    assert response.status_code == status
    return _told(response)


def form(game: Game, text: str, **given: Any) -> dict[str, Any]:
    """What the button of the page sends."""
    return {"key": uuid4().hex, "position": game.position_number, "move": text, **given}


def press(token: str, sent: dict[str, Any], *, client: Client | None = None, status: int = 200) -> str:
    response = (client or Client()).post(path(token), sent, follow=True)
    assert response.status_code == status, response.content.decode()
    return _told(response)


def _told(response: Any) -> str:
    """The page without the menu above it."""
    return str(response.content.decode().partition("<main")[2])


def plies(game: Game) -> list[tuple[str, str]]:
    return list(LogEntry.objects.filter(game=game, kind="move").values_list("text", "via"))
