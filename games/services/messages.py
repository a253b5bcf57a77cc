"""Messages: what one seat writes to the others at the table, and notes that a player keeps for himself."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from django.db import transaction

from accounts.models import Player
from accounts.selectors import are_apart
from games import selectors
from games.models import Message, Note, Seat
from games.models.message import LONGEST_MESSAGE, LONGEST_NOTE
from games.rules.phrase import phrase
from games.services.errors import Gone, NotAllowed, Refused
from games.services.log import Answer, OpenLog, submit

EMPTY: Final = phrase("Write something first.")
TOO_LONG: Final = phrase("A message has at most %(most)s characters.", most=LONGEST_MESSAGE)
NOTE_TOO_LONG: Final = phrase("A note has at most %(most)s characters.", most=LONGEST_NOTE)
SUSPENDED: Final = phrase("Your account is suspended or being closed: you cannot write to others.")
NOBODY_READS: Final = phrase("You cannot write to each other in this game.")
_BREAKS: Final = re.compile("\r\n|[\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_UNSEEN: Final = {"Cc", "Cs"}
_TURNING: Final = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of whatever follows them, other people's text included."""


def tidy(text: str) -> str:
    """Plain text as it is kept: composed, with one kind of line break, without signs that nobody sees."""
    text = _BREAKS.sub("\n", unicodedata.normalize("NFC", text)).replace("\t", " ")
    seen = (sign for sign in text if sign == "\n" or (unicodedata.category(sign) not in _UNSEEN and sign not in _TURNING))
    tidied = re.sub(r"\n{3,}", "\n\n", "".join(seen)).strip()
    return tidied if any(sign.isprintable() and not sign.isspace() for sign in tidied) else ""


def say(*, game: int, seat: int, text: str, key: str) -> Answer:
    """Writes to the others without a move, while the game runs and after. The same key again: the same message.

    Raises Gone, KeyReused, Refused (nothing or too much), NotAllowed (suspended, or nobody at the table whom blocks and
    suspensions leave to read it).
    """
    text = tidy(text)

    def act(log: OpenLog) -> Answer:
        write(log, seat, text)
        return log.answer()

    return submit(game=game, key=key, payload={"do": "say", "seat": seat, "text": text}, act=act)


def write(log: OpenLog, seat: int, text: str, *, entry: int | None = None) -> None:
    """Inside the transaction of an open log: a tidy text from a seat. Raises as `say`."""
    if not text:
        raise Refused(EMPTY)
    if len(text) > LONGEST_MESSAGE:
        raise Refused(TOO_LONG)
    players = {
        one.number: one.player for one in Seat.objects.filter(game=log.game).select_related("player") if one.player is not None
    }
    if seat not in players:
        raise NotAllowed(NOBODY_READS)
    # The lock keeps an erasure from passing by, which empties the texts of whoever leaves.
    author = Player.objects.select_for_update(no_key=True).get(pk=players[seat].pk)
    if not selectors.may_play(author):
        raise NotAllowed(SUSPENDED)
    others = (player for number, player in players.items() if number != seat)
    if not any(selectors.may_play(other) and not are_apart(author, other) for other in others):
        raise NotAllowed(NOBODY_READS)
    Message.objects.create(game=log.game, seat=seat, author=author, entry=entry, text=text, at=log.now)


def said_since(log: OpenLog, seat: int, text: str, number: int) -> bool:
    """Whether this very text came with a move of the seat after entry `number`."""
    return Message.objects.filter(game=log.game, seat=seat, text=text, entry__gt=number).exists()


def keep_note(*, game: int, player: Player, text: str) -> None:
    """What the player writes down about his game takes the place of what stood there; an empty text deletes it.

    Raises Gone (no seat in the game, or the account is being closed), Refused (too long).
    """
    text = tidy(text)
    if len(text) > LONGEST_NOTE:
        raise Refused(NOTE_TOO_LONG)
    with transaction.atomic():
        # The lock keeps an erasure from passing by.
        here = Player.objects.select_for_update(no_key=True).filter(pk=player.pk, leaving_at=None, erased_at=None)
        if not here or not Seat.objects.filter(game=game, player=player).exists():
            raise Gone
        if text:
            Note.objects.update_or_create(game_id=game, player=player, defaults={"text": text})
        else:
            Note.objects.filter(game=game, player=player).delete()
