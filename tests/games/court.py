"""What tests of rulings share: a ruling, an end by time, the letters that went out."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any
from uuid import uuid4

from django.core import mail

from accounts.models import Player
from games.models import Game
from games.services import adjudicate, check, log, reflection
from notifications import delivery


def rule(act: Any, game: Game, by: Player, **given: Any) -> log.Answer:
    """A ruling on the game as it stands."""
    game.refresh_from_db()
    told = {"reason": "Because.", "key": uuid4().hex, **given}
    if act is not adjudicate.take_back:
        told.setdefault("head", game.head)
    answer: log.Answer = act(game=game.pk, by=by, **told)
    game.refresh_from_db()
    return answer


def ended_by_time(game: Game) -> None:
    game.refresh_from_db()
    assert game.deadline is not None
    assert reflection.run_out(game_id=game.pk, now=game.deadline)
    game.refresh_from_db()


def sent() -> list[EmailMessage]:
    mail.outbox.clear()
    delivery.deliver_waiting()
    return [message_from_bytes(one.message().as_bytes(), policy=policy.default) for one in mail.outbox]


def text(message: EmailMessage, kind: str = "plain") -> str:
    body = message.get_body((kind,))
    assert body is not None
    return " ".join(str(body.get_content()).split())


def agreed() -> bool:
    return all(not found for _, found in check.differences())
