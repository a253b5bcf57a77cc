"""Delivery: claims a letter, asks whether it is still wanted, renders it, hands it to the mail server.

Each step is its own short transaction; rendering and SMTP happen outside every lock. A letter goes out at least once, always
with the same Message-ID and, from its first attempt on, the same MIME.
"""

from __future__ import annotations

import logging
import smtplib
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F
from django.utils import timezone

from notifications import sources
from notifications.models import Letter
from notifications.sent import StoredMessage

logger = logging.getLogger(__name__)

BACK_OFF: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720))
"""The waits after the first, second, ... failed attempt; the last one repeats."""
LOST: Final = timedelta(minutes=5)
"""A letter in flight for so long went down with its worker (R2)."""
GIVE_UP: Final = timedelta(days=4)
TO_DO: Final = (Letter.State.QUEUED, Letter.State.WAITING, Letter.State.IN_FLIGHT)


def deliver(key: str) -> bool:
    """Delivers one letter if it is due; whether it was sent."""
    letter = Letter.objects.filter(key=key).values_list("pk", flat=True).first()
    return letter is not None and _deliver(letter, get_connection())


def deliver_waiting(limit: int = 200) -> int:
    """Delivers what is due, the longest owed first; how many were sent."""
    due = list(
        Letter.objects.filter(state__in=TO_DO, due_at__lte=timezone.now()).order_by("due_at").values_list("pk", flat=True)[:limit]
    )
    if not due:
        return 0
    connection = get_connection()
    try:
        return sum(_deliver(letter, connection) for letter in due)
    finally:
        connection.close()


def _claim(letter: int) -> Letter | None:
    """The letter, if this call was the one that took it: the row count of one conditional update decides."""
    now = timezone.now()
    claimed = Letter.objects.filter(pk=letter, state__in=TO_DO, due_at__lte=now).update(
        state=Letter.State.IN_FLIGHT, due_at=now + LOST, attempts=F("attempts") + 1
    )
    return Letter.objects.select_related("recipient").get(pk=letter) if claimed else None


def _deliver(pk: int, connection: BaseEmailBackend) -> bool:
    letter = _claim(pk)
    if letter is None:
        return False
    try:
        if not _write(letter):
            return False
        connection.send_messages([StoredMessage(bytes(letter.mime), _address(letter), connection)])
    except Exception as problem:  # noqa: BLE001 - a poisoned letter waits; the others go
        connection.close()
        _put_off(letter, problem)
        return False
    _leave(letter, Letter.State.SENT, sent_at=timezone.now(), mime=b"", reason="")
    return True


def _write(letter: Letter) -> bool:
    """Renders the letter unless it was rendered before; False when it is not to go (now)."""
    source = sources.find(letter.source)
    if source is None:
        _leave(letter, Letter.State.QUEUED, due_at=timezone.now() + BACK_OFF[0], reason=f"no source called {letter.source} here")
        return False
    if letter.recipient is None or not letter.recipient.is_active:
        _leave(letter, Letter.State.DROPPED, reason="nobody to write to", mime=b"")
        return False
    waiting = sources.Waiting(letter.key, letter.kind, letter.about, letter.recipient, letter.created_at)
    if not source.still_wanted(waiting):
        _leave(letter, Letter.State.DROPPED, reason="no longer wanted", mime=b"")
        return False
    if not letter.mime:
        letter.mime = _mime(letter, source.render(waiting))
        Letter.objects.filter(pk=letter.pk).update(mime=letter.mime)
    return True


def _mime(letter: Letter, rendered: sources.Rendered) -> bytes:
    message = EmailMultiAlternatives(
        subject=_one_line(rendered.subject),
        body=rendered.text,
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[_address(letter)],
        headers={"Message-ID": letter.message_id, **rendered.headers},
    )
    if rendered.html:
        message.attach_alternative(rendered.html, "text/html")
    return message.message().as_bytes()


def _one_line(subject: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in subject).split())


def _address(letter: Letter) -> str:
    return str(getattr(letter.recipient, "email", "")) if letter.recipient else letter.address


def _put_off(letter: Letter, problem: Exception) -> None:
    reason = f"{type(problem).__name__}: {problem}"[:500]
    now = timezone.now()
    if is_final(problem) or now - letter.created_at > GIVE_UP:
        logger.error("letter %s failed: %s", letter.key, reason)
        _leave(letter, Letter.State.FAILED, reason=reason)
        return
    logger.warning("letter %s has to wait: %s", letter.key, reason)
    _leave(letter, Letter.State.WAITING, reason=reason, due_at=now + BACK_OFF[min(letter.attempts, len(BACK_OFF)) - 1])


def is_final(problem: Exception) -> bool:
    """Whether the mail server refused for good: a 5xx answer, or only such for the recipients."""
    if isinstance(problem, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in problem.recipients.values())
    return isinstance(problem, smtplib.SMTPResponseException) and problem.smtp_code >= 500


def _leave(letter: Letter, state: Letter.State, **fields: object) -> None:
    Letter.objects.filter(pk=letter.pk, state=Letter.State.IN_FLIGHT).update(state=state, **fields)
