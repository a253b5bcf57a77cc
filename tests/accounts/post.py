"""The post of the tests: delivers what is owed, and opens it."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage

from django.core import mail

from notifications import delivery


def delivered(to: str = "") -> list[EmailMessage]:
    """All letters that were delivered so far, or those to one address."""
    delivery.deliver_waiting()
    letters = [message_from_bytes(one.message().as_bytes(), policy=policy.default) for one in mail.outbox]
    return [letter for letter in letters if to in str(letter["To"])]


def text(letter: EmailMessage, kind: str = "plain") -> str:
    """What a letter says, as plain text or HTML."""
    part = letter.get_body((kind,))
    assert part is not None
    return str(part.get_content())


def link(letter: EmailMessage) -> str:
    """The path that its first link leads to."""
    found = re.search(r"https?://[^/\s]+(/\S+)", text(letter))
    assert found is not None
    return found[1]
