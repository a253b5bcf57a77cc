"""Answers of mail servers: whether a refusal is for good, and whether it is about the address or about us (R11).

By RFC 5321 a code of 500 and above is final. What it is about is said by the enhanced status (RFC 3463), `5.1.1`, where a server
sends one: 5.1 and 5.2 are the address and its mailbox, 5.6 and 5.7 the message and those who sent it.
"""

from __future__ import annotations

import re
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPResponseException
from typing import Final

from notifications.masking import masked
from notifications.message import one_line

STATUS: Final = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
ADDRESS: Final = re.compile(r"[^\s<>\"':;,()]+@[^\s<>\"':;,()]+")
ABOUT_THE_ADDRESS: Final = frozenset({521, 550, 551, 552, 553, 556})
"""Codes at RCPT that say so without an enhanced status."""
ABOUT_US: Final = frozenset({6, 7})
MAILBOX: Final = frozenset({1, 2})
TOO_LONG: Final = (5, 2, 3)
"""A message that is too long for the mailbox says nothing of other ones."""


def is_final(problem: Exception) -> bool:
    """Whether the mail server refused this recipient or this message for good, by a code of 500 and above.

    A refused sender is our own mistake, to be mended within the days that the letter waits.
    """
    if isinstance(problem, SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in problem.recipients.values())
    return isinstance(problem, SMTPDataError) and problem.smtp_code >= 500


def blames_the_address(problem: Exception) -> bool:
    """Whether a final refusal says that no letter reaches this address. After the message was sent, only a clear status does:
    servers refuse contents there."""
    status = status_of(in_words(problem))
    if isinstance(problem, SMTPDataError):
        return status is not None and is_about_the_mailbox(status)
    if not isinstance(problem, SMTPRecipientsRefused):
        return False
    [code] = {code for code, _ in problem.recipients.values()} or {0}
    if status is None:
        return code in ABOUT_THE_ADDRESS
    return is_about_the_mailbox(status) or (code in ABOUT_THE_ADDRESS and status[1] not in ABOUT_US and status != TOO_LONG)


def status_of(text: str) -> tuple[int, int, int] | None:
    """The first enhanced status in a text; None if there is none."""
    found = STATUS.search(text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def is_about_the_mailbox(status: tuple[int, int, int]) -> bool:
    """Whether a status says for good that there is no such mailbox, or that it takes nothing."""
    return status[0] == 5 and status[1] in MAILBOX and status != TOO_LONG


def in_words(problem: Exception) -> str:
    """The server's own words, or the error's, as one line of at most 500 characters. A filter of spam may name the address that
    it dislikes: whoever reads its words gets no link that plays."""
    if isinstance(problem, SMTPRecipientsRefused):
        answers: list[tuple[int, bytes | str]] = list(problem.recipients.values())
    elif isinstance(problem, SMTPResponseException):
        answers = [(problem.smtp_code, problem.smtp_error)]
    else:
        return shortened(f"{type(problem).__name__}: {problem}")
    words = [f"{code} {said.decode('utf-8', 'replace') if isinstance(said, bytes) else said}" for code, said in answers]
    return shortened("; ".join(words))


def shortened(text: str) -> str:
    """What somebody else says of a letter, as it is kept: one line of at most 500 characters, without tokens."""
    return masked(one_line(text))[:500]


def without_addresses(text: str) -> str:
    """The text as a log may hold it: servers like to repeat the address that they refuse."""
    return ADDRESS.sub("…", text)
