"""Compares what the rows of games say with what their logs make of them (`manage.py replay --check`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db import transaction

from games.models import Game
from games.rules import entry as kinds
from games.rules import registry
from games.rules.position import BadOptions, MoveRefused
from games.rules.replay import BrokenLog
from games.rules.ruleset import AnyRuleset
from games.services.projection import Course, entries_of, fields_of, halves, read

CHUNK: Final = 100


def differences() -> Iterator[tuple[int, list[str]]]:
    """For every game its id and what its projection says otherwise than its log, while the service runs."""
    games = Game.objects.prefetch_related("seat_set", "entries", "proposals").order_by("pk")
    last = 0
    while chunk := list(games.filter(pk__gt=last)[:CHUNK]):
        for game in chunk:
            found = _of(game)
            if found:
                # Somebody may have moved between the reads; under the lock nobody does.
                with transaction.atomic():
                    found = _of(games.select_for_update().get(pk=game.pk))
            yield game.pk, found
        last = chunk[-1].pk


def _of(game: Game) -> list[str]:
    try:
        return disagreements(registry.get(game.ruleset), game)
    except (registry.UnknownRuleset, BrokenLog, BadOptions, MoveRefused) as broken:
        return [f"the log cannot be replayed: {broken}"]


def disagreements(ruleset: AnyRuleset, game: Game) -> list[str]:
    """What the rows of a game say otherwise than its log, in English sentences. Raises as `projection.read`."""
    course = read(ruleset, game, entries_of(game))
    return [*_compare("", game, fields_of(ruleset, game, course)), *_seats(game, course), *_proposals(game, course)]


def _seats(game: Game, course: Course) -> Iterator[str]:
    joined = {entry.seat: entry.text for entry in entries_of(game) if entry.kind == kinds.JOIN}
    for seat in game.seat_set.all():
        if seat.number >= game.seats:
            yield f"seat {seat.number} is not in the log"
            continue
        yield from _compare(f" of seat {seat.number}", seat, halves(course.standing, seat.number))
        if joined.get(seat.number, str(seat.player_id)) != str(seat.player_id):
            yield f"player of seat {seat.number} is {seat.player_id}, the log makes it {joined[seat.number]}"


def _proposals(game: Game, course: Course) -> Iterator[str]:
    rows = {row.number: row for row in game.proposals.all()}
    for number, proposed in course.proposals.items():
        if number not in rows:
            yield f"proposal {number} has no row"
            continue
        told = {name: getattr(proposed, name) for name in ("kind", "seat", "made_at", "state", "closed_at")}
        yield from _compare(f" of proposal {number}", rows[number], told)
    yield from (f"proposal {number} is not in the log" for number in rows.keys() - course.proposals.keys())


def _compare(whose: str, row: Any, expected: Mapping[str, Any]) -> Iterator[str]:
    for name, value in expected.items():
        if getattr(row, name) != value:
            yield f"{name}{whose} is {getattr(row, name)}, the log makes it {value}"
