"""The outbox: a letter is owed with the change that made it due, or not at all."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from pytest_django import DjangoAssertNumQueries

from accounts.models import Player
from notifications import delivery, outbox
from notifications.models import Letter
from notifications.sources import Rendered, Waiting
from tests.factories import LetterFactory
from tests.notifications.conftest import Source

pytestmark = [pytest.mark.django_db, pytest.mark.locking]


def owe(recipient: Player, key: str = "turn:1:3:1", **about: Any) -> None:
    outbox.post(key=key, kind="turn", source="games", about=about, recipient_id=recipient.pk)


def test_a_letter_is_owed_by_one_statement(alice: Player, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with transaction.atomic(), django_assert_num_queries(1):
        owe(alice, game=7)
    letter = Letter.objects.get()
    assert (letter.state, letter.recipient, letter.about, bytes(letter.mime)) == ("queued", alice, {"game": 7}, b"")
    assert letter.due_at == letter.created_at


def test_each_letter_has_a_message_id_of_our_domain(alice: Player, settings: Any) -> None:
    settings.SITE_URL = "https://games.example.org:8443"
    for key in ("a", "b"):
        owe(alice, key)
    first, second = Letter.objects.values_list("message_id", flat=True)
    assert first != second
    assert first.endswith("@games.example.org>")


def test_N17_a_key_that_was_posted_before_is_the_same_letter_and_breaks_nothing(alice: Player, bob: Player) -> None:
    owe(alice, game=1)
    [letter] = Letter.objects.all()
    with transaction.atomic():
        owe(bob, game=2)
        owe(bob, "another key")
    assert Letter.objects.count() == 2
    again = Letter.objects.get(pk=letter.pk)
    assert (again.message_id, again.recipient, again.about) == (letter.message_id, alice, {"game": 1})


def test_what_is_rolled_back_owes_no_letter(alice: Player) -> None:
    with suppress(RuntimeError), transaction.atomic():
        owe(alice)
        raise RuntimeError
    assert not Letter.objects.exists()


def test_a_bare_address_is_owed_a_letter_too(db: None) -> None:
    outbox.post(key="k", kind="confirm", source="accounts", about={}, address="friend@example.org")
    assert Letter.objects.get().address == "friend@example.org"


def test_a_letter_that_is_written_already_is_owed_as_it_is(db: None, source: Source) -> None:
    said = Rendered("Ваш код", "1234", "<p>1234</p>")
    outbox.post_written(key="k", kind="test", source="test", rendered=said, address="friend@example.org")
    assert b"To: friend@example.org" in bytes(Letter.objects.get().mime)
    assert delivery.deliver("k")
    letter = Letter.objects.get()
    assert (letter.state, bytes(letter.mime), source.rendered) == (Letter.State.SENT, b"", 0)


def test_a_written_letter_that_is_no_longer_wanted_is_forgotten(db: None, source: Source) -> None:
    outbox.post_written(key="k", kind="test", source="test", rendered=Rendered("Code", "1234"), address="friend@example.org")
    source.wanted = False
    assert not delivery.deliver("k")
    letter = Letter.objects.get()
    assert (letter.state, bytes(letter.mime)) == (Letter.State.DROPPED, b"")


def test_a_letter_that_was_half_written_when_its_links_died_is_written_anew(bob: Player, source: Source) -> None:
    letter, links = LetterFactory.create(recipient=bob), iter(["dead", "alive"])

    def says(_letter: Waiting) -> Rendered:
        link = next(links)
        if link == "dead":
            outbox.write_anew(recipient_id=bob.pk)
        return Rendered("It is your turn", link)

    source.says = says
    assert not delivery.deliver(letter.key)
    letter.refresh_from_db()
    assert (letter.state, bytes(letter.mime)) == (Letter.State.QUEUED, b"")
    assert delivery.deliver(letter.key)
    assert [message.message().as_bytes().split()[-1] for message in mail.outbox] == [b"alive"]


@pytest.mark.parametrize("wrong", [{"address": "both@example.org"}, {"due_at": None}, {"state": "sent"}])
def test_the_database_refuses_a_letter_that_makes_no_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        LetterFactory.create(**wrong)
