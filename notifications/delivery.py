"""Delivery: claims a letter, asks whether it is still wanted, renders it, hands it to the mail server.

1. One conditional update takes a letter that is due; its row count decides which worker won. It also sets the time at which
   the letter counts as lost with its worker (R2): whoever comes then takes it in the same way.
2. The source says whether it is still wanted, its reader's preferences whether it goes now, later or not at all, and what is
   known of the address whether it is worth trying. At the first attempt it is rendered, and the MIME kept.
3. The mail server takes it, outside every transaction; only then is it marked as sent. What it refuses for good marks the
   address, or is an alarm when it is we who are to blame.

So a letter goes out at least once, always with the same Message-ID and the same MIME (R10).
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.contrib.auth.models import AbstractBaseUser
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop

from notifications import acts, answers, bounces, holds, leaving, preferences, return_path, sources
from notifications.message import StoredMessage, write
from notifications.models import Bounce, Letter, LetterQuerySet
from notifications.nudges import nudge

logger = logging.getLogger(__name__)
alarm = logging.getLogger("notifications.alarm")

BACK_OFF: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720, 1440, 1440, 1440))
"""The waits after the first, second, ... attempt that failed; after the last wait, so has the letter: in four days."""
LOST: Final = timedelta(minutes=5)
"""A letter in flight for so long went down with its worker. Longer than all time-outs of one SMTP session together."""
PAUSE: Final = 15.0
"""Seconds for which a process leaves a mail server alone that it could not reach."""
BATCH: Final = 200


@dataclass(slots=True)
class MailServer:
    """What this process knows of the mail server: when to try it again, on the monotonic clock."""

    try_at: float = 0.0


server: Final = MailServer()


def deliver(key: str) -> bool:
    """Delivers one letter if it is due; whether it was sent."""
    return _deliver_all(_due().filter(key=key)) == 1


def deliver_waiting(limit: int = BATCH) -> int:
    """Delivers what is due, the longest owed first, over one connection; how many were sent."""
    return _deliver_all(_due().order_by("due_at")[:limit])


class CannotTryAgain(Exception):
    """The letter has not failed, is no longer wanted, or cannot be written a second time: why, in English, to be translated."""


def try_again(*, letter_id: int, by: AbstractBaseUser | None) -> None:
    """Queues a letter that failed, written anew, with all its attempts. `by` None is whoever has the command line.

    Raises CannotTryAgain.
    """
    letter = Letter.objects.select_related("recipient").filter(pk=letter_id, state=Letter.State.FAILED).first()
    if letter is None:
        raise CannotTryAgain(gettext_noop("it has not failed"))
    if not sources.is_known(letter.source):
        raise CannotTryAgain(gettext_noop("another version of the program wrote it"))
    if not destination(letter) or not is_wanted(letter):
        raise CannotTryAgain(gettext_noop("it is no longer wanted"))
    mark = bounces.mark_of(destination(letter))
    if mark is not None and bounces.keeps_back(mark, letter, timezone.now()):
        raise CannotTryAgain(gettext_noop("its address bounces: say first that letters may go there again"))
    try:
        mime = written(letter)
    except Exception as problem:
        raise CannotTryAgain(gettext_noop("it cannot be written again")) from problem
    queued = {"state": Letter.State.QUEUED, "due_at": timezone.now(), "attempts": 0, "reason": "", "mime": mime}
    with transaction.atomic():
        if not Letter.objects.filter(pk=letter_id, state=Letter.State.FAILED).update(**queued):
            raise CannotTryAgain(gettext_noop("it has not failed"))
        acts.record(actor=by, act="try_again", subject="letter", subject_id=letter_id)
        transaction.on_commit(lambda: nudge("notifications.deliver", letter.key), robust=True)


def _due() -> LetterQuerySet:
    return Letter.objects.due(timezone.now()).filter(sources.known(), holds.free())


def _deliver_all(letters: LetterQuerySet) -> int:
    if monotonic() < server.try_at or holds.is_held():
        return 0
    due = list(letters.values_list("pk", flat=True))
    sent = 0
    line = get_connection()
    try:
        for number in due:
            if not _reached(line):
                break
            sent += _deliver(number, line)
    finally:
        _hang_up(line)
    return sent


def _reached(line: BaseEmailBackend) -> bool:
    """Whether the mail server answers on this line. A server that is away is no letter's fault: it costs none an attempt."""
    try:
        line.open()
    except OSError as problem:
        server.try_at = monotonic() + PAUSE
        logger.error("the mail server cannot be reached, the letters wait: %s", answers.in_words(problem))
        return False
    return True


def _hang_up(line: BaseEmailBackend) -> None:
    with suppress(OSError):
        line.close()


def _deliver(pk: int, line: BaseEmailBackend) -> bool:
    letter = _claim(pk)
    if letter is None:
        return False
    address = destination(letter)
    try:
        mark = bounces.mark_of(address)
        if not _is_to_go(letter, mark) or not _keep_mime(letter):
            return False
        sender = return_path.of(letter.pk, address)
        message = StoredMessage(bytes(letter.mime), sender=sender, recipient=address, connection=line)
        if line.send_messages([message]) != 1:
            raise RuntimeError("the mail backend took nothing")
    except Exception as problem:  # noqa: BLE001 - whatever is wrong with this letter, the others go on
        if isinstance(problem, OSError):
            _hang_up(line)
        _put_off(letter, problem)
        return False
    # Accepted is accepted, even if it took so long that another worker has taken the letter over.
    done = {"state": Letter.State.SENT, "sent_at": timezone.now(), "due_at": None, "mime": b"", "reason": ""}
    preferences.sent(letter)
    Letter.objects.filter(pk=letter.pk).update(**done)
    if mark is not None:
        bounces.accepted(mark)
    return True


