"""The outbox as lines of a terminal: what waits, what failed and why. Addresses are masked, for terminals are copied around."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db.models import Count, F

from notifications import sources
from notifications.answers import without_addresses
from notifications.models import Hold, Letter

STATES: Final = tuple(Letter.State.values)


def kinds() -> list[str]:
    """The kinds of letters that there are."""
    return sorted({kind for source in sources.every() for kind in source.kinds})


def lines(state: str | None, limit: int) -> Iterator[str]:
    """Letters in a state, or those that are not done with or failed: those due first on top, then the latest."""
    letters = Letter.objects.defer("mime").order_by(F("due_at").asc(nulls_last=True), "-pk")
    shown = letters.filter(state=state) if state else letters.exclude(state__in=[Letter.State.SENT, Letter.State.DROPPED])
    for one in shown[:limit]:
        due = f"{one.due_at:%Y-%m-%d %H:%M:%S}" if one.due_at else "-"
        told = f"  {without_addresses(one.reason)}" if one.reason else ""
        yield f"{one.state:9}  {one.kind:10}  {_whom(one):14}  {due:19}  {one.attempts:2}  {one.key}{told}"


def counts() -> list[tuple[str, int]]:
    """How many letters there are in each state."""
    return sorted(Letter.objects.values_list("state").annotate(Count("pk")))


def failed(key: str | None) -> list[int]:
    """The numbers of failed letters; of the one of this key if one is given."""
    letters = Letter.objects.filter(state=Letter.State.FAILED, **({"key": key} if key else {}))
    return list(letters.order_by("pk").values_list("pk", flat=True))


def masked(address: str) -> str:
    """An address by which only its owner knows it: `b…@example.org`."""
    local, _at, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}"


def held_in_words(hold: Hold) -> str:
    """What is kept back."""
    told = [f"kind {hold.kind}"] if hold.kind else []
    return ", ".join([*told, *([f"to {masked(hold.address)}"] if hold.address else [])]) or "everything"


def _whom(letter: Letter) -> str:
    if letter.recipient_id:
        return f"player {letter.recipient_id}"
    return masked(letter.address) if letter.address else "nobody"
