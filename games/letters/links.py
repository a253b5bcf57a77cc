"""The addresses behind links in letters. A token is the authority of its holder: it belongs into the letter and nowhere else."""

from __future__ import annotations

from typing import Final, Literal

from django.conf import settings
from django.urls import reverse
from django.utils.http import urlencode

FOOT: Final = "notifications/letters/foot.txt"
"""What ends the text of a letter to a player; the HTML has it where it is given `letters_url`."""


def letters() -> str:
    """The page on which a player chooses which letters come."""
    return f"{settings.SITE_URL}{reverse('accounts:letters')}"


def mine() -> str:
    """The list of a player's games."""
    return f"{settings.SITE_URL}{reverse('games:mine')}"


def game(number: int) -> str:
    """The page of a game."""
    return f"{settings.SITE_URL}{reverse('games:game', args=[number])}"


def challenge(number: int) -> str:
    """The page of a challenge."""
    return f"{settings.SITE_URL}{reverse('games:challenge', args=[number])}"


def invitation(token: str) -> str:
    """The page on which an invited address answers."""
    return f"{settings.SITE_URL}{reverse('games:invitation', args=[token])}"


def page(token: str) -> str:
    """The page of a right: the board and what may be chosen."""
    return f"{settings.SITE_URL}{reverse('games:right', args=[token])}"


def move(token: str, position_number: int, text: str) -> str:
    """The page that asks whether to play these plies, meant for the position of this number."""
    return f"{page(token)}?{urlencode([('at', position_number), ('move', text)])}"


def answer(token: str, number: int, given: Literal["agree", "refuse"]) -> str:
    """The page that asks whether to answer the proposal of entry `number` so."""
    return f"{page(token)}?{urlencode([('at', number), ('answer', given)])}"
