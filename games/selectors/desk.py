"""What the desk shows of a log: of a running game that hides things no more than a watcher may know, to anybody (N25)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from games.models import Game
from games.rules import entry as kinds
from games.rules import registry
from games.rules.position import BadOptions, MoveRefused
from games.rules.replay import BrokenLog, course

HIDING: Final = frozenset({kinds.MOVE, kinds.CHANCE_FELL, kinds.REVEAL})
"""Entries whose texts may hold what is hidden: a seed that an end revealed is secret again when the end was taken back."""


def hides(game: Game) -> bool:
    """Whether the game hides things now; one whose rules are not installed may."""
    return game.ended_at is None and (game.ruleset not in registry.names() or registry.get(game.ruleset).facts.hidden)


def told_to_watchers(game: Game) -> Mapping[int, str]:
    """What a watcher may read of the moves, and of what chance brought, by the number of the entry; of a log that cannot be read
    as much as can."""
    told: dict[int, str] = {}
    with suppress(registry.UnknownRuleset, BrokenLog, BadOptions, MoveRefused):
        ruleset = registry.get(game.ruleset)
        entries = [row.as_entry() for row in game.entries.all()]
        for position, entry in course(ruleset, game.options, game.seats, entries):
            if entry.kind in (kinds.MOVE, kinds.CHANCE_FELL):
                told[entry.number] = ruleset.shown(position, entry.text, None)
    return told
