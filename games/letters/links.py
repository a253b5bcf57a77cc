"""The addresses behind links in letters. A token is the authority of its holder: it belongs into the letter and nowhere else."""

from __future__ import annotations

from typing import Literal

from django.conf import settings
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from notifications.sources import Waiting


def page(token: str) -> str:
    """The page of a right: the board and what may be chosen."""
    return f"{settings.SITE_URL}{reverse('games:right', args=[token])}"


def move(token: str, position_number: int, text: str) -> str:
    """The page that asks whether to play these plies, meant for the position of this number."""
    return f"{page(token)}?{urlencode([('at', position_number), ('move', text)])}"


def answer(token: str, number: int, given: Literal["agree", "refuse"]) -> str:
    """The page that asks whether to answer the proposal of entry `number` so."""
    return f"{page(token)}?{urlencode([('at', number), ('answer', given)])}"


def wishes(letter: Waiting) -> str:
    """The page on which its reader chooses which letters come; none for a letter that nobody may choose about."""
    return f"{settings.SITE_URL}{reverse('accounts:letters')}" if letter.may_be_left else ""


def below(text: str, wishes: str) -> str:
    """A text letter with that page below it, if there is one."""
    return f"{text.rstrip()}\n\n{_('Choose which letters you get')}:\n{wishes}\n" if wishes else text
