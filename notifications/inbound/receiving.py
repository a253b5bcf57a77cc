"""Receiving: what follows from a message that came to a return path.

A report that a letter did not arrive fails the letter, and marks the address if it is that of its reader. Nothing here is ever
taken for an answer to a letter, nothing is answered, and the same report again changes nothing (M1, M20).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.db import transaction

from notifications import answers, bounces, preferences, return_path
from notifications.delivery import destination
from notifications.inbound import raw
from notifications.inbound.reports import Fate, Kind, Report, kind_of, report_in
from notifications.models import Letter

logger = logging.getLogger(__name__)
alarm = logging.getLogger("notifications.alarm")

OK: Final = 0
UNAVAILABLE: Final = 69
TEMPORARY: Final = 75
"""Exit codes of sysexits.h: the mail server drops, sends back, or tries again."""
MOST: Final = 20
"""Return paths that are looked up for one message: each costs a query, and anybody may write thousands."""
OURS: Final = ("delivered-to", "x-original-to", "to")
"""Headers that may hold the return path to which a message came."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a message was taken: an exit code for the mail server, and words for its log, which name no address."""

    code: int
    words: str


def receive(message: bytes, recipients: Sequence[str] = ()) -> Outcome:
    """Takes a message that came to these addresses. Whatever is in it, only the database can raise an error."""
    read = raw.read(message)
    kind = kind_of(read)
    to = [*recipients, *(value for name in OURS for value in read.all(name))]
    if kind is Kind.REPORT:
        report = report_in(read)
        return Outcome(OK, _take(report, [*to, *report.return_paths]))
    if kind is Kind.AUTOMATIC:
        return Outcome(OK, "an automatic message: ignored")
    # Only who had a letter hears of it: whatever else comes here has a sender that it invented.
    if any(_letter_of(token) is not None for token in _tokens(to)):
        return Outcome(UNAVAILABLE, "This address takes reports of mail servers only. Nobody reads what is sent to it.")
    return Outcome(OK, "neither a report nor for a letter of ours: ignored")


def _take(report: Report, to: Iterable[str]) -> str:
    letter, is_readers = _meant(report, to)
    if letter is None:
        return "a report on no letter of ours: ignored"
    if report.fate is Fate.ARRIVED:
        return f"letter {letter.key} arrived"
    address = destination(letter)
    status = answers.status_of(report.status)
    if report.fate is Fate.LATE:
        if is_readers:
            bounces.count_delay(address)
        return f"letter {letter.key} is late: counted"
    reason = answers.shortened(f"came back: {report.status} {report.words}")
    told = answers.without_addresses(reason)
    with transaction.atomic():
        if not _fail(letter, reason):
            return f"letter {letter.key}: known already"
        preferences.came_back(letter)
        if not is_readers:
            logger.warning("letter %s failed, its reader has another address by now: %s", letter.key, told)
            return f"letter {letter.key} failed; the address is its reader's no more"
        if status is not None and status[0] == 4:
            bounces.count_delay(address)
            logger.error("letter %s failed, it was late for too long: %s", letter.key, told)
            return f"letter {letter.key} failed, its address may work later: counted"
        if status is not None and status[1] in answers.ABOUT_US:
            alarm.error("letter %s came back for what it is or who we are; look whether others do: %s", letter.key, told)
            return f"letter {letter.key} failed, not for its address"
        bounces.mark(address, reason=reason, returned=True)
    logger.error("letter %s failed, its address is marked: %s", letter.key, told)
    return f"letter {letter.key} failed, its address is marked"


def _fail(letter: Letter, reason: str) -> bool:
    """Whether the report is news. A letter that is being tried again, because the line broke, is not touched."""
    if letter.state in (Letter.State.IN_FLIGHT, Letter.State.WAITING):
        return True
    sent = Letter.objects.filter(pk=letter.pk, state=Letter.State.SENT)
    return bool(sent.update(state=Letter.State.FAILED, reason=reason))


def _meant(report: Report, to: Iterable[str]) -> tuple[Letter | None, bool]:
    """The letter that a report is about, and whether it went to the address that is its reader's now.

    The token tells although a provider wrote another Message-ID (M21), the Message-ID although RETURN_PATH was unset.
    """
    for token in _tokens(to):
        if (letter := _letter_of(token)) is not None:
            return letter, True
    found = Letter.objects.select_related("recipient").filter(message_id__in=report.message_ids).first()
    return found, found is not None and destination(found).lower() in report.addresses


def _tokens(texts: Iterable[str]) -> list[return_path.Token]:
    return list(islice((token for text in texts for token in return_path.find(text)), MOST))


def _letter_of(token: return_path.Token) -> Letter | None:
    """The letter of a token that we made, for the address that is its reader's now."""
    letter = Letter.objects.select_related("recipient").filter(pk=token.letter).first()
    return letter if letter is not None and token.is_of(destination(letter)) else None
