"""Reasons: words can be taken out of them, and the database itself lets nobody write others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from accounts import append_only
from accounts.models import Reason
from accounts.services import audit, mentions

pytestmark = [pytest.mark.django_db, pytest.mark.locking]

SAID = "Bob [twice] called Bob 100% a *cheat*_!"


def by_orm(row: Reason) -> None:
    row.text = "He is a fine fellow."
    row.save()


def by_queryset(row: Reason) -> None:
    Reason.objects.update(text=f"{SAID} And more.")


def by_small_letters(row: Reason) -> None:
    Reason.objects.update(text=SAID.lower())


def by_words_beside_a_mask(row: Reason) -> None:
    Reason.objects.update(text="… not a *cheat*_!")


def by_signs_of_patterns(row: Reason) -> None:
    Reason.objects.update(text="*%")


def by_single_signs_of_patterns(row: Reason) -> None:
    Reason.objects.update(text="?" * len(SAID) if connection.vendor == "sqlite" else "_" * len(SAID))


def by_another_time(row: Reason) -> None:
    Reason.objects.update(text="", at=row.at + timedelta(days=1))


def by_another_number(row: Reason) -> None:
    Reason.objects.update(id=row.pk + 1)


def by_deletion(row: Reason) -> None:
    row.delete()


def by_emptying_the_table(row: Reason) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("TRUNCATE accounts_reason CASCADE")
        else:
            cursor.execute("REPLACE INTO accounts_reason (id, text, at) VALUES (%s, 'Other.', %s)", [row.pk, row.at])


@pytest.mark.parametrize(
    "change",
    [
        by_orm,
        by_queryset,
        by_small_letters,
        by_words_beside_a_mask,
        by_signs_of_patterns,
        by_single_signs_of_patterns,
        by_another_time,
        by_another_number,
        by_deletion,
        by_emptying_the_table,
    ],
    ids=lambda one: one.__name__,
)
def test_S10_nobody_is_made_to_have_said_something_else(change: Callable[[Reason], None]) -> None:
    given = audit.give_reason(SAID)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        change(given)
    assert Reason.objects.values_list("pk", "text", "at").get() == (given.pk, SAID, given.at)


def test_S10_a_name_can_be_taken_out_and_then_all_words() -> None:
    given = audit.give_reason(SAID)
    mentions.forget("Bob")
    given.refresh_from_db()
    assert given.text == "… [twice] called … 100% a *cheat*_!"
    mentions.forget("twice")
    given.refresh_from_db()
    assert given.text == "… […] called … 100% a *cheat*_!"
    Reason.objects.filter(pk=given.pk).update(text="")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Reason.objects.filter(pk=given.pk).update(text=SAID)


def test_a_name_is_taken_out_of_a_reason_that_was_written_with_loose_accents() -> None:
    given = audit.give_reason("Zoe\u0308 and Andre\u0301 agreed.")
    mentions.forget("Zo\u00eb")
    given.refresh_from_db()
    assert given.text == "… and Andr\u00e9 agreed."


def test_reasons_of_earlier_versions_are_composed_by_migrating() -> None:
    with append_only.lifted(connection):
        old = Reason.objects.create(text="Zoe\u0308 agreed.", at=audit.give_reason("Now.").at)
        import_module("accounts.migrations.0006_composed_reasons").compose(apps, SimpleNamespace(connection=connection))
    old.refresh_from_db()
    assert old.text == "Zo\u00eb agreed."
