"""The log: append-only in the database itself, and the projection that follows from it."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from games.models import Game, LogEntry, triggers
from games.services.log import differences
from tests.factories import GameFactory

pytestmark = [pytest.mark.django_db, pytest.mark.locking]


def by_orm(row: LogEntry) -> None:
    row.text = "2"
    row.save()


def by_queryset(row: LogEntry) -> None:
    LogEntry.objects.update(text="2")


def by_deletion(row: LogEntry) -> None:
    LogEntry.objects.filter(pk=row.pk).delete()


def by_sql(row: LogEntry) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_logentry")


@pytest.mark.parametrize("change", [by_orm, by_queryset, by_deletion, by_sql])
def test_S10_a_row_of_the_log_can_be_neither_changed_nor_deleted(change: Callable[[LogEntry], None]) -> None:
    game = GameFactory.create(plies="1")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        change(game.entries.get(number=3))
    assert game.entries.get(number=3).text == "1"


def test_S10_a_missing_trigger_is_found_at_start_and_mended_by_migrating() -> None:
    assert triggers.check(databases=["default"]) == []
    with triggers.lifted(connection):
        [found] = triggers.check(databases=["default"])
        assert found.id == "games.W001"
    assert triggers.missing(connection) == []


def test_replay_check_finds_a_projection_that_was_tampered_with() -> None:
    right, wrong = GameFactory.create(plies="1 1"), GameFactory.create(plies="1 1")
    Game.objects.filter(pk=wrong.pk).update(to_move=1, deadline=None)
    wrong.seat_set.filter(number=0).update(points=2)
    found = dict(differences())
    assert found[right.pk] == []
    assert len(found[wrong.pk]) == 3
    out = StringIO()
    with pytest.raises(SystemExit) as stop:
        call_command("replay", "--check", stdout=out)
    assert stop.value.code == 1
    assert out.getvalue().splitlines()[-1] == "2 games, 1 mismatches"


def test_replay_check_is_content_with_games_as_services_leave_them() -> None:
    GameFactory.create(plies="4-6 1 3")
    out = StringIO()
    call_command("replay", "--check", stdout=out)
    assert out.getvalue() == "1 games, 0 mismatches\n"
