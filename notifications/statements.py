"""The few statements that every move sends, written once.

The ORM builds and compiles each statement anew, which takes several times as long as the database needs to carry it out.
These are for rows that are written and locked one at a time in the one hot transaction; everything else asks the ORM.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model

M = TypeVar("M", bound=Model)


def insert(*rows: Model, ignore_conflicts: bool = False) -> None:
    """Inserts new rows of one model, one or more; their ids stay unknown. Raises IntegrityError."""
    database = connections[DEFAULT_DB_ALIAS]
    model = type(rows[0])
    fields = _written(model)
    values = [field.get_db_prep_save(getattr(row, field.attname), database) for row in rows for field in fields]
    with database.cursor() as cursor:
        cursor.execute(_insert(model, database.vendor, len(rows), ignore_conflicts), values)


def update(row: Model, values: Mapping[str, Any]) -> None:
    """Sets fields of a row, in the database and in the object."""
    database = connections[DEFAULT_DB_ALIAS]
    model = type(row)
    stored = []
    for name, value in values.items():
        setattr(row, name, value)
        stored.append(_field(model, name).get_db_prep_save(value, database))
    with database.cursor() as cursor:
        cursor.execute(_update(model, database.vendor, tuple(values)), [*stored, row.pk])


def find(model: type[M], *, lock: bool = False, **by: int | str) -> M | None:
    """The one row with these values, None when there is none. `lock` locks it until the transaction ends; foreign keys may
    still refer to it. (On SQLite the transaction itself is the lock.)"""
    database = connections[DEFAULT_DB_ALIAS]
    with database.cursor() as cursor:
        cursor.execute(
            _select(model, database.vendor, tuple(by), lock and database.features.has_select_for_update), [*by.values()]
        )
        values = cursor.fetchone()
    if values is None:
        return None
    read = [*values]
    for place, column, converters in _converters(model, database.vendor):
        for convert in converters:
            read[place] = convert(read[place], column, database)
    return model.from_db(database.alias, [field.attname for field in model._meta.concrete_fields], read)


def _field(model: type[Model], name: str) -> Any:
    return model._meta.get_field(name)


@cache
def _written(model: type[Model]) -> tuple[Field[Any, Any], ...]:
    return tuple(field for field in model._meta.concrete_fields if not field.primary_key)


@cache
def _converters(model: type[Model], vendor: str) -> tuple[tuple[int, Any, list[Any]], ...]:
    """What makes Python values of those that the database returns, by place of the column."""
    database = connections[DEFAULT_DB_ALIAS]
    columns = [field.get_col(model._meta.db_table) for field in model._meta.concrete_fields]
    return tuple(
        (place, column, converters)
        for place, column in enumerate(columns)
        if (converters := [*database.ops.get_db_converters(column), *column.get_db_converters(database)])
    )


# Names in these come from the models, values are parameters.


@cache
def _insert(model: type[Model], vendor: str, rows: int, ignore_conflicts: bool) -> str:
    names = _quoted(_written(model))
    row = f"({', '.join(['%s'] * len(names))})"
    ending = " ON CONFLICT DO NOTHING" if ignore_conflicts else ""
    return f"INSERT INTO {_table(model)} ({', '.join(names)}) VALUES {', '.join([row] * rows)}{ending}"


@cache
def _update(model: type[Model], vendor: str, names: tuple[str, ...]) -> str:
    assigned = ", ".join(f"{column} = %s" for column in _quoted(_field(model, name) for name in names))
    return f"UPDATE {_table(model)} SET {assigned} WHERE {_quoted([model._meta.pk])[0]} = %s"


@cache
def _select(model: type[Model], vendor: str, by: tuple[str, ...], lock: bool) -> str:
    wanted = ", ".join(_quoted(model._meta.concrete_fields))
    condition = " AND ".join(f"{column} = %s" for column in _quoted(_field(model, name) for name in by))
    ending = " FOR NO KEY UPDATE" if lock else ""
    return f"SELECT {wanted} FROM {_table(model)} WHERE {condition}{ending}"


def _quoted(fields: Iterable[Any]) -> list[str]:
    return [_quote(field.column) for field in fields]


def _table(model: type[Model]) -> str:
    return _quote(model._meta.db_table)


def _quote(name: str) -> str:
    database: BaseDatabaseWrapper = connections[DEFAULT_DB_ALIAS]
    return str(database.ops.quote_name(name))
