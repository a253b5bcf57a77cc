"""Forgetting: what the outbox knows of somebody who leaves for good."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Player
from notifications import forgetting
from notifications.message import write
from notifications.models import Letter
from notifications.sources import Rendered
from notifications.tasks import forget_old
from tests.factories import LetterFactory

pytestmark = pytest.mark.django_db

ADDRESS = "alice@example.org"


def forget(alice: Player) -> None:
    forgetting.forget(player_id=alice.pk, name="Alice", addresses=[ADDRESS], farewell="the farewell", unrepeatable="written once")


def mime(text: str) -> bytes:
    return write(Rendered("Ваш ход", text, f"<p>{text}</p>"), recipient="bob@example.org", message_id="<1@localhost>")


@pytest.mark.parametrize("state", [Letter.State.QUEUED, Letter.State.IN_FLIGHT, Letter.State.WAITING])
def test_what_waits_for_the_player_is_dropped(alice: Player, state: str) -> None:
    mine = LetterFactory.create(recipient=alice, state=state, mime=mime("Hello, Alice"), reason=f"{ADDRESS}: try later")
    bare = LetterFactory.create(recipient=None, address=ADDRESS.upper(), state=state)
    forget(alice)
    for letter in (mine, bare):
        letter.refresh_from_db()
        assert (letter.state, letter.due_at, bytes(letter.mime), letter.address) == (Letter.State.DROPPED, None, b"", "")
        assert letter.reason == forgetting.GONE


def test_what_was_sent_stays_as_a_row_without_address_and_reason(alice: Player) -> None:
    sent = LetterFactory.create(recipient=None, address=ADDRESS, state=Letter.State.SENT, due_at=None)
    failed = LetterFactory.create(recipient=alice, state=Letter.State.FAILED, due_at=None, reason=f"550 {ADDRESS} is unknown")
    forget(alice)
    for letter, state in ((sent, Letter.State.SENT), (failed, Letter.State.FAILED)):
        letter.refresh_from_db()
        assert (letter.state, letter.address, letter.reason) == (state, "", "")


def test_the_farewell_keeps_its_address_until_it_is_done(alice: Player) -> None:
    farewell = LetterFactory.create(recipient=None, address=ADDRESS, key="the farewell", mime=mime("Farewell, Alice"))
    forget(alice)
    assert forgetting.forget_done(["the farewell"]) == 0
    farewell.refresh_from_db()
    assert (farewell.address, farewell.state) == (ADDRESS, Letter.State.QUEUED)
    Letter.objects.filter(pk=farewell.pk).update(state=Letter.State.SENT, due_at=None)
    assert forgetting.forget_done(["the farewell"]) == 1
    farewell.refresh_from_db()
    assert farewell.address == ""


def test_addresses_of_letters_that_are_long_done_are_forgotten() -> None:
    now = timezone.now()
    done: dict[str, Any] = {"recipient": None, "address": ADDRESS, "state": Letter.State.SENT, "due_at": None}
    old = LetterFactory.create(**done, created_at=now - timedelta(days=31))
    young = LetterFactory.create(**done, created_at=now - timedelta(days=29))
    waits = LetterFactory.create(recipient=None, address=ADDRESS, created_at=now - timedelta(days=31))
    forget_old()
    for letter, address in ((old, ""), (young, ADDRESS), (waits, ADDRESS)):
        letter.refresh_from_db()
        assert letter.address == address


@pytest.mark.parametrize("text", ["Alice hat gezogen.", "алиса и ALICE'in hamlesi", "Alice"])
def test_letters_to_others_that_wait_with_the_name_are_written_anew(alice: Player, bob: Player, text: str) -> None:
    waits = LetterFactory.create(recipient=bob, state=Letter.State.WAITING, mime=mime(text))
    forget(alice)
    waits.refresh_from_db()
    assert (bytes(waits.mime), waits.state) == (b"", Letter.State.WAITING)


def test_other_letters_to_others_stay_as_they_are(alice: Player, bob: Player) -> None:
    written = mime("Alice in a code that cannot be had again")
    others = [
        LetterFactory.create(recipient=bob, state=Letter.State.WAITING, mime=mime("Malice, not her.")),
        LetterFactory.create(recipient=bob, state=Letter.State.WAITING, mime=written, source="written once"),
        LetterFactory.create(recipient=bob, state=Letter.State.IN_FLIGHT, mime=mime("Alice, on her way already")),
    ]
    forget(alice)
    for letter in others:
        before = bytes(letter.mime)
        letter.refresh_from_db()
        assert bytes(letter.mime) == before
