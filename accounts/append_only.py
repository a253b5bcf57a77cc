"""Tables that are only ever added to: triggers that the database itself keeps, whoever writes (S10).

Of one column words may be taken away, all of them or some with `MASK` in their place, and none can be put there: a name that
is to be forgotten goes, and nobody is made to have said something else.

SQLite drops a table's triggers when it alters the table, so they are installed after every migration and looked for at
every start. Tests that flush tables lift them for that moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from django.core import checks
from django.core.checks import CheckMessage
from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

MASK: Final = "…"
"""Stands where words were taken out."""


class Unprotected(RuntimeError):
    """An append-only table lacks triggers."""


@dataclass(frozen=True, slots=True)
class AppendOnly:
    """The protection of one table. `name` begins the names of its triggers; `unique` are columns that together tell rows
    apart besides the id; `erasable` is the column that words may be taken out of, `kept` are all others then."""

    table: str
    name: str
    unique: tuple[str, ...] = ()
    erasable: str = ""
    kept: tuple[str, ...] = ()

    def triggers(self, vendor: str) -> dict[str, str]:
        """The triggers by name, as what follows the name in `CREATE TRIGGER`."""
        if vendor == "sqlite":
            refuse = f"SELECT RAISE(ABORT, '{self.table} is append-only')"
            # INSERT OR REPLACE deletes the row in its way without firing a DELETE trigger, so the third one looks for such a row.
            in_the_way = [("id",), self.unique] if self.unique else [("id",)]
            found = " OR ".join(
                f"EXISTS (SELECT 1 FROM {self.table} WHERE {' AND '.join(f'{one} = NEW.{one}' for one in columns)})"
                for columns in in_the_way
            )
            return {
                f"{self.name}_no_update": f"BEFORE UPDATE ON {self.table} {self._unless_erased(vendor)} BEGIN {refuse}; END",
                f"{self.name}_no_delete": f"BEFORE DELETE ON {self.table} BEGIN {refuse}; END",
                f"{self.name}_no_replace": f"BEFORE INSERT ON {self.table} WHEN {found} BEGIN {refuse}; END",
            }
        act = f"EXECUTE FUNCTION {self.name}_is_append_only()"
        return {
            f"{self.name}_no_update": f"BEFORE UPDATE ON {self.table} FOR EACH ROW {self._unless_erased(vendor)} {act}",
            f"{self.name}_no_delete": f"BEFORE DELETE ON {self.table} FOR EACH ROW {act}",
            f"{self.name}_no_truncate": f"BEFORE TRUNCATE ON {self.table} FOR EACH STATEMENT {act}",
        }

    def _unless_erased(self, vendor: str) -> str:
        """The condition of the trigger for updates: anything else changes, or the old text does not fit the new one, in which
        MASK stands for any words. GLOB and not LIKE on SQLite, whose LIKE does not tell capitals from small letters.
        """
        if not self.erasable:
            return ""
        old, new = f"OLD.{self.erasable}", f"NEW.{self.erasable}"
        if vendor == "sqlite":
            like, signs = "GLOB {}", {"[": "[[]", "*": "[*]", "?": "[?]", MASK: "*"}
        else:
            like, signs = "LIKE {} ESCAPE '!'", {"!": "!!", "%": "!%", "_": "!_", MASK: "%"}
        pattern = new
        for sign, meant in signs.items():
            pattern = f"replace({pattern}, '{sign}', '{meant}')"
        same = " AND ".join(f"NEW.{column} = OLD.{column}" for column in ("id", *self.kept))
        return f"WHEN (NOT ({same} AND ({new} = '' OR {old} {like.format(pattern)})))"

    def function(self) -> str:
        """What PostgreSQL's triggers call."""
        return (
            f"CREATE OR REPLACE FUNCTION {self.name}_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
            f"BEGIN RAISE EXCEPTION '{self.table} is append-only' USING ERRCODE = 'integrity_constraint_violation'; END $$"
        )

    def install(self, connection: BaseDatabaseWrapper) -> None:
        """Creates the triggers that are missing; does nothing before the table is there."""
        lacking = self.missing(connection)
        with connection.cursor() as cursor:
            if lacking and connection.vendor == "postgresql":
                cursor.execute(self.function())
            for name in lacking:
                cursor.execute(f"CREATE TRIGGER {name} {self.triggers(connection.vendor)[name]}")

    def missing(self, connection: BaseDatabaseWrapper) -> list[str]:
        """The names of triggers that the table lacks; empty while it does not exist yet."""
        with connection.cursor() as cursor:
            if self.table not in connection.introspection.table_names(cursor):
                return []
            if connection.vendor == "sqlite":
                cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [self.table])
            else:
                cursor.execute(
                    "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal AND tgenabled <> 'D'",
                    [self.table],
                )
            found = {row[0] for row in cursor.fetchall()}
        return [name for name in self.triggers(connection.vendor) if name not in found]

    @contextmanager
    def lifted(self, connection: BaseDatabaseWrapper) -> Iterator[None]:
        """Without triggers inside the block: for tests that empty their tables."""
        on = "" if connection.vendor == "sqlite" else f" ON {self.table}"
        with connection.cursor() as cursor:
            if self.table in connection.introspection.table_names(cursor):
                for name in self.triggers(connection.vendor):
                    cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")
        try:
            yield
        finally:
            self.install(connection)


_protected: list[AppendOnly] = []


def protect(table: AppendOnly) -> None:
    """Makes a table append-only from the next migration on. Called when its app is ready."""
    if table not in _protected:
        _protected.append(table)


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of triggers that any table lacks."""
    return [name for table in _protected for name in table.missing(connection)]


@contextmanager
def lifted(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Without triggers on any table inside the block: for tests that empty their tables."""
    with ExitStack() as stack:
        for table in _protected:
            stack.enter_context(table.lifted(connection))
        yield


def install_after_migrate(*, using: str, **_: Any) -> None:
    """Receiver of `post_migrate`."""
    for table in _protected:
        table.install(connections[using])


def require(alias: str = "default") -> None:
    """Called when a process starts to serve. Raises Unprotected; a database that is away is not its business."""
    try:
        lacking = missing(connections[alias])
    except OperationalError:
        return
    if lacking:
        raise Unprotected(f"the logs are not append-only ({', '.join(lacking)} missing): run manage.py migrate")


def check(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """A system check for databases: the logs must be protected. A warning, for an error would stop `migrate`, which mends it."""
    return [
        checks.Warning(
            f"the logs of {alias} are not append-only: {', '.join(lacking)} missing",
            hint="run manage.py migrate",
            id="accounts.W001",
        )
        for alias in databases or []
        if (lacking := missing(connections[alias]))
    ]
