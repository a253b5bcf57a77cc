"""Triggers that make the log append-only in the database itself, whoever writes (S10).

SQLite drops a table's triggers when it alters the table, so they are installed after every migration and looked for at
every start. Tests that flush tables lift them for that moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from django.core.checks import CheckMessage, Error
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

TABLE: Final = "games_logentry"

SQLITE: Final = tuple(
    f"""CREATE TRIGGER IF NOT EXISTS games_log_no_{verb} BEFORE {verb.upper()} ON {TABLE}
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"""
    for verb in ("update", "delete")
)
POSTGRESQL: Final = (
    """CREATE OR REPLACE FUNCTION games_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the log is append-only' USING ERRCODE = 'restrict_violation'; END $$""",
    f"""CREATE OR REPLACE TRIGGER games_log_no_update BEFORE UPDATE ON {TABLE}
    FOR EACH ROW EXECUTE FUNCTION games_log_is_append_only()""",
    f"""CREATE OR REPLACE TRIGGER games_log_no_delete BEFORE DELETE ON {TABLE}
    FOR EACH ROW EXECUTE FUNCTION games_log_is_append_only()""",
    f"""CREATE OR REPLACE TRIGGER games_log_no_truncate BEFORE TRUNCATE ON {TABLE}
    FOR EACH STATEMENT EXECUTE FUNCTION games_log_is_append_only()""",
)


def names(connection: BaseDatabaseWrapper) -> tuple[str, ...]:
    """The triggers that the log has on this kind of database."""
    verbs = ("update", "delete") if connection.vendor == "sqlite" else ("update", "delete", "truncate")
    return tuple(f"games_log_no_{verb}" for verb in verbs)


def install(connection: BaseDatabaseWrapper) -> None:
    """Creates the triggers where they are missing."""
    with connection.cursor() as cursor:
        for statement in SQLITE if connection.vendor == "sqlite" else POSTGRESQL:
            cursor.execute(statement)


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of triggers that the log lacks; empty while its table does not exist yet."""
    with connection.cursor() as cursor:
        if TABLE not in connection.introspection.table_names(cursor):
            return []
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [TABLE])
        else:
            cursor.execute(
                "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal AND tgenabled <> 'D'", [TABLE]
            )
        found = {row[0] for row in cursor.fetchall()}
    return [name for name in names(connection) if name not in found]


@contextmanager
def lifted(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Without triggers inside the block: for tests that empty their tables."""
    on = "" if connection.vendor == "sqlite" else f" ON {TABLE}"
    with connection.cursor() as cursor:
        if TABLE in connection.introspection.table_names(cursor):
            for name in names(connection):
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")
    yield
    with connection.cursor() as cursor:
        if TABLE not in connection.introspection.table_names(cursor):
            return
    install(connection)


def install_after_migrate(*, using: str, **_: Any) -> None:
    """Receiver of `post_migrate`."""
    install(connections[using])


def check(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """A system check for databases: the log must be protected."""
    return [
        Error(
            f"the log of {alias} is not append-only: {', '.join(lacking)} missing",
            hint="run manage.py migrate",
            id="games.E001",
        )
        for alias in databases or []
        if (lacking := missing(connections[alias]))
    ]
