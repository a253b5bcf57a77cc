"""The statements written once do to rows what the ORM would."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from notifications import statements
from notifications.models import Letter
from tests.factories import LetterFactory, PlayerFactory

pytestmark = [pytest.mark.django_db, pytest.mark.locking]


def a_letter(key: str) -> Letter:
    return LetterFactory.build(key=key, recipient=PlayerFactory.create(), about={"position": [1, "½", None]}, mime=b"\x00\xff")


def values(letter: Letter) -> dict[str, object]:
    kept = {field.name: getattr(letter, field.attname) for field in Letter._meta.concrete_fields}
    return kept | {"mime": bytes(letter.mime)}


def test_what_is_inserted_is_found_as_the_orm_would_find_it() -> None:
    statements.insert(a_letter("a"), a_letter("b"))
    by_orm = Letter.objects.get(key="b")
    found = statements.find(Letter, key="b")
    assert found is not None
    assert values(found) == values(by_orm)
    assert statements.find(Letter, key="c") is None


def test_an_update_sets_the_row_and_the_object() -> None:
    letter = LetterFactory.create()
    other = LetterFactory.create()
    statements.update(letter, {"about": {"now": True}, "sent_at": letter.created_at, "due_at": None, "state": "sent"})
    assert letter.state == "sent"
    letter.refresh_from_db()
    other.refresh_from_db()
    assert (letter.about, letter.sent_at, letter.due_at) == ({"now": True}, letter.created_at, None)
    assert other.state == "queued"


def test_a_conflict_is_an_error_or_passed_over() -> None:
    letter = LetterFactory.create()
    again = LetterFactory.build(key=letter.key, recipient=letter.recipient)
    with pytest.raises(IntegrityError), transaction.atomic():
        statements.insert(again)
    statements.insert(again, ignore_conflicts=True)
    assert Letter.objects.get(key=letter.key).message_id == letter.message_id


def test_a_row_is_locked_where_the_database_locks_rows() -> None:
    letter = LetterFactory.create()
    with CaptureQueriesContext(
        connection,
    ) as asked:
        statements.find(Letter, lock=True, id=letter.pk)
    assert ("FOR NO KEY UPDATE" in asked[0]["sql"]) == (connection.vendor == "postgresql")
