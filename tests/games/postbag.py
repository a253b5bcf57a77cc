"""Letters in tests: those that go out, what they say, where they lead."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage

from django.core import mail

from accounts.models import Player
from games.models import Challenge
from notifications import delivery
from tests.factories import ChallengeFactory

DAN = "dan@example.org"
"""The address of a stranger."""


def sent() -> list[EmailMessage]:
    """The letters that went out just now."""
    mail.outbox.clear()
    delivery.deliver_waiting()
    return [message_from_bytes(one.message().as_bytes(), policy=policy.default) for one in mail.outbox]


def text(message: EmailMessage, kind: str = "plain") -> str:
    """What a letter says, as plain text or HTML."""
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content())


def path_in(letter: EmailMessage) -> str:
    """The path of the one address in a letter, beside that of the page on which its reader chooses letters."""
    [found] = {*re.findall(r"http://localhost:8000(/\S+)", text(letter))} - {"/accounts/letters/"}
    return str(found)


def invite(challenger: Player, address: str = DAN) -> Challenge:
    """An invitation whose letter is owed."""
    return ChallengeFactory.create(challenger=challenger, address=address)


def link(challenger: Player, address: str = DAN) -> str:
    """The path that the letter of a new invitation links to."""
    invite(challenger, address)
    [letter] = [one for one in sent() if one["To"] == address]
    return path_in(letter)
