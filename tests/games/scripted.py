"""A player of Rainbow who follows a script."""

from __future__ import annotations

from random import Random

from games.models import Game
from games.rules import registry


def scripted(game: Game, random: Random) -> str:
    """What a sensible player does with what they see."""
    ruleset = registry.get(game.ruleset)
    position = ruleset.load(game.position)
    moves = list(ruleset.legal_moves(position))
    if moves == ["accept", "refuse"]:
        wanted = "ROYGCBV"[position.rainbows[position.receiver]]
        return "accept" if position.offer == wanted and wanted not in position.hands[position.receiver] else "refuse"
    if "send" in moves:
        return "send"
    pours = [move for move in moves if move.startswith("pour")]
    return pours[0] if pours else random.choice(moves[:-1] or moves)
