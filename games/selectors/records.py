"""Records of played games: to download one, and all of a player's for him to take along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from accounts.models import Player
from games.models import Challenge, Game, LogEntry, Seat
from games.rules import entry as kinds
from games.rules import record as records
from games.rules import registry
from games.rules.entry import Entry, Record
from games.rules.ruleset import AnyRuleset
from games.selectors.words import names_at

SOMEBODY: Final = "?"
"""An opponent, in the records that a player takes along."""


def file_name(game_id: int) -> str:
    """What the file is called that holds the game's record."""
    return f"game-{game_id}.game"


def record_of(game_id: int, viewer: Player | None, *, guest: int | None = None) -> str | None:
    """The game as a record; None if the viewer may not have it: not theirs, or hidden and not over. `guest` is the seat that the
    viewer holds a key of."""
    game = Game.objects.filter(pk=game_id).prefetch_related("entries").first()
    if game is None:
        return None
    seats = list(game.seat_set.select_related("player"))
    mine = guest is not None or (viewer is not None and any(one.player_id == viewer.pk for one in seats))
    if not (game.public or mine) or _is_secret(game) or _has_gone_on(game):
        return None
    return _record(game, names_at(seats))


def records_of(player: Player) -> Iterator[tuple[int, str]]:
    """Each game of the player by its id, as a record that names nobody else and tells no reasons of rulings, which may do
    so; what is hidden and not over is left out (N25)."""
    games = Game.objects.of(player).prefetch_related("seat_set", "entries").order_by("pk")
    for game in games.iterator(chunk_size=100):
        if not (_is_secret(game) or _has_gone_on(game)):
            names = [player.name if one.player_id == player.pk else SOMEBODY for one in game.seat_set.all()]
            yield game.pk, _record(game, names, with_reasons=False)


def games_of(player: Player) -> list[dict[str, Any]]:
    """The player's games as data, from his side: `points` and `score` are those of his seat, in half units, `seen` the
    number of the last position that a page has shown him. What is hidden and not over is left out."""
    seats = Seat.objects.filter(player=player).select_related("game").order_by("game")
    return [
        {
            "game": seat.game_id,
            "ruleset": seat.game.ruleset,
            "ruleset_version": seat.game.ruleset_version,
            "options": seat.game.options,
            "seats": seat.game.seats,
            "seat": seat.number,
            "reflection_seconds": seat.game.reflection,
            "public": seat.game.public,
            "started": seat.game.created_at,
            "ended": seat.game.ended_at,
            "result": seat.game.result,
            "termination": seat.game.termination,
            "points": seat.points,
            "score": seat.score,
            "seen": seat.seen,
        }
        for seat in seats
        if not _is_secret(seat.game)
    ]


def challenges_by(player: Player) -> list[dict[str, Any]]:
    """The challenges that the player made, as data; to whom is the other's."""
    told = ("ruleset", "options", "seats", "reflection", "begins", "public", "state", "created_at", "closed_at")
    return list(Challenge.objects.filter(challenger=player).order_by("pk").values("pk", *told))


def _is_secret(game: Game) -> bool:
    return registry.get(game.ruleset).facts.hidden and game.ended_at is None


def _has_gone_on(game: Game) -> bool:
    """Whether a hidden game that was over when its row was read went on before its log was."""
    return registry.get(game.ruleset).facts.hidden and len(game.entries.all()) != game.head


def _record(game: Game, names: Sequence[str], *, with_reasons: bool = True) -> str:
    ruleset = registry.get(game.ruleset)
    rows = [row for row in game.entries.all() if row.kind != kinds.JOIN]
    told = [(row.number - game.seats, row.reason.text) for row in rows if with_reasons and row.reason]
    record = Record(
        ruleset=game.ruleset,
        version=game.ruleset_version,
        options=game.options,
        seats=game.seats,
        entries=tuple(_written(row, game.seats) for row in rows),
        tags={
            **{_tag(ruleset, number): name for number, name in enumerate(names)},
            "Game": str(game.pk),
            "Date": f"{game.created_at:%Y.%m.%d}",
        },
        result=game.result,
        termination=game.termination or None,
        comments={number: text for number, text in told if text},
    )
    return records.write(record, ruleset)


def _tag(ruleset: AnyRuleset, seat: int) -> str:
    """The header tag that names a seat's player: South, FirstPlayer; Seat1 .. where seats have numbers."""
    titles = ruleset.facts.seat_titles
    return titles[seat].msgid.title().replace(" ", "") if seat < len(titles) else f"Seat{seat + 1}"


def _written(row: LogEntry, joins: int) -> Entry:
    """The entry as a record numbers it: without the joins that come first."""
    refers = row.kind in (kinds.AGREE, kinds.REFUSE, kinds.WITHDRAW, kinds.CORRECT)
    text = str(int(row.text) - joins) if refers else row.text
    return Entry(row.number - joins, row.kind, row.seat, text)
