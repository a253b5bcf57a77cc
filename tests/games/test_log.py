"""The log: append-only in the database itself, and the projection that follows from it."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.models import ProtectedError

from accounts import append_only
from games.models import Game, LogEntry
from games.services import moves, proposals
from games.services.check import differences
from games.services.errors import StalePosition
from tests.factories import GameFactory, LogEntryFactory, play

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


def by_sql_update(row: LogEntry) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_logentry SET text = '2' WHERE id = %s", [row.pk])


def by_emptying_the_table(row: LogEntry) -> None:
    """PostgreSQL has a statement for it; SQLite's way to write over a row is REPLACE, which fires no trigger for deletion."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("TRUNCATE games_logentry CASCADE")
        else:
            cursor.execute(
                "INSERT OR REPLACE INTO games_logentry (game_id, number, kind, text, at, via) VALUES (%s, %s, %s, %s, %s, %s)",
                [row.game_id, row.number, row.kind, "2", row.at, row.via],
            )


def by_upsert(row: LogEntry) -> None:
    again = LogEntry(game=row.game, number=row.number, kind=row.kind, seat=row.seat, text="2", at=row.at, via=row.via)
    LogEntry.objects.bulk_create([again], update_conflicts=True, unique_fields=["game", "number"], update_fields=["text"])


@pytest.mark.parametrize(
    "change",
    [by_orm, by_queryset, by_deletion, by_sql, by_sql_update, by_emptying_the_table, by_upsert],
    ids=lambda one: one.__name__,
)
def test_S10_a_row_of_the_log_can_be_neither_changed_nor_deleted(change: Callable[[LogEntry], None]) -> None:
    game = GameFactory.create(plies="1")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        change(game.entries.get(number=3))
    assert game.entries.get(number=3).text == "1"


def test_S10_a_missing_trigger_is_found_at_start_and_mended_by_migrating() -> None:
    assert append_only.check(databases=["default"]) == []
    with append_only.lifted(connection):
        [found] = append_only.check(databases=["default"])
        assert found.id == "accounts.W001"
        with pytest.raises(append_only.Unprotected, match="no_update"):
            append_only.require()
    assert append_only.missing(connection) == []
    append_only.require()


def test_S10_a_game_with_a_log_cannot_be_deleted() -> None:
    game = GameFactory.create()
    with pytest.raises(ProtectedError):
        game.delete()


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


def test_replay_check_compares_every_row_of_every_proposal() -> None:
    game = GameFactory.create(plies="1 1")
    number = proposals.propose(game=game.pk, seat=0, kind="draw", via="web", key="p").head
    assert [found for _, found in differences()] == [[]]
    game.proposals.update(state="refused")
    assert [found for _, found in differences()] == [[f"state of proposal {number} is refused, the log makes it open"]]
    game.proposals.all().delete()
    assert [found for _, found in differences()] == [[f"proposal {number} has no row"]]


def test_replay_check_says_what_cannot_be_replayed() -> None:
    game = GameFactory.create()
    LogEntryFactory.create(game=game, number=3, seat=0, text="9")
    [(_, [found])] = differences()
    assert found.startswith("the log cannot be replayed: ")


def test_replay_check_goes_on_after_a_game_with_impossible_options() -> None:
    bad, good = GameFactory.create(), GameFactory.create()
    Game.objects.filter(pk=bad.pk).update(options={"end": "never"})
    found = dict(differences())
    assert "cannot be “never”" in found[bad.pk][0]
    assert found[good.pk] == []


def test_a_row_behind_its_log_is_no_crash_and_catches_up() -> None:
    """The constraint speaks where the lock was silent: refused, never a 500, and not for ever."""
    game = GameFactory.create()
    LogEntryFactory.create(game=game, number=3, seat=0, text="1")
    with pytest.raises(StalePosition):
        play(game, "2")
    answer = moves.play_move(game=game.pk, seat=1, text="1", position_number=3, via="web", key="k")
    assert (answer.head, answer.to_move) == (4, 0)
    assert [found for _, found in differences()] == [[]]


@pytest.mark.parametrize("kept", [{"version": 0}, {"number": 2}])
def test_a_standing_kept_by_other_rules_or_of_another_entry_is_read_from_the_log(kept: dict[str, int]) -> None:
    game = GameFactory.create(plies="1")
    Game.objects.filter(pk=game.pk).update(standing=game.standing | kept, plies=70)
    play(game, "1")
    assert [found for _, found in differences()] == [[]]


def test_a_position_that_the_rules_cannot_load_is_read_from_the_log() -> None:
    game = GameFactory.create(plies="1")
    Game.objects.filter(pk=game.pk).update(position={"no": "position"})
    play(game, "1")
    assert [found for _, found in differences()] == [[]]
