"""Triggers that make the log append-only in the database itself, whoever writes (S10).

SQLite drops a table's triggers when it alters the table, so they are installed after every migration and looked for at
every start. Tests that flush tables lift them for that moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from django.core import checks
from django.core.checks import CheckMessage
from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

TABLE: Final = "games_logentry"
_REFUSE: Final = "SELECT RAISE(ABORT, 'the log is append-only')"

# INSERT OR REPLACE deletes the row in its way without firing a DELETE trigger, so the third one looks for such a row.
SQLITE: Final = {
    "games_log_no_update": f"BEFORE UPDATE ON {TABLE} BEGIN {_REFUSE}; END",
    "games_log_no_delete": f"BEFORE DELETE ON {TABLE} BEGIN {_REFUSE}; END",
    "games_log_no_replace": (
        f"BEFORE INSERT ON {TABLE} WHEN EXISTS (SELECT 1 FROM {TABLE} WHERE id = NEW.id) "
        f"OR EXISTS (SELECT 1 FROM {TABLE} WHERE game_id = NEW.game_id AND number = NEW.number) BEGIN {_REFUSE}; END"
    ),
}
POSTGRESQL: Final = {
    "games_log_no_update": f"BEFORE UPDATE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION games_log_is_append_only()",
    "games_log_no_delete": f"BEFORE DELETE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION games_log_is_append_only()",
    "games_log_no_truncate": f"BEFORE TRUNCATE ON {TABLE} FOR EACH STATEMENT EXECUTE FUNCTION games_log_is_append_only()",
}
FUNCTION: Final = (
    "CREATE OR REPLACE FUNCTION games_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
    "BEGIN RAISE EXCEPTION 'the log is append-only' USING ERRCODE = 'integrity_constraint_violation'; END $$"
)


class LogUnprotected(RuntimeError):
    """The log's table lacks triggers."""


def install(connection: BaseDatabaseWrapper) -> None:
    """Creates the triggers that are missing; does nothing before the log has a table."""
    lacking = missing(connection)
    with connection.cursor() as cursor:
        if lacking and connection.vendor == "postgresql":
            cursor.execute(FUNCTION)
        for name in lacking:
            cursor.execute(f"CREATE TRIGGER {name} {_wanted(connection)[name]}")


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
    return [name for name in _wanted(connection) if name not in found]


def _wanted(connection: BaseDatabaseWrapper) -> dict[str, str]:
    return SQLITE if connection.vendor == "sqlite" else POSTGRESQL


@contextmanager
def lifted(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Without triggers inside the block: for tests that empty their tables."""
    on = "" if connection.vendor == "sqlite" else f" ON {TABLE}"
    with connection.cursor() as cursor:
        if TABLE in connection.introspection.table_names(cursor):
            for name in _wanted(connection):
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")
    try:
        yield
    finally:
        install(connection)


def install_after_migrate(*, using: str, **_: Any) -> None:
    """Receiver of `post_migrate`."""
    install(connections[using])


def require(alias: str = "default") -> None:
    """Called when a process starts to serve. Raises LogUnprotected; a database that is away is not its business."""
    try:
        lacking = missing(connections[alias])
    except OperationalError:
        return
    if lacking:
        raise LogUnprotected(f"the log is not append-only ({', '.join(lacking)} missing): run manage.py migrate")


def check(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """A system check for databases: the log must be protected. A warning, for an error would stop `migrate`, which mends it."""
    return [
        checks.Warning(
            f"the log of {alias} is not append-only: {', '.join(lacking)} missing",
            hint="run manage.py migrate",
            id="games.W001",
        )
        for alias in databases or []
        if (lacking := missing(connections[alias]))
    ]
