"""Reports of mail servers on our letters (RFC 3464), told apart from automatic answers and from what people write (M19, M20)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from notifications.answers import ADDRESS, STATUS
from notifications.inbound.raw import Raw, fields, read

STATUS_PARTS: Final = ("message/delivery-status", "message/global-delivery-status")
RETURNED_PARTS: Final = ("message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers")
ARRIVED: Final = frozenset({"delivered", "relayed", "expanded"})
AUTOMATIC: Final = ("x-autoreply", "x-autorespond", "list-id", "x-loop")
BULK: Final = frozenset({"bulk", "junk", "list", "auto_reply"})
MESSAGE_ID: Final = re.compile(r"<[^<>\s]{1,318}>")


class Kind(Enum):
    """What a message is."""

    REPORT = "a report"
    AUTOMATIC = "an automatic message"
    OTHER = "no report"


class Fate(Enum):
    """What a report says of a letter."""

    FAILED = "failed"
    LATE = "late"
    ARRIVED = "arrived"


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a letter. `status` is an enhanced one as in `5.1.1`, empty where none is given; `words` are the mail
    server's; `addresses` are those it names as the letter's, in small letters; `message_ids` are the letter's, with brackets."""

    fate: Fate
    status: str
    words: str
    addresses: frozenset[str]
    message_ids: tuple[str, ...]
    return_paths: tuple[str, ...]


def kind_of(message: Raw) -> Kind:
    """What the message is. A report that was wrapped on its way is one; one on spam or on reading is automatic."""
    if any(part.content_type in STATUS_PARTS for part in message.parts()):
        return Kind.REPORT
    answered = message.first("auto-submitted").partition(";")[0].strip().lower()
    if answered not in ("", "no") or message.content_type == "multipart/report":
        return Kind.AUTOMATIC
    if message.first("precedence").lower() in BULK or message.first("return-path").replace(" ", "") == "<>":
        return Kind.AUTOMATIC
    return Kind.AUTOMATIC if any(message.all(name) for name in AUTOMATIC) else Kind.OTHER


def report_in(message: Raw) -> Report:
    """What a message of the kind REPORT says. What it leaves out, or says otherwise than it should, counts as arrived: nothing
    follows from that."""
    parts = list(message.parts())
    text = next((part.text for part in parts if part.content_type in STATUS_PARTS), "")
    blocks = [dict(fields(block)) for block in re.split(r"\n[ \t]*\r?\n", text)]
    recipients = [block for block in blocks if "action" in block or "final-recipient" in block]
    fates = {_fate(block): block for block in reversed(recipients)}
    # One of several readers behind an address that got the letter is enough.
    fate = next((one for one in (Fate.ARRIVED, Fate.FAILED, Fate.LATE) if one in fates), Fate.ARRIVED)
    told = fates.get(fate, {})
    returned = [found for part in parts if part.content_type in RETURNED_PARTS for found in read(part.text.encode()).headers]
    named = [block.get(name, "") for block in recipients for name in ("original-recipient", "final-recipient")]
    named += [value for name, value in returned if name == "to"]
    return Report(
        fate=fate,
        status=_status(told),
        words=told.get("diagnostic-code", "").partition(";")[2].strip() or told.get("status", ""),
        addresses=frozenset(address.lower() for value in named for address in ADDRESS.findall(value)),
        message_ids=tuple(one for name, value in returned if name == "message-id" for one in MESSAGE_ID.findall(value)),
        return_paths=tuple(value for name, value in returned if name == "return-path"),
    )


def _fate(block: Mapping[str, str]) -> Fate:
    action = block.get("action", "").partition(" ")[0].partition(";")[0].strip().lower()
    if action in ARRIVED:
        return Fate.ARRIVED
    if action == "failed" or (not action and _status(block).startswith("5")):
        return Fate.FAILED
    return Fate.LATE


def _status(block: Mapping[str, str]) -> str:
    found = STATUS.search(block.get("status", "")) or STATUS.search(block.get("diagnostic-code", ""))
    return found[0] if found else ""
