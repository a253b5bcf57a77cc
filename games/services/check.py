"""Compares what the rows of games say with what their logs make of them (`manage.py replay --check`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db import transaction

from games.models import Game
from games.rules import entry as kinds
from games.rules import registry
from games.rules.luck import luck_of
from games.rules.position import BadOptions, MoveRefused
from games.rules.replay import BrokenLog, course
from games.rules.ruleset import AnyRuleset
from games.services.chance import secrets_of
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
    """What the rows of a game say otherwise than its log, and what fell otherwise than by its seeds, in English sentences.
    Raises as `projection.read`."""
    told = read(ruleset, game, entries_of(game))
    rows = [*_compare("", game, fields_of(ruleset, game, told)), *_seats(game, told), *_proposals(game, told)]
    return [*rows, *(_luck(ruleset, game) if ruleset.facts.chance else ())]


def _luck(ruleset: AnyRuleset, game: Game) -> Iterator[str]:
    """The seeds of a game that goes on are compared, too, and not told."""
    luck = luck_of(ruleset, game.pk, course(ruleset, game.options, game.seats, entries_of(game)), secrets_of(game))
    yield from luck.differences()
    if lost := [source.entry for source in luck.sources if source.seed is None and not source.lost]:
        yield f"the seeds of entries {lost} are lost"
    if luck.lot_fits([row.text for row in game.entries.all() if row.kind == kinds.JOIN and row.via == row.Via.HOUSE]) is False:
        yield "the seats are not as the lot of the seed has them"


def _seats(game: Game, told: Course) -> Iterator[str]:
    joined = {entry.seat: entry.text for entry in entries_of(game) if entry.kind == kinds.JOIN}
    for seat in game.seat_set.all():
        if seat.number >= game.seats:
            yield f"seat {seat.number} is not in the log"
            continue
        yield from _compare(f" of seat {seat.number}", seat, halves(told.standing, seat.number))
        held = f"{kinds.ENGINE} {seat.engine}" if seat.engine is not None else str(seat.player_id)
        # A guest's seat may have become a player's since.
        if joined.get(seat.number, held) != held and (joined[seat.number] != kinds.GUEST or seat.engine is not None):
            yield f"player of seat {seat.number} is {held}, the log makes it {joined[seat.number]}"


def _proposals(game: Game, told: Course) -> Iterator[str]:
    rows = {row.number: row for row in game.proposals.all()}
    for number, proposed in told.proposals.items():
        if number not in rows:
            yield f"proposal {number} has no row"
            continue
        expected = {name: getattr(proposed, name) for name in ("kind", "seat", "made_at", "state", "closed_at")}
        yield from _compare(f" of proposal {number}", rows[number], expected)
    yield from (f"proposal {number} is not in the log" for number in rows.keys() - told.proposals.keys())


def _compare(whose: str, row: Any, expected: Mapping[str, Any]) -> Iterator[str]:
    for name, value in expected.items():
        if getattr(row, name) != value:
            yield f"{name}{whose} is {getattr(row, name)}, the log makes it {value}"
