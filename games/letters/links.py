"""The addresses behind links in letters. A token is the authority of its holder: it belongs into the letter and nowhere else."""

from __future__ import annotations

from typing import Literal

from django.conf import settings
from django.urls import reverse
from django.utils.http import urlencode


def page(token: str) -> str:
    """The page of a right: the board and what may be chosen."""
    return f"{settings.SITE_URL}{reverse('games:right', args=[token])}"


def move(token: str, position_number: int, text: str) -> str:
    """The page that asks whether to play these plies, meant for the position of this number."""
    return f"{page(token)}?{urlencode([('at', position_number), ('move', text)])}"


def answer(token: str, number: int, given: Literal["agree", "refuse"]) -> str:
    """The page that asks whether to answer the proposal of entry `number` so."""
    return f"{page(token)}?{urlencode([('at', number), ('answer', given)])}"
