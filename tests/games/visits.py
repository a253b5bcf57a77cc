"""Visits to the pages: who asks, what for, and what comes back."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games.models import Game


def of(player: Player) -> Client:
    """The browser of a player who has logged in."""
    client = Client()
    client.force_login(player)
    return client


def page(client: Client, name: str, *args: Any, status: int = 200, **query: str | list[str]) -> str:
    """What a page says."""
    response = client.get(reverse(f"games:{name}", args=args), query)
    assert response.status_code == status
    return response.content.decode()


def press(client: Client, name: str, game: Game, status: int = 200, **data: Any) -> str:
    """What is said after a button of a game's page, as it was sent with a fresh key, is pressed."""
    sent = {"key": uuid4().hex, "position": game.position_number, **data}
    response = client.post(reverse(f"games:{name}", args=[game.pk]), sent, follow=True)
    assert response.status_code == status
    return response.content.decode()


def body(response: Any) -> str:
    """What a page says, without what differs each time."""
    return re.sub(r'nonce="[^"]*"', "", response.content.decode())