def _claim(pk: int) -> Letter | None:
    """The letter, if this call is the one that took it."""
    now = timezone.now()
    # Durable: inside somebody's transaction, his locks would be held while we talk to the mail server.
    with transaction.atomic(durable=True):
        taken = (
            Letter.objects.due(now)
            .filter(pk=pk)
            .update(state=Letter.State.IN_FLIGHT, due_at=now + LOST, attempts=F("attempts") + 1)
        )
    return Letter.objects.select_related("recipient__preference").get(pk=pk) if taken else None


def _is_to_go(letter: Letter, mark: Bounce | None) -> bool:
    """Whether the letter is to go out; if not, it is closed."""
    if letter.attempts > len(BACK_OFF) + 1:
        logger.error("letter %s failed: it was lost with its worker each time", letter.key)
        _close(letter, Letter.State.FAILED, gettext_noop("it was lost with its worker each time"))
    elif not destination(letter):
        _close(letter, Letter.State.DROPPED, gettext_noop("there is nobody to write to"))
    elif not is_wanted(letter):
        _close(letter, Letter.State.DROPPED, gettext_noop("it is no longer wanted"))
    elif _as_its_reader_wishes(letter):
        return _may_arrive(letter, mark)
    return False


def _as_its_reader_wishes(letter: Letter) -> bool:
    """Whether the letter is to go out now; if not, it is closed or waits, which counts as no attempt."""
    verdict = preferences.verdict(letter, _waiting(letter), timezone.now())
    if verdict.dropped:
        _close(letter, Letter.State.DROPPED, verdict.dropped)
    elif verdict.held is not None:
        _hold(letter, verdict.held, verdict.why)
    else:
        return True
    return False


def _may_arrive(letter: Letter, mark: Bounce | None) -> bool:
    """Whether the address is worth trying; if not, the letter is closed."""
    now = timezone.now()
    if mark is None:
        return True
    if bounces.outlived(mark, now):
        bounces.works(mark.address)
    elif bounces.keeps_back(mark, letter, now):
        _close(letter, Letter.State.DROPPED, bounces.BOUNCES)
        return False
    return True


def _hold(letter: Letter, until: datetime, why: str) -> None:
    state = Letter.State.WAITING if letter.mime else Letter.State.QUEUED
    _held(letter).update(state=state, due_at=until, attempts=F("attempts") - 1, reason=why)


def _keep_mime(letter: Letter) -> bool:
    """Renders a letter that never was; False when it took so long that another worker has taken the letter over."""
    if letter.mime:
        return True
    letter.mime = written(letter)
    return bool(_held(letter).update(mime=letter.mime))


def is_wanted(letter: Letter) -> bool:
    """Whether it is still true."""
    return sources.find(letter.source).still_wanted(_waiting(letter))


def written(letter: Letter) -> bytes:
    """The MIME as of now."""
    rendered = sources.find(letter.source).render(_waiting(letter))
    headers = {**rendered.headers, **leaving.headers_for(letter)}
    return write(replace(rendered, headers=headers), recipient=destination(letter), message_id=letter.message_id)


def _waiting(letter: Letter) -> sources.Waiting:
    return sources.Waiting(letter.key, letter.kind, letter.about, letter.recipient, letter.created_at)


def destination(letter: Letter) -> str:
    """The address to write to; empty for a player who is gone."""
    recipient: AbstractBaseUser | None = letter.recipient
    if recipient is None:
        return letter.address
    return str(getattr(recipient, recipient.get_email_field_name())) if recipient.is_active else ""


def _put_off(letter: Letter, problem: Exception) -> None:
    reason = answers.in_words(problem)
    told = answers.without_addresses(reason)
    if answers.is_final(problem):
        _refused(letter, problem, told)
        _close(letter, Letter.State.FAILED, reason)
    elif letter.attempts > len(BACK_OFF):
        logger.error("letter %s failed: %s", letter.key, told)
        _close(letter, Letter.State.FAILED, reason)
    else:
        logger.warning("letter %s waits: %s", letter.key, told)
        wait = BACK_OFF[letter.attempts - 1]
        _held(letter).update(state=Letter.State.WAITING, due_at=timezone.now() + wait, reason=reason)


def _refused(letter: Letter, problem: Exception, told: str) -> None:
    if answers.blames_the_address(problem):
        logger.error("letter %s failed, its address is marked: %s", letter.key, told)
        bounces.mark(destination(letter), reason=answers.in_words(problem), returned=False)
    else:
        alarm.error("letter %s was refused for what it is or who we are; look whether others are: %s", letter.key, told)


def _close(letter: Letter, state: Letter.State, reason: str) -> None:
    _held(letter).update(state=state, due_at=None, mime=b"", reason=reason)


def _held(letter: Letter) -> LetterQuerySet:
    """The letter's row while it is in flight by this very attempt."""
    return Letter.objects.filter(pk=letter.pk, state=Letter.State.IN_FLIGHT, attempts=letter.attempts)
