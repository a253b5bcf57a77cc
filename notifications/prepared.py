"""Prepared reads: queries that are written once. The ORM takes several times as long to write one as a database to answer it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from inspect import signature
from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet

LARGEST: Final = 2**63 - 1
"""No row has a larger id, and no database takes one."""


def prepared(write: Callable[..., QuerySet[Any, Any]]) -> Callable[..., list[Sequence[Any]]]:
    """The rows of a query by the ids and texts that it asks about: `write` takes them and gives a query with `values_list`.

    It is called once for each kind of database, with negative numbers and marks, for which the real ids and texts stand later:
    it may do nothing with them but ask for equal ones, nor look at the clock or the language.
    """
    asked = enumerate(signature(write).parameters.values(), start=1)
    places = [f"?{place}" if one.annotation == "str" else -place for place, one in asked]

    @cache
    def written(_vendor: str) -> tuple[str, tuple[Any, ...], Sequence[tuple[int, Any, Any]]]:
        compiler = write(*places).query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        if not set(places) <= set(params):
            raise TypeError(f"{write.__name__} does not ask about each of its ids")
        columns = [column for column, _sql, _alias in compiler.select[: compiler.col_count]]
        found = compiler.get_converters(columns)
        return sql, tuple(params), [(index, steps, column) for index, (steps, column) in found.items()]

    def ask(*meant: int | str) -> list[Sequence[Any]]:
        if any(isinstance(one, int) and one > LARGEST for one in meant):
            return []
        sql, params, converters = written(connection.vendor)
        stands_for = dict(zip(places, meant, strict=True))
        with connection.cursor() as cursor:
            cursor.execute(sql, [stands_for.get(param, param) for param in params])
            rows: list[Sequence[Any]] = cursor.fetchall()
        return [_converted(row, converters) for row in rows] if converters else rows

    return ask


def _converted(row: Sequence[Any], converters: Sequence[tuple[int, Any, Any]]) -> Sequence[Any]:
    """The row in Python's types, as the ORM would give it."""
    values = list(row)
    for index, steps, column in converters:
        for convert in steps:
            values[index] = convert(values[index], column, connection)
    return values
